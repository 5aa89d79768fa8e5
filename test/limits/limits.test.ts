import pino from "pino";
import { beforeEach, describe, expect, it } from "vitest";
import { chatKey, type ChatKey, type Person } from "../../src/core/chat.ts";
import type { Consumption, Limit, LimitRule, LimitScope, Spender } from "../../src/core/limits.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import type { Role } from "../../src/core/roles.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { limitsKey } from "../../src/store/keys.ts";
import { earlyInAMinute, storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { plainLimits } from "./plain-limits.ts";

const server = await testDatabase();
const store = storeOn(server);

const ann: Person = { id: "telegram:1", name: "Ann", language: "de" };
const chat = chatKey({ platform: "telegram", bot: "77", chat: "1" });
const spender: Spender = { person: ann, chat };
const tokens = (max: number): Limit => ({ metric: "tokens", per: "day", max });
const global: LimitScope = { kind: "global" };
const took = (inputTokens: number): Consumption => ({
  inputTokens,
  outputTokens: 0,
  costUsd: 0,
});

interface Told {
  readonly chat: ChatKey;
  readonly entry: OutboxEntry;
}

/** One process's limits; time stands still unless it is moved. */
function open({
  admins = [],
  role = "member",
  file = [],
  broken = false,
}: {
  readonly admins?: readonly string[];
  readonly role?: Role;
  readonly file?: readonly LimitRule[];
  /** Nothing can be posted. */
  readonly broken?: boolean;
} = {}) {
  const told: Told[] = [];
  const lines: Record<string, unknown>[] = [];
  const clock = { nowMs: 0, rolesAsked: 0 };
  const limits = plainLimits(store, {
    file,
    roleOf: () => {
      clock.rolesAsked += 1;
      return Promise.resolve(role);
    },
    access: {
      admins: () => Promise.resolve(admins),
      profileOf: () => Promise.resolve({ role: "admin", preference: {} }),
    },
    post(to, entry) {
      if (broken) return Promise.reject(new Error("no room"));
      told.push({ chat: to, entry });
      return Promise.resolve();
    },
    monotonic: () => clock.nowMs,
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line) as never) }),
  });
  const set = (scope: LimitScope, limit: Limit) =>
    limits.limitService.set(uniqueId(), scope, [limit]);
  return { ...limits, set, told, lines, clock };
}

/** Texts by the chat in which they were told. */
const textsOf = (told: readonly Told[]): [string, string][] =>
  told.map(({ chat: to, entry }) => [to, "text" in entry ? entry.text : ""]);

beforeEach(async () => {
  await store.redis.flushdb();
  await earlyInAMinute();
});

