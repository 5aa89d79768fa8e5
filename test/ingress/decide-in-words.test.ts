import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { shortApprovalId, type Approval } from "../../src/core/approval.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { cardsIn } from "./cards-in.ts";
import { approvalKey, chatKeys } from "../../src/store/keys.ts";
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

/**
 * Cards that wait in a place, as many as there are numbers, each asking for as many calls, with
 * these messages' ids.
 */
const asked = (at: Place, ...sizes: readonly number[]) =>
  cardsIn(
    { ingress, store, turns },
    at,
    sizes.map((length) => Array.from({ length }, () => ({}))),
  );

const statuses = async (card: readonly Approval[] | undefined) =>
  await Promise.all((card ?? []).map(async ({ id }) => (await approvals.find(id))?.status));

const shortId = (card: readonly Approval[] | undefined): string =>
  card?.[0]?.id.split(/-(.*)/s)[1]?.slice(0, 6) ?? "";

it("a decision in words is reported, to a person who writes faster than they may, too", async () => {
  for (const alone of [true, false]) {
    const at = directPlace();
    const [card] = await asked(at, 1);
    for (let said = 0; said < 61; said += 1) await ingress.command(at, "nonsense");
    const more = alone ? { messageId: "901" } : { replyToId: "900" };
    expect(textOf(await ingress.say(at, "yes", more))).toBe("Approved.");
    expect(await statuses(card)).toEqual(["approved"]);
    expect(await ingress.say(at, "no", more)).not.toHaveProperty("text");
  }
});

it("the first of two decisions in words is reported in the same way", async () => {
  const at = groupPlace();
  const admins = [groupPlace(newPerson(), at), groupPlace(newPerson(), at)];
  for (const each of admins) await ingress.access.setRole(each.person, "member");
  const [[call] = []] = await cardsIn({ ingress, store, turns }, at, [
    [{ approvers: "members", persons: 2, v: 2 }],
  ]);
  const [first = at] = admins;
  for (let said = 0; said < 17; said += 1) await ingress.command(first, "nonsense");
  expect(textOf(await ingress.say(first, "yes", { replyToId: "900" }))).toMatch(/1 of 2/);
  expect((await approvals.find(call?.id ?? ""))?.approvedFirst?.id).toBe(first.person.id);
});

