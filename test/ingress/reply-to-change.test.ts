import { describe, expect, it } from "vitest";
import { shortApprovalId, type Approval } from "../../src/core/approval.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createAccept } from "../../src/ingress/create-accept.ts";
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

/** As its delivery does; the newest question. */
async function sent(at: Place, messageId: string): Promise<void> {
  const question = (await questions(at)).at(-1);
  await sentAs(at, question?.id ?? "", messageId);
}

const sentAs = (at: Place, entryId: string, messageId: string) =>
  store.redis.hset(`${chatKeys(at.chat).sentPrefix}${entryId}`, "m0", messageId);

const reply = (at: Place, text: string, replyToId = "950") => ingress.say(at, text, { replyToId });

const changedTo = async ({ id }: Approval): Promise<unknown> => {
  const view = await approvals.find(id);
  return view?.status === "changed" ? JSON.parse(view.edit?.arguments ?? "null") : view?.status;
};

describe("a tap on Edit… of a card of several calls", () => {
  const calls = ['{"note":"tea"}', "{}", '{"note":"milk"}'].map((given) => ({
    arguments: given,
    tool: "write_note",
  }));
  const askedFor = async (at: Place): Promise<readonly Approval[]> =>
    (await cardsIn({ ingress, store, turns }, at, [calls]))[0] ?? [];

  it("on Telegram asks which, and then the same as for a single one", async () => {
    for (const at of [directPlace(), groupPlace()]) {
      const [first, , third] = await askedFor(at);
      const tap = { id: "choose", messageId: "900" };
      for (let times = 0; times < 2; times += 1) await ingress.tap(at, `es:${first?.id}`, tap);
      const asking = (await ingress.outbox(at.chat)).filter((entry) => "buttons" in entry);
      expect(asking).toMatchObject([
        {
          kind: "notice",
          text: "Which action do you want to change?",
          replyTo: "900",
          buttons: [
            { label: "✎ 1 write_note", data: `e:${first?.id}` },
            { label: "✎ 3 write_note", data: `e:${third?.id}` },
          ],
        },
      ]);
      await ingress.tap(at, `e:${third?.id}`, { messageId: "940" });
      await sent(at, "950");
      expect(textOf(await reply(at, "coffee"))).toMatch(/^Changed\./);
      expect(third && (await changedTo(third))).toEqual({ note: "coffee" });
      expect(first && (await changedTo(first))).toBe("pending");
      const left = await ingress.tap(at, `es:${first?.id}`, { messageId: "900" });
      expect(left).toMatchObject({ buttons: [{ data: `e:${first?.id}` }] });
    }
  });

  it("on Discord shows buttons that open the form, and takes it below them", async () => {
    const at = directPlace(newPerson({ id: "discord:7001" }));
    const [first, , third] = await askedFor(at);
    const chosen = await ingress.tap(at, `es:${first?.id}`, { messageId: "900" });
    const card = shortApprovalId(first?.id ?? "");
    expect(chosen).toMatchObject({
      type: "answered",
      buttons: [
        { data: `e:${first?.id}`, typed: `/edit ${card}.1 name=value` },
        { data: `e:${third?.id}`, typed: `/edit ${card}.3 name=value` },
      ],
    });
    const data = `e:${third?.id}`;
    const opened = await ingress.tap(at, data, { messageId: "941" });
    expect(opened).toMatchObject({ type: "form", form: { data } });
    await ingress.tap(at, data, { messageId: "941", filled: { "=note": "coffee" } });
    expect(third && (await changedTo(third))).toEqual({ note: "coffee" });
    expect(textOf(await ingress.command(at, "edit", { argument: `${card}.1 note=water` }))).toMatch(
      /^Changed\./,
    );
    expect(first && (await changedTo(first))).toEqual({ note: "water" });
    const over = await ingress.tap(at, `es:${first?.id}`, { messageId: "900" });
    expect(over).toMatchObject({ type: "refused" });
  });

  it("in a terminal asks for the number, and says what to type where that can't be asked", async () => {
    const at = directPlace(newPerson({ id: "console:local" }));
    await ingress.access.setRole(at.person, "admin");
    const [first, , third] = await askedFor(at);
    const data = `es:${first?.id}`;
    const tap = (filled?: Record<string, string>) =>
      ingress.tap(at, data, { messageId: "900", ...(filled && { filled }) });
    const card = shortApprovalId(first?.id ?? "");
    const asks = {
      type: "form",
      form: {
        data,
        fields: [{ id: "call", label: expect.stringMatching(/\? \[1\/3\]$/) as string }],
      },
      text: `Which action do you want to change?\n/edit ${card}.1 name=value\n/edit ${card}.3 name=value`,
    };
    expect(await tap()).toMatchObject(asks);
    expect(await tap({ call: "2" })).toMatchObject(asks);
    expect(await tap({ call: " 3 " })).toMatchObject({
      type: "form",
      form: { data: `e:${third?.id}`, fields: [{ id: "=note", value: "milk" }] },
      text: `To change it: /edit ${card}.3 name=value, or JSON with all arguments.`,
    });
  });

  it("asks nothing where no call has arguments", async () => {
    for (const id of [undefined, "console:none"]) {
      const at = directPlace(newPerson(id === undefined ? {} : { id }));
      await ingress.access.setRole(at.person, "admin");
      const bare = { arguments: "{}", tool: "write_note" };
      const [[first] = []] = await cardsIn({ ingress, store, turns }, at, [[bare, bare]]);
      const tapped = await ingress.tap(at, `es:${first?.id}`, { messageId: "900" });
      expect(tapped).toMatchObject({
        type: "refused",
        text: "These actions have no arguments to change.",
      });
    }
  });

  it("asks in the topic of its card, though the tap names none", async () => {
    const group = groupPlace();
    const topic = groupPlace(group.person, {
      ...group,
      address: { ...group.address, thread: "7" },
      chat: `${group.chat}:7` as Place["chat"],
    });
    const [first] = await askedFor(topic);
    await ingress.tap(group, `es:${first?.id}`, { messageId: "900" });
    const asking = async ({ chat }: Place) =>
      (await ingress.outbox(chat)).filter((entry) => "buttons" in entry);
    expect(await asking(group)).toEqual([]);
    expect(await asking(topic)).toHaveLength(1);
  });

  it("is refused to someone who has no say", async () => {
    const at = groupPlace();
    const [first] = await askedFor(at);
    const other = groupPlace(newPerson(), at);
    expect(await ingress.tap(other, `es:${first?.id}`, { messageId: "900" })).toMatchObject({
      type: "refused",
    });
    const elsewhere = directPlace(at.person);
    expect(await ingress.tap(elsewhere, `es:${first?.id}`)).toMatchObject({ type: "refused" });
    expect(await ingress.told(at.chat)).toEqual([]);
  });
});

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

  it("says that the change was made, also to a person who writes faster than they may", async () => {
    const at = directPlace();
    const card = await asked(at, { subject: "Hi", to: "ann" });
    await tapEdit(at, card);
    await sent(at, "950");
    for (let said = 0; said < 61; said += 1) await ingress.command(at, "nonsense");
    expect(await reply(at, "bob")).not.toHaveProperty("text");
    expect(textOf(await reply(at, "to=bob"))).toMatch(/^Changed\./);
    expect(await changedTo(card)).toEqual({ subject: "Hi", to: "bob" });
  });

  it("asks for name=value where there are several arguments, and again where there is none", async () => {
    const at = directPlace();
    const card = await asked(at, { subject: "Hi", to: "ann" });
    await tapEdit(at, card);
    const question = (await questions(at))[0]?.text;
    expect(question).toMatch(/name=value[^]*subject, to\.$/);
    await sent(at, "950");
    await reply(at, "bob");
    expect((await questions(at)).map(({ text }) => text)).toEqual([question, question]);
    expect(await changedTo(card)).toBe("pending");
    await reply(at, "to=bob\nsubject=Hello");
    expect(await changedTo(card)).toEqual({ subject: "Hello", to: "bob" });
  });

  it("asks again after a mistake, and takes a reply to either question", async () => {
    for (const answered of ["950", "960"])
      for (const at of [directPlace(), groupPlace()]) {
        const card = await asked(at, { subject: "Hi", to: "ann" });
        await tapEdit(at, card);
        await sent(at, "950");
        const mistake = { id: "mistake", messageId: "951", replyToId: "950" };
        for (let times = 0; times < 2; times += 1) await ingress.say(at, "form=bob", mistake);
        const all = await questions(at);
        expect(all).toHaveLength(2);
        expect(all[1]).toMatchObject({
          text: expect.stringContaining("form") as string,
          replyTo: "951",
          replyFrom: { id: at.person.id },
        });
        await sent(at, "960");
        expect(textOf(await reply(at, "to=bob", answered))).toMatch(/^Changed\./);
        expect(await changedTo(card)).toEqual({ subject: "Hi", to: "bob" });
        expect(await ingress.waiting(at.chat)).toEqual([]);
      }
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
    await reply(at, "coffee", "940");
    expect(await changedTo(card)).toBe("pending");
    await reply(at, "coffee", "950");
    expect(await changedTo(card)).toEqual({ note: "coffee" });
  });

  it("knows the question that an earlier version asked", async () => {
    const at = directPlace();
    const card = await asked(at);
    await tapEdit(at, card);
    const [question] = await questions(at);
    const { sentPrefix } = chatKeys(at.chat);
    await store.redis.del(`${sentPrefix}${question?.id}`);
    await sentAs(at, question?.id.replace(/-1$/, "") ?? "", "950");
    await reply(at, "coffee");
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

  it("looks at every question before it waits, and waits no more for one that was asked long ago", async () => {
    const at = directPlace();
    const call = { arguments: JSON.stringify({ note: "tea" }) };
    const [cards = []] = await cardsIn({ ingress, store, turns }, at, [[call, call, call]]);
    for (const card of cards) await tapEdit(at, card);
    const last = (await questions(at)).at(-1)?.id ?? "";
    const looked: string[] = [];
    const askedIn: typeof approvals.askedIn = async (chat, question) => {
      looked.push(question);
      if (looked.length === cards.length) await sentAs(at, last, "950");
      return await approvals.askedIn(chat, question);
    };
    const deps = { ...ingress.deps, approvals: { ...approvals, askedIn } };
    const { person, address } = at;
    const message = { id: "quick", text: "coffee", replyToId: "950", atMs: 1 };
    await createAccept(deps)({ type: "message", person, address, direct: true, ...message });
    expect(new Set(looked.slice(0, cards.length)).size).toBe(cards.length);
    const [first = ""] = looked;
    expect(await approvals.askedIn(at.chat, first)).toEqual({ ids: [], isBeingSent: true });
    const later = { ...store.clock, now: () => store.clock.now() + 11_000 };
    const then = createApprovalStore({ ...store, clock: later });
    expect(await then.askedIn(at.chat, first)).toEqual({ ids: [], isBeingSent: false });
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
