import { beforeEach, describe, expect, it } from "vitest";
import { createAccept } from "../../src/ingress/create-accept.ts";
import type { Acceptance } from "../../src/core/inbound.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { directPlace, groupPlace, newPerson, openIngress, textOf } from "./open-ingress.ts";
import type { Place, TestIngress } from "./open-ingress.ts";

const store = storeOn(await testDatabase());
const owner = directPlace(newPerson({ name: "Ada" }));
const bob = newPerson({ name: "Bob", username: "bob" });

beforeEach(() => store.redis.flushdb());

const paired = () => openIngress(store, { mode: "pairing", admins: [owner.person.id] });

function join(
  { deps }: TestIngress,
  at: Place,
  { id = "j17", title = "Team" } = {},
): Promise<Acceptance> {
  const { person, address } = at;
  return createAccept(deps)({ type: "join", id, person, address, direct: false, atMs: 1, title });
}

const buttonsOf = (entry: OutboxEntry | undefined) =>
  entry?.kind === "notice" ? (entry.buttons ?? []) : [];

/** The card that the owner gets when Bob adds the bot to a group. */
async function asked(ingress: TestIngress) {
  const group = groupPlace(bob);
  await join(ingress, group);
  const [card] = await ingress.outbox(owner.chat);
  const [allow, leave] = buttonsOf(card).map(({ data }) => data);
  const place = `telegram:chat:${group.address.chat}`;
  return { group, place, card, allow: allow ?? "", leave: leave ?? "" };
}