describe("/approve and /deny", () => {
  it("decide what waits, and wake its chat", async () => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    ingress.wakes.length = 0;
    const said = await ingress.command(at, "approve");
    expect(textOf(said)).toBe("Approved.");
    expect(await statuses(card)).toEqual(["approved"]);
    expect(ingress.wakes).toContain(`turn ${at.chat}`);
    expect(ingress.wakes).toContain(`delivery ${at.chat}`);
    expect(textOf(await ingress.command(at, "approve"))).toContain("Nothing is waiting");
  });

  it("decide all of a card, or one call of it", async () => {
    const at = groupPlace();
    const [card, other] = await asked(at, 3, 1);
    const approve = (argument: string) => ingress.command(at, "approve", { argument }).then(textOf);
    expect(await approve("")).toContain("Several actions");
    expect(await approve(`${shortId(card)}.2`)).toBe("Approved.");
    expect(await statuses(card)).toEqual(["pending", "approved", "pending"]);
    expect(await approve(shortId(card))).toBe(
      `Approved: 2 of 3.\n2: This is already approved by ${at.person.name}.`,
    );
    expect(await statuses(card)).toEqual(["approved", "approved", "approved"]);
    expect(await approve("no-such-id")).toMatch(/^There's no pending approval "no-such-id"/);
    expect(await statuses(other)).toEqual(["pending"]);
    expect(await approve(other?.[0]?.id ?? "")).toBe("Approved.");
    expect(await approve(other?.[0]?.id ?? "")).toContain("already approved by");
  });

  it.each(["approve", "deny"])(
    "name a call by its number behind the id alike: /%s",
    async (name) => {
      const at = directPlace();
      const [card] = await asked(at, 3);
      const run = (argument: string) => ingress.command(at, name, { argument }).then(textOf);
      const refused = /^That card has no action/;
      expect(await run(`${shortId(card)} 4`)).toMatch(refused);
      expect(await run(`${shortId(card)} 1,4`)).toMatch(refused);
      expect(await run(`${shortId(card)} 1 and 4`)).toMatch(refused);
      expect(await run(`${shortId(card)}.9`)).toMatch(refused);
      expect(await run("7")).toMatch(refused);
      expect(await statuses(card)).toEqual(["pending", "pending", "pending"]);
      await run(`${shortId(card)} 2`);
      const done = name === "approve" ? "approved" : "denied";
      expect(await statuses(card)).toEqual(["pending", done, "pending"]);
      await run("3");
      expect(await statuses(card)).toEqual(["pending", done, done]);
    },
  );

  it.each([
    ["approve", "approved", "Approved: 2 of 3."],
    ["deny", "denied", "Denied: 2 of 3."],
  ])("decide several calls that numbers name, and nothing else: /%s", async (name, done, said) => {
    const at = directPlace();
    const [card] = await asked(at, 3);
    const run = (argument: string) => ingress.command(at, name, { argument }).then(textOf);
    expect(await run(`${shortId(card)} 1 and 3`)).toBe(said);
    expect(await statuses(card)).toEqual([done, "pending", done]);
    expect(await run("2, 3")).toBe(
      `${said.replace("2", "1")}\n3: This is already ${done} by ${at.person.name}.`,
    );
    for (const { id } of card ?? []) expect((await approvals.find(id))?.reason).toBeUndefined();
  });

  it("allow no several calls for a while, and change none", async () => {
    const at = directPlace();
    const [card] = await asked(at, 3);
    for (const [name, argument] of [
      ["approve", `${shortId(card)} 1 and 2 always 1h`],
      ["edit", "1,2 note=x"],
    ] as const)
      await ingress.command(at, name, { argument });
    expect(await statuses(card)).toEqual(["pending", "pending", "pending"]);
  });

  it("refuse a call's number on a card of one call", async () => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    for (const argument of [`${shortId(card)} 2`, "2", `${card?.[0]?.id} 2`])
      for (const name of ["approve", "deny"])
        expect(textOf(await ingress.command(at, name, { argument }))).toMatch(
          /^That card has no action .* <id> 1\. /,
        );
    expect(await statuses(card)).toEqual(["pending"]);
  });

  it("deny no other card than the one that an id names", async () => {
    const [gone] = await asked(directPlace(), 1);
    const at = directPlace();
    const [card] = await asked(at, 1);
    const id = gone?.[0]?.id ?? "";
    for (const argument of ["q7Rz-k", "aBcdef.2", "ABcDEF too dear"])
      expect(textOf(await ingress.command(at, "deny", { argument }))).toMatch(
        /^There's no pending approval /,
      );
    for (const argument of [`${id} 2`, `${id}.2`, `${id} 1 and 2`])
      expect(textOf(await ingress.command(at, "deny", { argument }))).toMatch(
        /^There's no pending approval "s\d+-/,
      );
    const options = { id: "nothing", reason: "too dear" };
    const filled = { argument: "", options, answersItself: true } as const;
    expect(textOf(await ingress.command(at, "deny", filled))).toBe(
      `There's no pending approval "nothing" here. See /approvals.`,
    );
    expect(await statuses(card)).toEqual(["pending"]);
  });

  it("read Discord's fields alike", async () => {
    const at = directPlace();
    const [card] = await asked(at, 3);
    const id = shortId(card);
    const deny = (options: Record<string, string>) =>
      ingress.command(at, "deny", {
        argument: "",
        options,
        answersItself: true,
      });
    await deny({ id, reason: "2" });
    expect(await statuses(card)).toEqual(["pending", "denied", "pending"]);
    await deny({ id: `${id} 1`, reason: "2 of these are wrong" });
    const views = await Promise.all((card ?? []).map(({ id }) => approvals.find(id)));
    expect(views.map((view) => view?.reason)).toEqual([
      "2 of these are wrong",
      undefined,
      undefined,
    ]);
  });

  it("deny with a reason, with and without an id", async () => {
    const at = directPlace();
    const [card] = await asked(at, 2);
    const deny = (argument: string) => ingress.command(at, "deny", { argument }).then(textOf);
    expect(await deny(`${shortId(card)} 1 far too dear`)).toBe("Denied.");
    expect(await deny("not today, please")).toMatch(/^Denied: 1 of 2\./);
    const views = await Promise.all((card ?? []).map(({ id }) => approvals.find(id)));
    expect(views.map((view) => [view?.status, view?.reason])).toEqual([
      ["denied", "far too dear"],
      ["denied", "not today, please"],
    ]);
  });

  it("take Discord's options as they are", async () => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    await ingress.command(at, "deny", {
      argument: "because",
      options: { reason: "because" },
      answersItself: true,
    });
    expect(await approvals.find(card?.[0]?.id ?? "")).toMatchObject({
      status: "denied",
      reason: "because",
    });
  });

  it("refuse who has no say, and what is of another chat", async () => {
    const ann = groupPlace();
    const ben = groupPlace(newPerson(), ann);
    const [card] = await asked(ann, 1);
    const id = card?.[0]?.id ?? "";
    expect(textOf(await ingress.command(ben, "approve", { argument: id }))).toMatch(
      /\bonly\b|not allowed/i,
    );
    expect(textOf(await ingress.command(directPlace(), "approve", { argument: id }))).toMatch(
      /another chat/,
    );
    expect(await statuses(card)).toEqual(["pending"]);
  });

  it("are carried out once, however often they are delivered", async () => {
    const at = directPlace();
    await asked(at, 1);
    const again = { id: "e1", argument: "all" };
    expect(textOf(await ingress.command(at, "deny", again))).toBe("Denied.");
    expect((await ingress.command(at, "deny", again)).type).toBe("duplicate");
  });
});