describe("a warning", () => {
  it("goes to who spends, in their language, and to the admins, in theirs", async () => {
    const { budget, set, told } = open({
      admins: ["telegram:1", "telegram:9", "discord:9"],
    });
    await set({ kind: "person" }, tokens(1_000));
    await budget.settle(spender, "c1", took(760));
    expect(textsOf(told)).toEqual([
      [
        chat,
        expect.stringMatching(
          /^Du hast 76 % von deinem Limit von 1\.000 Tokens pro Tag verbraucht \(760\)\. Es wird in .* \(00:00 UTC\) zurückgesetzt\.$/,
        ) as string,
      ],
      [
        "telegram:77:9",
        expect.stringMatching(
          /^76% of the limit of 1,000 tokens a day \(for Ann \(telegram:1\)\) is used: 760\. It resets in .* \(00:00 UTC\)\.$/,
        ) as string,
      ],
    ]);
  });

  it("of a group names it to the admins", async () => {
    const { budget, set, told } = open({ admins: ["telegram:9"] });
    const group = "telegram:77:-100" as ChatKey;
    const people = createPeopleStore(store);
    await people.notePerson({ id: "telegram:chat:-100", name: "Team" });
    await set({ kind: "chat", chat: group }, tokens(1_000));
    await budget.settle({ ...spender, chat: group }, "c1", took(760));
    expect(textsOf(told)[1]).toEqual([
      "telegram:77:9",
      expect.stringContaining('(for the chat "Team")') as string,
    ]);
  });

  it("in a group answers the message of the person it is about", async () => {
    const { budget, set, told } = open({ admins: ["telegram:9"] });
    await set({ kind: "person" }, tokens(1_000));
    await budget.settle({ ...spender, replyTo: "55" }, "c1", took(760));
    expect(told).toMatchObject([
      { chat, entry: { replyTo: "55" } },
      { chat: "telegram:77:9", entry: { patient: true } },
    ]);
    expect(told[0]?.entry).not.toHaveProperty("patient");
    expect(told[1]?.entry).not.toHaveProperty("replyTo");
  });

  it("comes once at each of 50, 75 and 90 %, by an entry of its own, and tells what is used", async () => {
    const { budget, set, told } = open();
    await set(global, tokens(1_000));
    for (let call = 0; call < 20; call += 1) await budget.settle(spender, `c${call}`, took(49));
    const percents = textsOf(told).map(([, text]) => text.split(" ")[0]);
    expect(percents).toEqual(["53", "78", "93"]);
    expect(new Set(told.map(({ entry }) => entry.id)).size).toBe(3);
    // Only private answers have a colon in their entry's id.
    for (const { entry } of told) expect(entry.id).not.toMatch(/[\s:]/);
  });

  it("that a process died with is told by the process that settles the call again", async () => {
    const dying = open({ broken: true });
    await dying.set(global, tokens(1_000));
    await dying.budget.settle(spender, "c1", took(600));
    const { budget, told } = open({ admins: ["telegram:9"] });
    await budget.settle(spender, "c1", took(600));
    await budget.settle(spender, "c1", took(600));
    const sent = told.map(({ chat: to, entry }) => `${to} ${entry.id}`);
    expect(told.map(({ chat: to }) => to)).toEqual([chat, "telegram:77:9", chat, "telegram:77:9"]);
    // The same entries: an outbox takes each once.
    expect(new Set(sent).size).toBe(2);
  });

  it("that cannot be told does not undo what was counted", async () => {
    const { budget, set, limitService, lines } = open({ broken: true });
    await set(global, tokens(1_000));
    await budget.settle(spender, "c1", took(600));
    expect((await limitService.usage("everybody")).day.tokens).toBe(600);
    expect(lines).toMatchObject([{ level: 50, scope: "global" }]);
  });
});

describe("a limit that is set", () => {
  it("holds at once in this process", async () => {
    const { budget, set } = open();
    expect(await budget.isLimited(spender)).toBe(false);
    await set(global, tokens(100));
    expect(await budget.isLimited(spender)).toBe(true);
    const refused = await budget.reserve(spender, "c1", took(101));
    expect(refused.type).toBe("refused");
  });

  it("holds in another process from the next thing that is counted", async () => {
    const here = open();
    const there = open();
    expect(await there.budget.isLimited(spender)).toBe(false);
    await here.set(global, tokens(100));
    // Its clock stands still: only the script can have noticed.
    const refused = await there.budget.reserve(spender, "c1", took(101));
    expect(refused).toMatchObject({
      type: "refused",
      hit: { scope: global, limit: tokens(100), used: 0, needs: 101 },
    });
    expect(await there.budget.isLimited(spender)).toBe(true);
  });

  it("holds in another process once that has written what it counted without one", async () => {
    const one = open();
    const other = open();
    await other.messages.refresh();
    await one.set(global, tokens(100));
    // The other process does not know of it yet: its clock stands still.
    other.messages.countUnlimited(spender, { countedAs: "m1" });
    await other.budget.settle(spender, "c1", took(60));
    await other.flush();
    expect(await other.messages.isLimited(spender)).toBe(true);
    expect(
      await other.budget.reserve(spender, "c2", {
        inputTokens: 41,
        outputTokens: 0,
        costUsd: 0,
      }),
    ).toMatchObject({ type: "refused", hit: { used: 60 } });
    expect(await other.budget.reserve(spender, "c3", took(40))).toEqual({ type: "reserved" });
  });

  it("for turns only, reserves calls, which are settled as such", async () => {
    const { budget, limitService } = open();
    await budget.reserve(spender, "c1", took(500));
    await budget.settle(spender, "c1", took(60));
    await budget.settle(spender, "c1", took(60));
    expect((await limitService.usage(spender)).day.tokens).toBe(60);
  });

  it("is known to another process that asks before a turn", async () => {
    const here = open();
    const there = open();
    await there.budget.refresh();
    await here.set(global, tokens(100));
    await there.budget.refresh();
    // Its clock stands still.
    expect(await there.budget.isLimited(spender)).toBe(true);
    await here.limitService.reset(uniqueId(), global, [tokens(100)]);
    await there.budget.refresh();
    expect(await there.budget.isLimited(spender)).toBe(false);
  });

  it("is known to another process after a second", async () => {
    const here = open();
    const there = open();
    await there.budget.refresh();
    await here.set(global, tokens(100));
    there.clock.nowMs += 999;
    expect(await there.budget.isLimited(spender)).toBe(false);
    there.clock.nowMs += 1;
    expect(await there.budget.isLimited(spender)).toBe(true);
  });

  it("is that of the role, which is asked only where roles matter and it is not known", async () => {
    const { budget, set, clock } = open({ role: "guest" });
    await set(global, tokens(1_000));
    await budget.reserve(spender, "c1", took(50));
    expect(clock.rolesAsked).toBe(0);
    await set({ kind: "role", role: "guest" }, tokens(100));
    expect((await budget.reserve(spender, "c2", took(60))).type).toBe("refused");
    expect(clock.rolesAsked).toBe(1);
    const asMember = { ...spender, role: "member" as const };
    expect((await budget.reserve(asMember, "c3", took(60))).type).toBe("reserved");
    expect(clock.rolesAsked).toBe(1);
  });

  it("says which limits of a turn hold", async () => {
    const { budget, set } = open({
      file: [
        {
          scope: { kind: "person" },
          limit: { metric: "model-calls", per: "turn", max: 5 },
        },
      ],
    });
    expect(await budget.turnCaps(spender)).toEqual({ maxModelCalls: 5 });
    await set({ kind: "person", id: ann.id }, { metric: "model-calls", per: "turn", max: 9 });
    expect(await budget.turnCaps(spender)).toEqual({ maxModelCalls: 9 });
  });

  it("that no one here can read is logged, and the others hold", async () => {
    const { budget, set, lines } = open();
    await set(global, tokens(100));
    await store.redis.hset(limitsKey("rules"), "king tokens/day", "1");
    await set({ kind: "person" }, tokens(50));
    expect(await budget.isLimited(spender)).toBe(true);
    expect(lines).toMatchObject([{ level: 40, unreadable: ["king tokens/day"] }]);
  });
});