describe("a bot that is added to a group", () => {
  it("introduces itself in two lines and asks its owner, once", async () => {
    const ingress = paired();
    const { group, card } = await asked(ingress);
    await join(ingress, group);
    const told = await ingress.told(group.chat);
    expect(told).toHaveLength(1);
    expect(told[0]?.split("\n")).toEqual([
      "Hi, I'm Parley.",
      expect.stringMatching(/asked my owner/) as string,
    ]);
    expect(await ingress.outbox(owner.chat)).toHaveLength(1);
    expect(card).toMatchObject({ text: 'Bob (@bob, Telegram) added me.\nLet in "Team"?' });
    expect(buttonsOf(card).map(({ label }) => label)).toEqual(["Allow", "Leave"]);
    for (const { data } of buttonsOf(card)) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  });

  it("asks nothing where everyone may use it, says nothing where it is banned", async () => {
    const open = openIngress(store, { mode: "open", admins: [owner.person.id] });
    const ingress = paired();
    const [first, allowed, banned] = [groupPlace(bob), groupPlace(bob), groupPlace(bob)];
    await join(open, first);
    await ingress.command({ ...allowed, person: owner.person }, "allow", { argument: "here" });
    await join(ingress, allowed);
    await ingress.command({ ...banned, person: owner.person }, "ban", { argument: "here" });
    expect(await join(ingress, banned)).toEqual({ type: "ignored" });
    for (const { chat } of [first, allowed])
      expect((await ingress.told(chat)).at(-1)).toMatch(/Parley.*\n\/help/);
    const cards = (await ingress.outbox(owner.chat)).filter((entry) => buttonsOf(entry).length > 0);
    expect(cards).toEqual([]);
  });

  it("says so where it has no owner yet", async () => {
    const ingress = openIngress(store, { mode: "pairing" });
    const group = groupPlace(bob);
    await join(ingress, group);
    const told = await ingress.told(group.chat);
    expect(told[0]).toMatch(/don't have an owner yet/);
    expect(told[0]).not.toMatch(/mention me/i);
  });

  it("claims to have asked only where a card went out, and promises no answer before it is let in", async () => {
    const nobody = openIngress(store, { mode: "allowlist" });
    const alone = groupPlace(bob);
    await join(nobody, alone);
    const flooded = paired();
    const groups = Array.from({ length: 21 }, () => groupPlace(bob));
    for (const group of groups) await join(flooded, group);
    for (const { chat } of [alone, ...groups.slice(20)]) {
      const [told = ""] = await flooded.told(chat);
      expect(told.split("\n")).toEqual([
        "Hi, I'm Parley.",
        expect.stringContaining(
          "An admin can switch me on in this group with /allow here.",
        ) as string,
      ]);
    }
  });

  it("shows its owner a name that neither moves nor ends the text after it", async () => {
    const ingress = paired();
    await join(ingress, groupPlace(bob), { title: 'A\u202e" in. "B' });
    const [card] = await ingress.outbox(owner.chat);
    expect(card).toMatchObject({
      text: 'Bob (@bob, Telegram) added me.\nLet in "A\\u202e” in. ”B"?',
    });
  });

  it("waits for its first owner, in /pending too, until that is decided", async () => {
    const ingress = openIngress(store, { mode: "pairing" });
    const [one, two] = [groupPlace(bob), groupPlace(bob)];
    await join(ingress, one, { title: "One" });
    await join(ingress, one, { title: "One" });
    await join(ingress, two, { title: "Two" });
    const code = (await ingress.people.claimCode()) ?? "";
    await ingress.command(owner, "start", { argument: code });
    const cards = (await ingress.outbox(owner.chat)).filter((entry) => buttonsOf(entry)[0]);
    expect(cards.map((card) => ("text" in card ? card.text : ""))).toEqual([
      expect.stringContaining('Let in "One"?'),
      expect.stringContaining('Let in "Two"?'),
    ]);
    for (const { chat } of [one, two])
      expect((await ingress.told(chat)).at(-1)).toMatch(/I've asked my owner/);
    const listed = textOf(await ingress.command(owner, "pending"));
    expect(listed).toBe('These groups would like to use this bot:\n• "Two"\n• "One"');
    await ingress.tap(owner, buttonsOf(cards[0])[1]?.data ?? "");
    await ingress.command({ ...two, person: owner.person }, "allow", { argument: "here" });
    expect(textOf(await ingress.command(owner, "pending"))).toMatch(/No one/);
  });

  it("sends the owner the first cards of a crowd, and another one when it is added again", async () => {
    const ingress = paired();
    const group = groupPlace(bob);
    await join(ingress, group, { id: "j1" });
    await join(ingress, group, { id: "j2" });
    expect(await ingress.outbox(owner.chat)).toHaveLength(2);
    for (let count = 0; count < 25; count += 1) await join(ingress, groupPlace(bob));
    expect(await ingress.outbox(owner.chat)).toHaveLength(20);
  });
});

describe("its card", () => {
  it("lets the group in: everyone there is a guest, and the card says who decided", async () => {
    const ingress = paired();
    const { group, allow, card } = await asked(ingress);
    const stranger = { ...group, person: newPerson() };
    expect(await ingress.access.roleOf(stranger.person, stranger)).toBe("stranger");
    expect(textOf(await ingress.tap(owner, allow))).toBe('Ada let "Team" in.');
    expect(await paired().access.roleOf(stranger.person, stranger)).toBe("guest");
    expect((await ingress.outbox(owner.chat)).at(-1)).toMatchObject({
      kind: "resolution",
      of: card?.id,
      text: 'Ada let "Team" in.',
    });
  });

  it("or makes the bot leave it", async () => {
    const ingress = paired();
    const { place, leave } = await asked(ingress);
    expect(await ingress.tap(owner, leave)).toMatchObject({
      type: "answered",
      text: 'Ada made me leave "Team".',
      leaves: place,
    });
    expect((await ingress.deps.audit.newest({}, 1)).records).toMatchObject([
      { action: "role-set", target: place, outcome: "left" },
    ]);
  });

  it("offers to leave only where the bot that was added shows it; elsewhere to be quiet", async () => {
    const ingress = paired();
    const dan = newPerson({ id: "discord:77001", name: "Dan" });
    const server = { ...groupPlace(dan), guild: "4711" };
    await ingress.people.setDirectChat("telegram:77", owner.person.id, owner.chat);
    await createConnectedBots(store).note(["telegram:77"]);
    await createAccept(ingress.deps)({
      type: "join",
      id: "j1",
      person: dan,
      address: server.address,
      guild: server.guild,
      direct: false,
      atMs: 1,
      title: "Team",
    });
    const [card] = await ingress.outbox(owner.chat);
    expect(buttonsOf(card).map(({ label }) => label)).toEqual(["Allow", "Stay quiet"]);
    const quiet = buttonsOf(card)[1]?.data ?? "";
    const outcome = await ingress.tap(owner, quiet);
    expect(outcome).toMatchObject({ text: 'Ada wants me to stay quiet in "Team".' });
    expect(outcome).not.toHaveProperty("leaves");
    expect(await ingress.access.roleOf(dan, server)).toBe("banned");
  });

  it("of an earlier version doesn't say on another platform that the bot left", async () => {
    const outcome = await paired().tap(owner, "gl:j1:discord:guild:4711");
    expect(textOf(outcome)).toContain("stay quiet");
    expect(outcome).not.toHaveProperty("leaves");
  });

  it("is decided once: a second admin reads who did it", async () => {
    const ingress = paired();
    const second = directPlace(newPerson({ name: "Eve" }));
    await ingress.access.setRole(second.person, "admin");
    const { group, place, allow, leave } = await asked(ingress);
    const outcomes = await Promise.all([ingress.tap(owner, allow), ingress.tap(second, leave)]);
    const [first, other] = outcomes.toSorted((outcome) => (outcome.type === "answered" ? -1 : 1));
    expect(other).toMatchObject({
      type: "refused",
      text: `This is already decided. ${first && textOf(first)}`,
      isStale: true,
    });
    const isIn = textOf(first ?? { type: "ignored" }).includes("let");
    expect(await ingress.access.ruleOf(place as never)).toBe(isIn ? "allow" : undefined);
    expect(await ingress.outbox(group.chat)).toHaveLength(1);
  });

  it("ends an earlier permission when the bot leaves", async () => {
    const ingress = paired();
    const { place, leave } = await asked(ingress);
    await ingress.access.setRule(place as never, "allow");
    await ingress.tap(owner, leave);
    expect(await paired().access.ruleOf(place as never)).toBeUndefined();
  });

  it("is for admins, and no other place than one is taken from it", async () => {
    const ingress = paired();
    const { group, place, allow, leave } = await asked(ingress);
    const member = directPlace();
    await ingress.access.setRole(member.person, "member");
    for (const data of [allow, leave])
      for (const at of [member, directPlace(), { ...group, person: newPerson() }])
        expect(await ingress.tap(at, data)).toMatchObject({ type: "refused" });
    for (const data of ["ga:", "ga:j1", "gl:j1:telegram:5", "gl:j1:telegram:chat:5", "ga::x"])
      expect(await ingress.tap(owner, data)).toMatchObject({ type: "refused" });
    expect(await ingress.access.ruleOf(place as never)).toBeUndefined();
  });
});