describe("an answer to a card", () => {
  it("of yes approves all of it, in a direct chat and in a group", async () => {
    for (const at of [directPlace(), groupPlace()]) {
      const [card, other] = await asked(at, 2, 1);
      const said = await ingress.say(at, "Yes!", { replyToId: "900" });
      expect(textOf(said)).toBe("Approved: 2 of 2.");
      expect(await statuses(card)).toEqual(["approved", "approved"]);
      expect(await statuses(other)).toEqual(["pending"]);
      expect(await ingress.waiting(at.chat)).toEqual([]);
      expect(await ingress.told(at.chat)).toContain("Approved: 2 of 2.");
    }
  });

  it("waits for the number of a card that is being shown", async () => {
    const at = groupPlace();
    const [card] = await asked(at, 1);
    const key = approvalKey(card?.[0]?.id ?? "");
    await store.redis.hdel(key, "card");
    const saying = ingress.say(at, "yes", { replyToId: "900" });
    await sleep(50);
    await store.redis.hset(key, "card", "900");
    expect(textOf(await saying)).toBe("Approved.");
    expect(await ingress.waiting(at.chat)).toEqual([]);
  });

  it("is a message at once if it answers one older than a stored card", async () => {
    const at = groupPlace();
    const [, other] = await asked(at, 1, 1);
    await store.redis.hdel(approvalKey(other?.[0]?.id ?? ""), "card");
    const reads = async () =>
      Number(/total_commands_processed:(\d+)/.exec(await store.redis.info("stats"))?.[1]);
    const before = await reads();
    await ingress.say(at, "yes", { replyToId: "899" });
    // Without a wait 39; a wait is two dozen looks of several commands each.
    expect((await reads()) - before).toBeLessThan(75);
    expect(await ingress.waiting(at.chat)).toHaveLength(1);
  });

  it("reads a number behind a comma as a call's, never as a reason", async () => {
    const at = directPlace();
    const [card] = await asked(at, 3);
    await ingress.say(at, "no, 2", { replyToId: "900" });
    expect(await statuses(card)).toEqual(["pending", "denied", "pending"]);
    await ingress.say(at, "yes, 3", { replyToId: "900" });
    expect(await statuses(card)).toEqual(["pending", "denied", "approved"]);
  });

  it.each([
    ["no 1 and 2", "denied"],
    ["да, 1 и 2", "approved"],
  ])("decides several calls that it names: %s", async (text, done) => {
    for (const how of [{ replyToId: "900" }, { messageId: "950" }]) {
      const at = directPlace();
      const [card] = await asked(at, 3);
      await ingress.say(at, text, how);
      expect(await statuses(card)).toEqual([done, done, "pending"]);
      expect((await approvals.find(card?.[0]?.id ?? ""))?.reason).toBe(undefined);
      expect(await ingress.waiting(at.chat)).toEqual([]);
    }
  });

  it("may name a call, and say why not", async () => {
    const at = directPlace();
    const [card] = await asked(at, 2);
    await ingress.say(at, "no 2, too dear", { replyToId: "900" });
    expect(await statuses(card)).toEqual(["pending", "denied"]);
    expect(await approvals.find(card?.[1]?.id ?? "")).toMatchObject({
      reason: "too dear",
    });
  });

  it("that changes an argument says how to name a call, where the card has two", async () => {
    const at = directPlace();
    const [card] = await asked(at, 2);
    const said = await ingress.say(at, "note=x", { replyToId: "900" });
    const id = shortApprovalId(card?.[0]?.id ?? "");
    expect(textOf(said)).toContain(`/edit ${id}.1 name=value`);
    expect(await statuses(card)).toEqual(["pending", "pending"]);
    expect(await ingress.waiting(at.chat)).toEqual([]);
  });

  it("of someone without a say changes nothing and is no message", async () => {
    const ann = groupPlace();
    const [card] = await asked(ann, 1);
    const ben = groupPlace(newPerson(), ann);
    const said = await ingress.say(ben, "yes", { replyToId: "900" });
    expect(textOf(said)).toMatch(/\bonly\b|not allowed/i);
    expect(await statuses(card)).toEqual(["pending"]);
    expect(await ingress.waiting(ann.chat)).toEqual([]);
  });

  it("that is delivered again is no message", async () => {
    const at = directPlace();
    await asked(at, 1);
    const again = { id: "r1", replyToId: "900" };
    await ingress.say(at, "ok", again);
    expect((await ingress.say(at, "ok", again)).type).toBe("duplicate");
    expect(await ingress.waiting(at.chat)).toEqual([]);
  });

  it("that says more, or answers something else, is a message", async () => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    await ingress.say(at, "yes, but cheaper", { replyToId: "900" });
    await ingress.say(at, "yes", { replyToId: "899" });
    // It stands above the card.
    await ingress.say(at, "yes", { messageId: "850" });
    expect(await ingress.waiting(at.chat)).toHaveLength(3);
    expect(await statuses(card)).toEqual(["pending"]);
  });
});

