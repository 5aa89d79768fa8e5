import { beforeEach, describe, expect, it } from "vitest";
import type { LimitRule, LimitScope } from "../../src/core/limits.ts";
import { createLimitCounters } from "../../src/store/limits/limit-counters.ts";
import { chatKeys, limitsKey } from "../../src/store/keys.ts";
import { earlyInAMinute, storeOn, uniqueId } from "../store/support.ts";
import { recordedMetrics } from "../support/monitoring/recorded-metrics.ts";
import { countLeftOut } from "../../src/store/turns/left-out.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  directPlace,
  groupPlace,
  newPerson,
  openIngress,
  textOf,
  type Place,
} from "./open-ingress.ts";

const store = storeOn(await testDatabase());

const perMinute = (scope: LimitScope, max: number): LimitRule => ({
  scope,
  limit: { metric: "messages", per: "minute", max },
});
const eachPerson = (max: number) => perMinute({ kind: "person" }, max);

const limited = (...file: readonly LimitRule[]) =>
  openIngress(store, { admins: ["telegram:1"] }, file);

const counted = async (ingress: ReturnType<typeof limited>, at: Place) =>
  (await ingress.deps.limitService.usage(at)).day.messages;

const later = (sentAtMs: number) => ({ atMs: Date.now() + sentAtMs, sentAtMs });

beforeEach(async () => {
  await store.redis.flushdb();
  await earlyInAMinute();
});

