import { describe, expect, it } from "vitest";
import { shortApprovalId } from "../../src/core/approval.ts";
import { chatKey } from "../../src/core/chat.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
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
const ingress = openIngress(store, { admins: [newPerson().id] });
const { audit } = ingress.deps;

const secret = `sk-${"a1b2".repeat(6)}`;

/** A card of two calls, of which only the first hides something. */
async function asked(at: Place): Promise<string> {
  const given = [{ headers: { authorization: secret } }, { path: "a" }];
  const [card = []] = await cardsIn({ ingress, store, turns }, at, [
    given.map((each) => ({ arguments: JSON.stringify(each) })),
  ]);
  return card[0]?.id ?? "";
}

const tapOn = (at: Place, id: string) => ingress.tap(at, `v:${id}`, { messageId: "900" });

const shownLines = async (personId: string) =>
  (await audit.newest({ personId, action: "values-shown" }, 10)).records;

describe("what a card hides", () => {
  it("is sent to the direct chat of a person who may decide, and never to the group", async () => {
    const at = groupPlace();
    const own = directPlace(at.person);
    await ingress.say(own, "hello");
    const id = await asked(at);
    await ingress.people.notePerson({ id: `telegram:chat:${at.address.chat}`, name: "Team" });
    const said = textOf(await tapOn(at, id));
    expect(said).toMatch(/^I've sent you the answer privately\./);
    expect(JSON.stringify(await ingress.outbox(at.chat))).not.toContain(secret);
    const told = await ingress.told(own.chat);
    expect(told).toEqual([
      expect.stringContaining(
        `Hidden values of files: Delete (files.delete):\nheaders.authorization: ${secret}`,
      ),
    ]);
    expect(told[0]).toMatch(/^For the group "Team":\n/);
    expect((await approvals.find(id))?.status).toBe("pending");
  });

  it("is shown by /approvals and an id, in private", async () => {
    const at = groupPlace();
    const own = directPlace(at.person);
    await ingress.say(own, "hello");
    const id = await asked(at);
    const argument = shortApprovalId(id);
    const said = textOf(await ingress.command(at, "approvals", { argument }));
    expect(said).toMatch(/^I've sent you the answer privately\./);
    expect(JSON.stringify(await ingress.outbox(at.chat))).not.toContain(secret);
    expect((await ingress.told(own.chat)).join()).toContain(secret);
    const second = { argument: `${argument}.2` };
    expect(textOf(await ingress.command(own, "approvals", second))).toMatch(/no pending approval/);
  });

  it("stands in no line of the audit log, but that it was shown does, once", async () => {
    const at = directPlace();
    const id = await asked(at);
    await tapOn(at, id);
    await tapOn(at, id);
    const lines = await shownLines(at.person.id);
    expect(lines).toMatchObject([
      { target: "files.delete", details: { approval: shortApprovalId(id) } },
    ]);
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect((await ingress.told(at.chat)).join()).toContain(secret);
  });

  it("is shown to no other person, in no other chat, and not after the decision", async () => {
    const at = groupPlace();
    const id = await asked(at);
    const ben = groupPlace(newPerson(), at);
    expect(textOf(await tapOn(ben, id))).toMatch(/\bonly\b|not allowed/i);
    const argument = id;
    const typed = await ingress.command(ben, "approvals", { argument });
    expect(textOf(typed)).toMatch(/\bonly\b|not allowed/i);
    expect(textOf(await tapOn(directPlace(at.person), id))).toMatch(/another chat/);
    await ingress.tap(at, `da:${id}`, { messageId: "900" });
    expect(textOf(await tapOn(at, id))).toMatch(/already denied/);
    for (const place of [at, directPlace(at.person), directPlace(ben.person)])
      expect(JSON.stringify(await ingress.outbox(place.chat))).not.toContain(secret);
    expect(await shownLines(ben.person.id)).toEqual([]);
  });

  it("is part of the answer where a platform shows that to one person alone", async () => {
    const person = newPerson({ id: "discord:4711" });
    const address = { platform: "discord", bot: "7", chat: "42" } as const;
    const at = { person, address, chat: chatKey(address), direct: false };
    const said = textOf(await tapOn(at, await asked(at)));
    expect(said).toContain(`headers.authorization: ${secret}`);
    expect(await ingress.outbox(at.chat)).toEqual([]);
  });
});