describe("a yes by itself", () => {
  /** The platform's number of a message that stands below all cards of `asked`. */
  const below = { messageId: "950" };

  it.each(["yes", "OK!", "ja", "👍🏽", "да", "好的。"])(
    "decides the only card of a direct chat: %s",
    async (text) => {
      const at = directPlace();
      const [card] = await asked(at, 2);
      const said = await ingress.say(at, text, below);
      expect(textOf(said)).toBe("Approved: 2 of 2.");
      expect(await statuses(card)).toEqual(["approved", "approved"]);
      expect(await ingress.waiting(at.chat)).toEqual([]);
    },
  );

  it.each(["no", "Nein, danke", "👎"])("and so does a no: %s", async (text) => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    expect(textOf(await ingress.say(at, text, below))).toBe("Denied.");
    expect(await statuses(card)).toEqual(["denied"]);
  });

  it("may name a call", async () => {
    const at = directPlace();
    const [card] = await asked(at, 2);
    await ingress.say(at, "yes 2", below);
    expect(await statuses(card)).toEqual(["pending", "approved"]);
  });

  it("decides none of several cards, and supersedes nothing", async () => {
    const at = directPlace();
    const cards = await asked(at, 1, 2);
    const said = textOf(await ingress.say(at, "yes", below));
    expect(said).toMatch(/Reply to the card, tap .*\/approve <id>/);
    expect(await ingress.waiting(at.chat)).toEqual([]);
    for (const card of cards) expect(new Set(await statuses(card))).toEqual(new Set(["pending"]));
  });

  it("decides no card where the bot has asked something else since", async () => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    await store.redis.hset(chatKeys(at.chat).state, "out:asked", "940");
    expect(textOf(await ingress.say(at, "yes", below))).toMatch(/not sure/);
    expect(await statuses(card)).toEqual(["pending"]);
    await store.redis.hset(chatKeys(at.chat).state, "out:asked", "890");
    await ingress.say(at, "yes", below);
    expect(await statuses(card)).toEqual(["approved"]);
  });

  it.each([
    ["stands above the card", "yes", { messageId: "899" }],
    ["answers another message", "yes", { ...below, replyToId: "899" }],
    ["answers what somebody else said", "yes", { ...below, quote: { text: "Shall we?" } }],
    ["says more", "yes, but cheaper", below],
    ["says no and what instead", "no, take the train", below],
    ["was forwarded", "yes", { ...below, isForwarded: true }],
    ["was forwarded to the card", "yes", { replyToId: "900", isForwarded: true }],
  ] as const)("is a message where it %s", async (_, text, more) => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    await ingress.say(at, text, more);
    expect(await ingress.waiting(at.chat)).toHaveLength(1);
    expect(await statuses(card)).toEqual(["pending"]);
  });

  it("is a message in a group", async () => {
    const at = groupPlace();
    const [card] = await asked(at, 1);
    await ingress.say(at, "yes", below);
    expect(await ingress.waiting(at.chat)).toHaveLength(1);
    expect(await statuses(card)).toEqual(["pending"]);
  });

  it("of who has no say is refused", async () => {
    const at = directPlace();
    const [[card] = []] = await cardsIn({ ingress, store, turns }, at, [[{ approvers: "owners" }]]);
    expect(textOf(await ingress.say(at, "yes", below))).toMatch(/\bonly\b|not allowed/i);
    expect(await statuses(card && [card])).toEqual(["pending"]);
  });

  it("waits for the number of a card that is being shown", async () => {
    const at = directPlace();
    const [card] = await asked(at, 1);
    const key = approvalKey(card?.[0]?.id ?? "");
    await store.redis.hdel(key, "card");
    const saying = ingress.say(at, "yes", below);
    // Later than the first look. Were it earlier, the answer would be the same.
    await sleep(50);
    await store.redis.hset(key, "card", "900");
    expect(textOf(await saying)).toBe("Approved.");
  });

  it("says that a card was decided a moment ago, or has expired", async () => {
    const at = directPlace();
    await asked(at, 1);
    await ingress.command(at, "deny");
    for (const more of [below, { replyToId: "900" }])
      expect(textOf(await ingress.say(at, "yes", more))).toMatch(/already denied by/);
    const late = directPlace();
    const [card] = await asked(late, 1);
    const key = approvalKey(card?.[0]?.id ?? "");
    await store.redis.hset(key, "expiresAt", 1);
    expect(textOf(await ingress.say(late, "yes", below))).toBe("This has expired.");
    expect(textOf(await ingress.say(late, "yes", below))).toMatch(/expired/);
    expect(await statuses(card)).toEqual(["expired"]);
  });
});