describe("a message over a limit", () => {
  it("is not kept, and one notice per window says the limit, its use and its end", async () => {
    const ingress = limited(eachPerson(2));
    const at = directPlace();
    await ingress.say(at, "one");
    await ingress.say(at, "two");
    ingress.wakes.length = 0;
    const refused = await ingress.say(at, "three");
    expect(refused.type).toBe("refused");
    // A reaction says the same of the next ones, but not of a flood.
    for (let more = 0; more < 20; more += 1)
      expect(await ingress.say(at, "more")).toEqual({
        type: "refused",
        ...(more < 5 ? { isMarked: true } : {}),
      });
    const [notice, edit, ...others] = await ingress.outbox(at.chat);
    expect(notice).toMatchObject({
      text: expect.stringMatching(
        /^You've reached your limit of 2 messages a minute\. It resets in \d+ seconds? \(\d\d:\d\d UTC\)\. Please send this again then\.$/,
      ) as string,
    });
    // The notice counts them all, whether they got a reaction or not.
    expect(others).toEqual([]);
    if (edit?.kind !== "resolution") throw new Error("the notice is not edited");
    expect(edit.leftOut?.text).toMatch(/^You've reached your limit of 2 messages a minute\. /);
    expect(await countLeftOut(store, edit.leftOut?.of ?? "", { id: "edit", wasSent: true })).toBe(
      21,
    );
    expect(await ingress.waiting(at.chat)).toHaveLength(2);
    expect(ingress.wakes.filter((wake) => wake.startsWith("turn"))).toEqual([]);
    expect(await counted(ingress, at)).toBe(2);
  });

  it("cannot be had as a command that has the model asked: that counts, too", async () => {
    const ingress = limited(eachPerson(3));
    const at = directPlace();
    await ingress.say(at, "one");
    const retry = await ingress.command(at, "retry");
    expect(retry.type).toBe("answered");
    const auto = await ingress.command(at, "auto", { argument: "tell 1" });
    expect(auto.type).toBe("answered");
    expect(await counted(ingress, at)).toBe(3);
    const before = await ingress.waiting(at.chat);
    for (const [name, argument, said] of [
      ["auto", "tell 1", /limit of 3 messages a minute/],
      ["retry", "", /^You're still at this limit\. It resets in /],
    ] as const) {
      const refused = await ingress.command(at, name, {
        argument,
        answersItself: true,
      });
      expect(refused.type).toBe("refused");
      expect(textOf(refused)).toMatch(said);
    }
    expect(await ingress.waiting(at.chat)).toEqual(before);
    expect((await ingress.command(at, "status")).type).toBe("answered");
    expect(await counted(ingress, at)).toBe(3);
  });

  it("is counted of such a command where nothing limits it, once", async () => {
    const ingress = limited();
    const at = directPlace();
    const id = uniqueId();
    for (let times = 0; times < 2; times += 1)
      await ingress.command(at, "auto", { argument: "tell 1", id });
    await ingress.command(at, "status");
    expect(await counted(ingress, at)).toBe(1);
  });

  it("is told every time to a person who waits for an answer", async () => {
    const ingress = limited(eachPerson(0));
    const at = directPlace();
    for (let times = 0; times < 2; times += 1) {
      const refused = await ingress.say(at, "hello", { answersItself: true });
      expect(textOf(refused)).toMatch(/limit.*resets/);
    }
    expect(await ingress.told(at.chat)).toEqual([]);
  });

  it("is told below itself in a group, to each person once", async () => {
    const ingress = limited(eachPerson(0));
    const one = groupPlace();
    const other = groupPlace(newPerson(), one);
    await ingress.say(one, "hello", { messageId: "71" });
    await ingress.say(other, "hello", { messageId: "72" });
    await ingress.say(other, "hello", { messageId: "73", id: "third" });
    expect(await ingress.outbox(one.chat)).toMatchObject([
      { kind: "notice", replyTo: "71" },
      { kind: "notice", replyTo: "72" },
      { kind: "resolution", id: "left-third", person: other.person.id },
    ]);
  });

  it("is told to a person in one of their chats", async () => {
    const ingress = limited(eachPerson(0));
    const person = newPerson();
    const places = [directPlace(person), groupPlace(person), groupPlace(person)];
    for (const at of places) await ingress.say(at, "hello");
    const told = await Promise.all(places.map(({ chat }) => ingress.told(chat)));
    expect(told.map((texts) => texts.length)).toEqual([1, 0, 0]);
    // In another chat reactions say it, and a line once there were enough of them.
    const [, elsewhere] = places as [Place, Place];
    for (let more = 0; more < 10; more += 1) await ingress.say(elsewhere, "hello");
    const [line, edit] = await ingress.outbox(elsewhere.chat);
    expect(line).toMatchObject({
      text: expect.stringMatching(
        /^You've reached your limit .*\nNot taken, from this one on: \d messages\.$/,
      ) as string,
    });
    const of = edit?.kind === "resolution" ? edit.leftOut?.of : undefined;
    expect(await countLeftOut(store, of ?? "", { id: "edit", wasSent: true })).toBe(11);
  });

  it("is also one for which no tokens are left, but not one for which others have only reserved them", async () => {
    const ingress = limited({
      scope: { kind: "global" },
      limit: { metric: "tokens", per: "day", max: 100 },
    });
    const at = directPlace();
    const counters = createLimitCounters(store);
    const spent = { tokens: 100, costUsd: 0 };
    const counting = {
      names: {
        person: at.person.id,
        chat: at.chat,
        platform: "telegram",
        global: "all",
      },
      version: "0",
      caps: [],
    };
    await counters.reserve("c1", spent, counting);
    expect((await ingress.say(at, "one")).type).toBe("queued");
    await counters.settle("c1", spent, counting);
    expect(textOf(await ingress.say(at, "two"))).toMatch(
      /^The limit of 100 tokens a day \(for everyone together\) has been reached\. It resets /,
    );
    expect(await ingress.say(at, "three")).toEqual({ type: "refused", isMarked: true });
    expect(await counted(ingress, at)).toBe(1);
  });

  it("of the whole chat is told once for all, also in its topics", async () => {
    const ingress = limited(perMinute({ kind: "chat" }, 1));
    const group = groupPlace();
    const topic = groupPlace(newPerson(), {
      ...group,
      address: { ...group.address, thread: "7" },
      chat: `${group.chat}:7` as Place["chat"],
    });
    expect((await ingress.say(group, "hello")).type).toBe("queued");
    expect((await ingress.say(topic, "hello")).type).toBe("refused");
    expect(await ingress.say(group, "hello")).toEqual({ type: "refused", isMarked: true });
    expect(await ingress.told(topic.chat)).toEqual([expect.stringContaining("(for this chat)")]);
    expect(await ingress.told(group.chat)).toEqual([]);
  });

  it("is told in the person's language", async () => {
    const ingress = limited(eachPerson(0));
    const at = directPlace(newPerson({ language: "de" }));
    expect(textOf(await ingress.say(at, "hallo"))).toMatch(
      /^Du hast dein Limit von .* erreicht\. .* Bitte schick das dann noch einmal\.$/,
    );
  });

  it("of a group that talks among itself is passed over in silence", async () => {
    const ingress = limited(eachPerson(0));
    const at = groupPlace();
    await ingress.deps.settings.set(at.chat, "activation", "always");
    const said = await ingress.say(at, "hello", { isAddressed: false });
    expect(said).toEqual({ type: "ignored" });
    expect(await ingress.told(at.chat)).toEqual([]);
    await ingress.say(at, "hello, bot");
    expect(await ingress.told(at.chat)).toHaveLength(1);
  });
});

describe("what is counted", () => {
  it("is a message once, though it is delivered again", async () => {
    for (const ingress of [limited(), limited(eachPerson(5))]) {
      const at = directPlace();
      for (let times = 0; times < 3; times += 1) await ingress.say(at, "hello", { id: "m1" });
      expect(await counted(ingress, at)).toBe(1);
    }
  });

  it("that came in at the limit and is delivered again later is known", async () => {
    const ingress = limited(eachPerson(1));
    const at = directPlace();
    await ingress.say(at, "hello", { id: "m1" });
    // An hour later, with all else used up again.
    await store.redis.del(limitsKey(`message:${at.chat}:m1`));
    expect(await ingress.say(at, "hello", { id: "m1" })).toEqual({
      type: "duplicate",
    });
    expect(await ingress.told(at.chat)).toEqual([]);
  });

  it("is a gesture as one message: an album, a split text, a comment with its forwards", async () => {
    const ingress = limited(eachPerson(3));
    const at = directPlace();
    for (const id of ["a1", "a2", "a3"]) await ingress.say(at, "picture", { id, burst: "1377" });
    expect(await counted(ingress, at)).toBe(1);
    for (const id of ["p1", "p2"]) await ingress.say(at, "x".repeat(4_000), { id, burst: "paste" });
    expect(await counted(ingress, at)).toBe(1);
    await ingress.say(at, "is that true?", { id: "c1", ...later(60_000) });
    for (const id of ["f1", "f2"])
      await ingress.say(at, "the moon", { id, isForwarded: true, ...later(61_000) });
    expect(await counted(ingress, at)).toBe(2);
    await ingress.say(at, "the sun", { id: "f3", isForwarded: true, ...later(64_000) });
    expect(await counted(ingress, at)).toBe(3);
    for (const id of ["b1", "b2"])
      expect((await ingress.say(at, "picture", { id, burst: "1378", ...later(90_000) })).type).toBe(
        "refused",
      );
    expect(await ingress.told(at.chat)).toHaveLength(1);
  });

  it("is neither a command nor a message that is refused for itself", async () => {
    const ingress = limited(eachPerson(1));
    const at = directPlace();
    await ingress.command(at, "help");
    await ingress.command(at, "nonsense");
    await ingress.say(at, "  ");
    await ingress.say(at, "x".repeat(50_001));
    expect(await counted(ingress, at)).toBe(0);
    expect((await ingress.say(at, "hello")).type).toBe("queued");
  });

  it("is no one who may not talk", async () => {
    const ingress = openIngress(store, { mode: "allowlist" }, [eachPerson(5)]);
    const at = directPlace();
    await ingress.say(at, "hello");
    expect(await counted(ingress, at)).toBe(0);
  });

  it("goes by the role where it has a limit", async () => {
    const ingress = limited(eachPerson(5), perMinute({ kind: "role", role: "guest" }, 1));
    const guest = directPlace();
    await ingress.access.setRole(guest.person, "guest");
    await ingress.say(guest, "one");
    expect(textOf(await ingress.say(guest, "two"))).toContain("(for you, as a guest)");
    const member = directPlace();
    await ingress.say(member, "one");
    expect((await ingress.say(member, "two")).type).toBe("queued");
  });
});

describe("where no message limit holds", () => {
  it("a message is kept first and counted then", async () => {
    const order: string[] = [];
    const ingress = limited({
      scope: { kind: "global" },
      limit: { metric: "cost", per: "day", max: 5 },
    });
    const { inbox } = ingress.deps;
    const { messageLimits } = ingress.deps;
    const spied = {
      ...ingress.deps,
      messageLimits: {
        ...messageLimits,
        countUnlimited(...given: Parameters<typeof messageLimits.countUnlimited>) {
          order.push("count");
          messageLimits.countUnlimited(...given);
        },
      },
    };
    const append = inbox.append.bind(inbox);
    const { createAccept } = await import("../../src/ingress/create-accept.ts");
    const accept = createAccept({
      ...spied,
      inbox: {
        ...inbox,
        append(...given) {
          order.push("append");
          return append(...given);
        },
      },
    });
    const at = directPlace();
    await accept({
      type: "message",
      id: uniqueId(),
      person: at.person,
      address: at.address,
      direct: true,
      atMs: 1,
      text: "hello",
    });
    expect(order).toEqual(["append", "count"]);
    expect(await store.redis.llen(chatKeys(at.chat).inbox)).toBe(1);
    expect(await counted(ingress, at)).toBe(1);
  });
});

it("counts every message that a limit refuses, by what it limits", async () => {
  const { metrics, counted: refusals } = recordedMetrics();
  const ingress = limited(eachPerson(1));
  Object.assign(ingress.deps, { metrics });
  const at = directPlace();
  for (const text of ["one", "two", "three"]) await ingress.say(at, text);
  expect(refusals).toEqual([
    ["limitRefused", "messages"],
    ["limitRefused", "messages"],
  ]);
});
