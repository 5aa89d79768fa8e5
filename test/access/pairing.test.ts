import { beforeEach, describe, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { configKey } from "../../src/store/keys.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "../ingress/open-ingress.ts";
import { ScriptedSender } from "../delivery/scripted-sender.ts";
import { deliverAll, deliveryDeps } from "../delivery/support.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { dump, leaseMs, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const admin = directPlace(newPerson({ name: "Ada" }));
const second = directPlace(newPerson({ name: "Bob" }));
const ingress = openIngress(store, {
  mode: "pairing",
  admins: [admin.person.id, second.person.id, "discord:5"],
});

beforeEach(() => redis.flushdb());

const codeIn = (text: string): string => /\b[A-HJ-NP-Z2-9]{8}\b/.exec(text)?.[0] ?? "";

/** A stranger who has written once, and their code. */
async function stranger(): Promise<{ place: Place; code: string }> {
  const place = directPlace(newPerson({ name: "Sam", username: "sam" }));
  const code = codeIn(textOf(await ingress.say(place, "hello?")));
  expect(code).toHaveLength(8);
  return { place, code };
}

const isAllowed = async (place: Place) =>
  (await openIngress(store, { mode: "pairing" }).access.roleOf(place.person)) === "member";

const buttonsOf = (entry: OutboxEntry | undefined) =>
  entry?.kind === "notice" ? entry.buttons?.map(({ data }) => data) : undefined;

describe("a stranger", () => {
  it("gets no code with /start in a group, nor speaking as a stand-in", async () => {
    const group = groupPlace(newPerson());
    const nobody = directPlace(newPerson({ anonymous: true }));
    for (const at of [group, nobody])
      expect(textOf(await ingress.command(at, "start"))).toMatch(
        /^Sorry, I'm only available to approved people\./,
      );
    expect(await ingress.outbox(admin.chat)).toEqual([]);
    const alone = directPlace(newPerson());
    expect(textOf(await ingress.command(alone, "start"))).toMatch(/Your code, in case they ask: /);
  });

  it("is told a code once per window, and every admin of the platform gets one card", async () => {
    const { place, code } = await stranger();
    expect(await ingress.told(place.chat)).toEqual([
      `Hi! This bot is private. I've asked its admin to let you in. Your code, in case they ask: ${code}`,
    ]);
    for (let again = 0; again < 3; again += 1)
      expect(await ingress.say(place, "hello!")).toEqual({ type: "refused" });
    expect(await ingress.told(place.chat)).toHaveLength(1);
    for (const { chat } of [admin, second]) {
      const cards = await ingress.outbox(chat);
      expect(cards).toHaveLength(1);
      expect(cards[0]).toMatchObject({
        text: expect.stringContaining(`(@sam, Telegram)`) as string,
      });
      expect(buttonsOf(cards[0])).toEqual([`pa:${code}`, `pd:${code}`]);
    }
    expect(await ingress.waiting(place.chat)).toEqual([]);
  });

  it("in a crowd of them gets a code, and admins cards for the first", async () => {
    const crowd: { place: Place; code: string }[] = [];
    for (let each = 0; each < 25; each += 1) crowd.push(await stranger());
    const cards = await ingress.outbox(admin.chat);
    expect(cards.flatMap((card) => buttonsOf(card)?.[0] ?? [])).toEqual(
      crowd.slice(0, 20).map(({ code }) => `pa:${code}`),
    );
    const last = crowd.at(-1);
    if (!last) throw new TypeError("a crowd");
    await ingress.command(admin, "allow", { argument: last.code });
    expect(await isAllowed(last.place)).toBe(true);
  });

  it("keeps the code for as long as it is valid, also when the window is over", async () => {
    const { place, code } = await stranger();
    await redis.del(configKey(`told:refused:${place.chat}:${place.person.id}`));
    expect(codeIn(textOf(await ingress.say(place, "again")))).toBe(code);
    expect(await ingress.outbox(admin.chat)).toHaveLength(1);
    await redis.del(
      configKey(`told:refused:${place.chat}:${place.person.id}`),
      configKey(`pairing:${code}`),
    );
    // A code that no longer works is not told again.
    const newer = codeIn(textOf(await ingress.say(place, "again")));
    expect(newer).not.toBe(code);
    await ingress.command(admin, "allow", { argument: newer });
    expect(await isAllowed(place)).toBe(true);
  });

  it("whose refusal was lost with its process is told when the message comes again", async () => {
    const place = directPlace();
    const event = { id: "m-crashed" };
    // The process died between taking the window and writing the answer.
    await ingress.people.mayNotify(`refused:${place.chat}:${place.person.id}`, event.id, 60_000);
    await ingress.say(place, "hello", event);
    await ingress.say(place, "hello", event);
    await ingress.say(place, "another");
    expect(await ingress.told(place.chat)).toHaveLength(1);
  });

  it("gets no code in a group, as a stand-in, or while banned", async () => {
    const inGroup = groupPlace();
    expect(textOf(await ingress.say(inGroup, "hi"))).toMatch(/with \/allow here\.$/);
    const standIn = directPlace(newPerson({ anonymous: true }));
    expect(codeIn(textOf(await ingress.say(standIn, "hi")))).toBe("");
    const banned = directPlace();
    await ingress.access.setRole(banned.person, "banned");
    expect(codeIn(textOf(await ingress.say(banned, "hi")))).toBe("");
    expect(await ingress.outbox(admin.chat)).toEqual([]);
  });

  it("gets no code where no one pairs", async () => {
    const closed = openIngress(store, { mode: "allowlist" });
    expect(textOf(await closed.say(directPlace(), "hi"))).toBe(
      "Sorry, I'm only available to approved people.",
    );
  });
});

describe("an admin", () => {
  it("lets in by button: the stranger is told, the cards are closed, and the code is spent", async () => {
    const { place, code } = await stranger();
    expect(textOf(await ingress.tap(admin, `pa:${code}`))).toContain("Ada let Sam");
    expect(await isAllowed(place)).toBe(true);
    expect((await ingress.told(place.chat)).at(-1)).toContain("You're in!");
    for (const { chat } of [admin, second])
      expect((await ingress.outbox(chat)).at(-1)).toMatchObject({
        kind: "resolution",
        of: `pairing-${code}`,
      });
    expect(textOf(await ingress.tap(second, `pd:${code}`))).toContain("already");
    expect(await isAllowed(place)).toBe(true);
  });

  it("lets in by typing the code in either case: the cards are closed, and the outcome is said once", async () => {
    const { place, code } = await stranger();
    const outcome = await ingress.command(admin, "allow", { argument: code.toLowerCase() });
    expect(textOf(outcome)).toBe("Ada let Sam (@sam, Telegram) in.");
    const texts = async ({ chat }: Place) =>
      (await ingress.outbox(chat)).map((entry) => "text" in entry && entry.text).slice(1);
    expect(await texts(admin)).toEqual(["✓ Sam (@sam, Telegram)", textOf(outcome)]);
    expect(await texts(second)).toEqual([textOf(outcome)]);
    expect(await isAllowed(place)).toBe(true);
    expect(await ingress.outbox(second.chat)).toMatchObject([
      { id: `pairing-${code}` },
      { kind: "resolution", of: `pairing-${code}` },
    ]);
  });

  it("keeps out: the stranger is banned and told nothing", async () => {
    const { place, code } = await stranger();
    await ingress.tap(admin, `pd:${code}`);
    expect((await ingress.people.profile(place.person.id)).role).toBe("banned");
    expect(await ingress.told(place.chat)).toHaveLength(1);
  });

  it("wins or loses a race against another one, and what is told is what holds", async () => {
    const { place, code } = await stranger();
    const outcomes = await Promise.all([
      ingress.tap(admin, `pa:${code}`),
      ingress.tap(second, `pd:${code}`),
    ]);
    const texts = outcomes.map(textOf);
    const winners = texts.filter((text) => !text.includes("already"));
    expect(winners).toHaveLength(1);
    expect((await ingress.people.profile(place.person.id)).role).toBe(
      winners[0]?.includes(" let ") ? "member" : "banned",
    );
  });

  it("is the only one who decides", async () => {
    const { place, code } = await stranger();
    const member = directPlace();
    await ingress.access.setRole(member.person, "member");
    for (const at of [
      place,
      member,
      directPlace(),
      { ...admin, person: { ...admin.person, anonymous: true } },
    ]) {
      for (const data of [`pa:${code}`, `pd:${code}`])
        expect(textOf(await ingress.tap(at, data))).toMatch(/\bonly\b|not allowed/i);
    }
    expect(await isAllowed(place)).toBe(false);
  });

  it("cannot take an admin's role away by letting them in or keeping them out", async () => {
    const { place, code } = await stranger();
    await ingress.access.setRole(place.person, "admin");
    await ingress.tap(admin, `pd:${code}`);
    expect((await ingress.people.profile(place.person.id)).role).toBe("admin");
    await ingress.command(admin, "allow", { argument: place.person.id });
    expect((await ingress.people.profile(place.person.id)).role).toBe("admin");
  });

  it("reads on the card, too, that nothing was decided about who is an admin by now", async () => {
    const { place, code } = await stranger();
    await ingress.access.setRole(place.person, "admin");
    const said = "Sam (@sam, Telegram) is an admin already.";
    expect(textOf(await ingress.command(admin, "allow", { argument: code }))).toBe(said);
    for (const { chat } of [admin, second])
      expect(await ingress.outbox(chat)).toContainEqual(
        expect.objectContaining({ kind: "resolution", of: `pairing-${code}`, text: said }),
      );
  });

  it("is found where they last wrote to the bot alone", async () => {
    const discordAdmin: Place = {
      ...directPlace(newPerson({ id: "discord:5", name: "Dora" })),
      address: { platform: "discord", bot: "77", chat: "4711" },
      chat: chatKey({ platform: "discord", bot: "77", chat: "4711" }),
    };
    const asking = directPlace(newPerson({ id: "discord:6" }));
    await ingress.say(asking, "let me in");
    expect(await ingress.outbox(discordAdmin.chat)).toEqual([]);
    await ingress.say(discordAdmin, "hello bot");
    await ingress.say(directPlace(newPerson({ id: "discord:7" })), "and me");
    expect(await ingress.outbox(discordAdmin.chat)).toHaveLength(1);
    // An admin elsewhere is told where one of our bots is connected.
    expect(await ingress.outbox(admin.chat)).toEqual([]);
    await createConnectedBots(store).note(["telegram:77"]);
    const later = openIngress(store, { mode: "pairing", admins: [admin.person.id] });
    await later.say(admin, "hello bot");
    await later.say(directPlace(newPerson({ id: "discord:8" })), "and me");
    expect(await ingress.outbox(admin.chat)).toHaveLength(1);
  });

  it("breaks nothing with a code that is none", async () => {
    // Where an admin can be reached is remembered once.
    await ingress.tap(admin, "");
    const before = await dump(redis);
    for (const code of ["", " ", "x".repeat(64), "a}b", "*", "{cfg}", "\n"]) {
      expect(textOf(await ingress.tap(admin, `pa:${code}`))).toContain("don't know this code");
    }
    expect(await dump(redis)).toEqual(before);
  });
});

const fresh = () => openIngress(store, { mode: "pairing" });

describe("the first admin", () => {
  it("is the person who brings the code first, once", async () => {
    const unclaimed = fresh();
    const code = (await unclaimed.people.claimCode()) ?? "";
    expect(await unclaimed.people.claimCode()).toBe(code);
    const places = Array.from({ length: 10 }, () => directPlace());
    await Promise.all(places.map((at) => unclaimed.command(at, "start", { argument: code })));
    expect(await unclaimed.people.withRole("admin")).toHaveLength(1);
    expect(await unclaimed.people.claimCode()).toBeUndefined();
  });

  it("is no one with a wrong code, in a group, or as a stand-in", async () => {
    const unclaimed = fresh();
    const code = (await unclaimed.people.claimCode()) ?? "";
    await unclaimed.command(directPlace(), "start", { argument: "WRONGONE" });
    await unclaimed.command(groupPlace(), "start", { argument: code });
    await unclaimed.command(directPlace(newPerson({ anonymous: true })), "start", {
      argument: code,
    });
    expect(await unclaimed.people.withRole("admin")).toEqual([]);
    const place = directPlace();
    const outcome = await unclaimed.command(place, "start", {
      argument: ` ${code.toLowerCase()} `,
    });
    expect(textOf(outcome)).toBe("");
    expect((await unclaimed.told(place.chat))[0]).toContain("now the owner");
    expect(await unclaimed.people.withRole("admin")).toEqual([place.person.id]);
  });

  it("is no one any more once there is one, whatever old log names a code", async () => {
    const code = (await fresh().people.claimCode()) ?? "";
    const later = openIngress(store, {
      mode: "pairing",
      admins: [admin.person.id],
    });
    const place = directPlace();
    await later.command(place, "start", { argument: code });
    expect(await later.access.roleOf(place.person)).toBe("stranger");

    const stored = fresh();
    await stored.access.setRole(admin.person, "admin");
    await stored.command(place, "start", { argument: code });
    expect(await stored.people.withRole("admin")).toEqual([admin.person.id]);
  });
});

describe("before there is an owner", () => {
  const noOwner = /private.*don't have an owner yet.*open the link in the terminal/;

  it("everyone reads so, by message and by command, and a wrong code says so", async () => {
    const unclaimed = fresh();
    for (const place of [directPlace, groupPlace]) {
      expect(textOf(await unclaimed.say(place(), "hello"))).toMatch(noOwner);
      expect(textOf(await unclaimed.command(place(), "start"))).toMatch(noOwner);
      expect(textOf(await unclaimed.command(place(), "tools"))).toMatch(noOwner);
    }
    const onDiscord = directPlace(newPerson({ id: "discord:9000123" }));
    const said = textOf(await unclaimed.say(onDiscord, "hello"));
    expect(said).toMatch(/don't have an owner yet.*\/start\u2063? code.*in a private message/);
    expect(said).not.toContain("link");
    const wrong = await unclaimed.command(directPlace(), "start", { argument: "WRONGONE" });
    expect(textOf(wrong)).toMatch(/code isn't right/);
    const closed = openIngress(store, { mode: "allowlist" });
    expect(textOf(await closed.say(directPlace(), "hello"))).not.toMatch(noOwner);
  });

  it("shows who wrote to the new owner, once, the first one first, and never themselves", async () => {
    const unclaimed = fresh();
    const code = (await unclaimed.people.claimCode()) ?? "";
    const owner = directPlace(newPerson({ name: "Ada" }));
    const others = ["Sam", "Kim"].map((name) => directPlace(newPerson({ name })));
    for (const at of [...others, owner]) await unclaimed.say(at, "hello");
    await unclaimed.command(owner, "start", { argument: code });
    const entries = await unclaimed.outbox(owner.chat);
    const cards = entries.filter((entry) => buttonsOf(entry));
    const asking = cards.map((entry) => ("text" in entry ? entry.text : ""));
    expect(asking).toEqual([
      expect.stringContaining("Sam") as string,
      expect.stringContaining("Kim") as string,
    ]);
    const [, deny = ""] = buttonsOf(cards[0]) ?? [];
    const [allow = ""] = buttonsOf(cards[1]) ?? [];
    const known = fresh();
    await known.tap(owner, deny);
    await known.tap(owner, allow);
    const [sam, kim] = others.map(({ person }) => person);
    expect(await known.people.withRole("banned")).toEqual([sam?.id]);
    expect(await known.people.withRole("member")).toEqual([kim?.id]);
  });
});

const claimed = async () => {
  const unclaimed = fresh();
  const code = (await unclaimed.people.claimCode()) ?? "";
  const owner = directPlace(newPerson({ name: "Ada" }));
  const others = ["Sam", "Kim"].map((name) => directPlace(newPerson({ name })));
  for (const at of others) await unclaimed.say(at, "hello");
  return {
    unclaimed,
    owner,
    others,
    claim: () => unclaimed.command(owner, "start", { argument: code, id: "claim" }),
  };
};

describe("who wrote before there was an owner", () => {
  it("hears once that the owner has been asked, also when the claim is repeated", async () => {
    const { unclaimed, owner, others, claim } = await claimed();
    await claim();
    await claim();
    for (const { chat } of others) {
      const told = (await unclaimed.told(chat)).filter((text) => text.includes("I've asked them"));
      expect(told).toEqual([expect.stringMatching(/have an owner now.*code.*[A-Z0-9]{8}$/)]);
    }
    expect((await unclaimed.told(owner.chat)).join()).not.toContain("I've asked them");
  });

  it("isn't met with silence: the next message is answered, and the one after it isn't", async () => {
    const { others, claim } = await claimed();
    await claim();
    const known = fresh();
    for (const at of others) {
      expect(textOf(await known.say(at, "are you there?"))).toMatch(/I've asked its admin/);
      expect(await known.say(at, "please")).toEqual({ type: "refused" });
    }
  });
});

it("a new owner reads so before the cards of those who wait, and once", async () => {
  const unclaimed = fresh();
  const code = (await unclaimed.people.claimCode()) ?? "";
  const owner = directPlace();
  await unclaimed.say(directPlace(newPerson({ name: "Sam" })), "hello");
  await unclaimed.command(owner, "start", { argument: code });
  const sender = new ScriptedSender();
  await deliverAll(deliveryDeps(createOutboxStore(store, leaseMs), sender), owner.chat);
  expect(sender.texts).toEqual([
    expect.stringContaining("now the owner"),
    expect.stringContaining("Sam"),
  ]);
});

describe("/pending", () => {
  it("lists who waits, the newest first, with buttons, until it is decided", async () => {
    expect(textOf(await ingress.command(admin, "pending"))).toMatch(/No one/);
    const [one, other] = [await stranger(), await stranger()];
    const listed = await ingress.command(admin, "pending");
    expect(listed).toMatchObject({ isPrivate: true });
    expect(textOf(listed)).toMatch(
      new RegExp(`Sam \\(@sam, Telegram\\): ${other.code}\n.*Sam.*: ${one.code}`),
    );
    const data = listed.type === "answered" ? listed.buttons?.map((each) => each.data) : [];
    expect(data).toEqual([other, one].flatMap(({ code }) => [`pa:${code}`, `pd:${code}`]));
    await ingress.tap(admin, `pa:${one.code}`);
    await ingress.command(admin, "ban", { argument: other.place.person.id });
    expect(textOf(await ingress.command(admin, "pending"))).toMatch(/No one/);
  });

  it("shows ten of many, and says how many more there are", async () => {
    for (let count = 0; count < 12; count += 1) await stranger();
    const listed = await ingress.command(admin, "pending");
    expect(listed.type === "answered" && listed.buttons).toHaveLength(20);
    expect(textOf(listed)).toContain("and 2 more");
  });

  it("is for admins", async () => {
    const member = directPlace();
    await ingress.access.setRole(member.person, "member");
    expect(textOf(await ingress.command(member, "pending"))).toContain("Only admins");
  });
});

describe("what was decided once", () => {
  it("is not decided again by another command with the same code", async () => {
    const { place, code } = await stranger();
    await ingress.command(admin, "allow", { argument: code });
    expect(await isAllowed(place)).toBe(true);
    await ingress.people.setRole(place.person, "banned");
    await ingress.command(admin, "allow", { argument: code });
    expect((await ingress.people.profile(place.person.id)).role).toBe("banned");
  });

  it("leaves a used claim code worthless for everybody else, for ever", async () => {
    const { people } = ingress;
    const code = (await people.claimCode()) ?? "";
    expect(await people.claim(code, "telegram:1")).toBe(true);
    expect(await people.claim(code, "telegram:1")).toBe(true);
    expect(await people.claim(code, "telegram:2")).toBe(false);
    expect(await redis.pttl(configKey(`claimed:${code}`))).toBe(-1);
    const next = await people.claimCode();
    expect(next).not.toBe(code);
    expect(await people.claim(code, "telegram:2")).toBe(false);
    expect(await people.claimCode()).toBe(next);
  });
});
