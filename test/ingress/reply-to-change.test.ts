import { describe, expect, it } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { cardsIn } from "./cards-in.ts";
import { storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "./open-ingress.ts";

const server = await testDatabase();
const store = storeOn(server);
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);
const ingress = openIngress(store);

async function asked(at: Place, given: object = { note: "tea" }): Promise<Approval> {
  const changes = [{ arguments: JSON.stringify(given) }];
  const [[card] = []] = await cardsIn({ ingress, store, turns }, at, [changes]);
  if (card === undefined) throw new Error("no card");
  return card;
}

const tapEdit = (at: Place, { id }: Approval) => ingress.tap(at, `e:${id}`, { messageId: "900" });

const questions = async (at: Place): Promise<(OutboxEntry & { kind: "notice" })[]> =>
  (await ingress.outbox(at.chat)).flatMap((entry) =>
    entry.kind === "notice" && entry.replyFrom !== undefined ? [entry] : [],
  );

/** As its delivery does. */
async function sent(at: Place, messageId: string): Promise<void> {
  const question = (await questions(at)).at(-1);
  await store.redis.hset(`${chatKeys(at.chat).sentPrefix}${question?.id}`, "m0", messageId);
}

const reply = (at: Place, text: string, replyToId = "950") => ingress.say(at, text, { replyToId });

const changedTo = async ({ id }: Approval): Promise<unknown> => {
  const view = await approvals.find(id);
  return view?.status === "changed" ? JSON.parse(view.edit?.arguments ?? "null") : view?.status;
};

describe("a tap on Edit where there are no forms", () => {
  it("asks this person for the new value, and their reply is it, whatever it says", async () => {
    for (const text of ["yes", "no", "to=x, {y}", "green tea"])
      for (const at of [directPlace(), groupPlace()]) {
        const card = await asked(at);
        expect(await tapEdit(at, card)).toMatchObject({ type: "answered", text: "" });
        expect(await questions(at)).toMatchObject([
          {
            text: "Reply to this message with the new value of note.",
            replyTo: "900",
            replyFrom: { id: at.person.id },
          },
        ]);
        await sent(at, "950");
        expect(textOf(await reply(at, text))).toMatch(/^Changed\./);
        expect(await changedTo(card)).toEqual({ note: text });
        expect(await ingress.waiting(at.chat)).toEqual([]);
      }
  });

  it("asks for name=value where there are several arguments, and again where there is none", async () => {
    const at = directPlace();
    const card = await asked(at, { subject: "Hi", to: "ann" });
    await tapEdit(at, card);
    const question = (await questions(at))[0]?.text;
    expect(question).toMatch(/name=value[^]*subject, to\.$/);
    await sent(at, "950");
    expect(textOf(await reply(at, "bob"))).toBe(question);
    expect(await changedTo(card)).toBe("pending");
    await reply(at, "to=bob\nsubject=Hello");
    expect(await changedTo(card)).toEqual({ subject: "Hello", to: "bob" });
  });

  it("asks nothing of someone who has no say, and takes no reply of theirs", async () => {
    const at = groupPlace();
    const other = groupPlace(newPerson(), at);
    const card = await asked(at);
    expect((await tapEdit(other, card)).type).toBe("refused");
    expect(await questions(at)).toEqual([]);
    await tapEdit(at, card);
    await sent(at, "950");
    await reply(other, "coffee");
    expect(await changedTo(card)).toBe("pending");
  });

  it("asks again after another tap, and once for a tap that is delivered twice", async () => {
    const at = directPlace();
    const card = await asked(at);
    const tap = { id: "tap1", messageId: "900" };
    for (let times = 0; times < 2; times += 1) await ingress.tap(at, `e:${card.id}`, tap);
    expect(await questions(at)).toHaveLength(1);
    await sent(at, "950");
    await ingress.tap(at, `e:${card.id}`, tap);
    expect(await questions(at)).toHaveLength(1);
    await tapEdit(at, card);
    expect(await questions(at)).toHaveLength(2);
    await sent(at, "960");
    await reply(at, "coffee", "950");
    expect(await changedTo(card)).toBe("pending");
    await reply(at, "coffee", "960");
    expect(await changedTo(card)).toEqual({ note: "coffee" });
  });

  it("waits for the question's number where the reply is faster", async () => {
    const at = directPlace();
    const card = await asked(at);
    await tapEdit(at, card);
    const replying = reply(at, "coffee");
    await sent(at, "950");
    expect(textOf(await replying)).toMatch(/^Changed\./);
    expect(await changedTo(card)).toEqual({ note: "coffee" });
  });

  it("says who was faster, if the call is decided meanwhile", async () => {
    const at = directPlace();
    const card = await asked(at);
    await tapEdit(at, card);
    await sent(at, "950");
    await ingress.tap(at, `a:${card.id}`, { messageId: "900" });
    expect(textOf(await reply(at, "coffee"))).toContain("already approved");
  });
});