/** How many the server has carried out so far. */
const commands = async () => {
  const info = await store.redis.info("stats");
  return Number(/total_commands_processed:(\d+)/.exec(info)?.[1]);
};

describe("while no limit holds", () => {
  it("neither a place nor its return costs a command, and asking costs none", async () => {
    const { budget } = open();
    await budget.refresh();
    const before = await commands();
    expect(await budget.isLimited(spender)).toBe(false);
    expect(await budget.turnCaps(spender)).toEqual({});
    expect(await budget.enter(spender, "t1", 1_000)).toEqual({
      type: "reserved",
    });
    await budget.leave(spender, "t1");
    // Asking for the number is the one.
    expect((await commands()) - before).toBe(1);
  });

  it("counting costs one script for twenty", async () => {
    const { budget, messages, flush } = open();
    await budget.refresh();
    const before = await commands();
    for (let turn = 0; turn < 10; turn += 1) {
      messages.countUnlimited(spender, { countedAs: `m${turn}` });
      await budget.settle(spender, `c${turn}`, took(1));
    }
    await flush();
    // What the script does itself is counted too: its record for each, and a constant part, with
    // which it adds to each of 5 sums of dollars and tokens.
    expect((await commands()) - before).toBeLessThanOrEqual(2 * 10 + 11 + 5 * 2 * 3);
  });

  it("everything is counted all the same", async () => {
    const { budget, messages, limitService } = open();
    messages.countUnlimited(spender, { countedAs: "m1" });
    await budget.settle(spender, "c1", took(60));
    expect((await limitService.usage(spender)).month).toMatchObject({
      messages: 1,
      tokens: 60,
    });
  });
});

it("where rules change all the time, the caller tries again later", async () => {
  const { budget, set } = open();
  await set(global, tokens(100));
  let changes = 0;
  const restless = {
    ...store,
    async run(...given: Parameters<typeof store.run>) {
      changes += 1;
      await store.redis.incr(limitsKey("version"));
      return await store.run(...given);
    },
  };
  const limits = plainLimits(restless, { monotonic: () => 0 });
  await expect(limits.budget.reserve(spender, "c1", took(1))).rejects.toMatchObject({
    name: "RetryableError",
  });
  expect(changes).toBe(5);
  expect((await budget.reserve(spender, "c1", took(1))).type).toBe("reserved");
});
