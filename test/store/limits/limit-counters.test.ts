import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { spanOf } from "../../../src/core/limit-windows.ts";
import {
  counters as counterNames,
  windows,
  type Cap,
  type Counter,
  type LimitMetric,
  type Window,
} from "../../../src/core/limits.ts";
import { createLimitCounters, type Counting } from "../../../src/store/limits/limit-counters.ts";
import { createTurnPermits } from "../../../src/store/limits/turn-permits.ts";
import { createLimitRules } from "../../../src/store/limits/limit-rules.ts";
import { limitsKey } from "../../../src/store/keys.ts";
import { isOutOfMemory } from "../../../src/store/redis/refusals.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { cuttingProxy } from "../cutting-proxy.ts";
import { dump, earlyInAMinute, newChat, storeOn } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const counters = createLimitCounters(store);
const places = createTurnPermits(store);
const rules = createLimitRules(store);

/** So many of a metric, all people together, or as the counter says. */
const cap = (
  metric: LimitMetric,
  per: Cap["limit"]["per"],
  max: number,
  counter: Counter = "global",
): Cap => ({
  counter,
  scope: counter === "global" ? { kind: "global" } : { kind: "person" },
  limit: { metric, per, max },
});

const names = {
  person: "telegram:1",
  chat: newChat(),
  platform: "telegram",
  global: "all",
};
const by = (...caps: readonly Cap[]): Counting => ({
  names,
  version: "0",
  caps,
});
const message = (id: string) => ({ id, countedAs: id });
const count = (id: string, ...caps: readonly Cap[]) =>
  counters.countMessage(message(id), by(...caps));
const reserve = (id: string, tokens: number, ...caps: readonly Cap[]) =>
  counters.reserve(id, { tokens, costUsd: tokens / 1_000 }, by(...caps));
const settle = (id: string, tokens: number, ...caps: readonly Cap[]) =>
  counters.settle(id, { tokens, costUsd: tokens / 1_000 }, by(...caps));
const used = (counter: Counter = "global") => counters.usage(counter, names[counter]);
const tokensNow = async (window: Window = "day") => (await used())[window].tokens;

/** As if all that was counted in a window had been counted in the one before. */
async function endWindow(window: Window): Promise<void> {
  const { startMs } = spanOf(window, Date.now());
  const beforeMs = spanOf(window, startMs - 1).startMs;
  for (const counter of counterNames) {
    const key = limitsKey(`used:${counter}:${names[counter]}`);
    const stored = (await redis.getBuffer(key)) ?? Buffer.alloc(0);
    // The first of a window's ten doubles is its start.
    stored.writeDoubleBE(beforeMs, windows.indexOf(window) * 10 * 8);
    await redis.set(key, stored, "KEEPTTL");
  }
}

beforeEach(async () => {
  await redis.flushdb();
  await earlyInAMinute();
});

const album = (id: string) => counters.countMessage({ id, countedAs: "album-1" }, by());

/** Whether a message of someone is refused, and they or their chat are told of it. */
async function isTold(id: string, limit: Cap, person = names.person): Promise<boolean> {
  const counting = { ...by(limit), names: { ...names, person } };
  const taken = await counters.countMessage(message(id), counting);
  return taken.type === "refused" && taken.isFirst;
}

it("a counter that is none of ours counts for nothing, and from then on", async () => {
  for (const stored of ["", "what", Buffer.alloc(321)]) {
    await redis.set(limitsKey(`used:global:${names.global}`), stored);
    expect((await used()).day.messages).toBe(0);
    expect(await count(`m${String(stored).length}`)).toEqual({ type: "taken" });
    expect((await used()).day.messages).toBe(1);
  }
});

it("a limit of more dollars than can be counted forbids nothing", async () => {
  const limit = cap("cost", "day", 1e300);
  expect(await reserve("c1", 1_000, limit)).toEqual({ type: "taken" });
  expect(await settle("c1", 1_000, limit)).toMatchObject({ type: "settled" });
});

it("a counter that was forgotten since a call was reserved counts what the call took", async () => {
  await reserve("c1", 1_000);
  await redis.del(limitsKey(`used:global:${names.global}`));
  await settle("c1", 400);
  expect(await tokensNow()).toBe(400);
  expect((await used("person")).day.tokens).toBe(400);
});

describe("a message", () => {
  it("is counted for the person, the chat, the platform and all, in every window", async () => {
    expect(await count("m1")).toEqual({ type: "taken" });
    for (const counter of counterNames) {
      const usage = await used(counter);
      for (const window of windows)
        expect(usage[window]).toEqual({ messages: 1, tokens: 0, costUsd: 0 });
    }
  });

  it("is counted once, however often it comes", async () => {
    for (let times = 0; times < 3; times += 1)
      expect(await count("m1", cap("messages", "day", 1))).toEqual({
        type: "taken",
      });
    expect((await used()).day.messages).toBe(1);
  });

  it("is counted once with all that counts as the same", async () => {
    await Promise.all(["m1", "m2", "m3"].map(album));
    expect((await used()).day.messages).toBe(1);
  });

  it("is refused at the limit, which says what is used and when that ends", async () => {
    const limit = cap("messages", "day", 2);
    await count("m1", limit);
    await count("m2", limit);
    expect(await count("m3", limit)).toEqual({
      type: "refused",
      cap: limit,
      used: 2,
      resetsAtMs: spanOf("day", Date.now()).endMs,
      isFirst: true,
    });
    expect((await used()).day.messages).toBe(2);
  });

  it("is refused by a limit of nothing", async () => {
    const refused = await count("m1", cap("messages", "minute", 0));
    expect(refused).toMatchObject({ type: "refused", used: 0 });
  });

  it("names the limit that lasts longest", async () => {
    const limits = [
      cap("messages", "minute", 0),
      cap("messages", "month", 0, "chat"),
      cap("messages", "day", 0, "person"),
    ];
    expect(await count("m1", ...limits)).toMatchObject({ cap: limits[1] });
  });

  it("tells of a refusal once per window, and the same event again", async () => {
    const limit = cap("messages", "hour", 0, "person");
    expect(await isTold("m1", limit)).toBe(true);
    expect(await isTold("m2", limit)).toBe(false);
    expect(await isTold("m1", limit)).toBe(true);
    // Another window's end is news.
    expect(await isTold("m3", cap("messages", "day", 0, "person"))).toBe(true);
  });

  it("tells each person of a limit of their own, and a chat once of one for all", async () => {
    const own = cap("messages", "day", 0, "person");
    expect(await isTold("m1", own, "telegram:1")).toBe(true);
    expect(await isTold("m2", own, "telegram:2")).toBe(true);
    const shared = cap("messages", "day", 0, "chat");
    expect(await isTold("m3", shared, "telegram:1")).toBe(true);
    expect(await isTold("m4", shared, "telegram:2")).toBe(false);
  });

  it("tells of a limit that was changed, and of another one in the same window", async () => {
    const own = (max: number) => cap("messages", "day", max, "person");
    expect(await isTold("m1", own(0))).toBe(true);
    await count("m2", own(1));
    expect(await isTold("m3", own(1))).toBe(true);
    expect(await isTold("m4", own(1))).toBe(false);
    expect(await isTold("m5", cap("tokens", "day", 0, "person"))).toBe(true);
  });

  it("of another chat is not the same event, whatever its id", async () => {
    const own = cap("messages", "day", 0, "person");
    expect(await isTold("m1", own)).toBe(true);
    const elsewhere = { ...by(own), names: { ...names, chat: newChat() } };
    expect(await counters.countMessage(message("m1"), elsewhere)).toMatchObject({ isFirst: false });
  });

  it("starts at zero when the window is over", async () => {
    const limit = cap("messages", "minute", 1);
    await count("m1", limit);
    await endWindow("minute");
    expect(await count("m2", limit)).toEqual({ type: "taken" });
    expect((await used()).minute.messages).toBe(1);
    expect((await used()).day.messages).toBe(2);
  });

  it("is counted by Redis' clock, however wrong this one is", async () => {
    for (const wrongMs of [-400 * 86_400_000, -90_000, 90_000, 4e12]) {
      const wrong = createLimitCounters(store, () => Date.now() + wrongMs);
      const limit = cap("messages", "month", 100);
      await wrong.countMessage(message(`m${wrongMs}`), by(limit));
    }
    expect((await used()).day.messages).toBe(4);
  });
});

describe("a reservation", () => {
  it("counts for all windows and counters at once", async () => {
    await reserve("c1", 1_500);
    for (const counter of counterNames)
      for (const window of windows)
        expect((await used(counter))[window]).toEqual({
          messages: 0,
          tokens: 1_500,
          costUsd: 1.5,
        });
  });

  it("counts nowhere where one limit forbids it", async () => {
    const limits = [cap("tokens", "day", 1_000, "person"), cap("cost", "month", 0.5)];
    expect(await reserve("c1", 600, ...limits)).toMatchObject({
      type: "refused",
      cap: limits[1],
    });
    expect(await tokensNow()).toBe(0);
  });

  it("of many clients at once never passes the limit", async () => {
    const clients = Array.from({ length: 8 }, () => storeOn(server));
    const limit = cap("tokens", "day", 1_000);
    const outcomes = await Promise.all(
      Array.from({ length: 200 }, async (_, call) => {
        const client = clients[call % clients.length] ?? store;
        const { type } = await createLimitCounters(client).reserve(
          `c${call}`,
          { tokens: 30, costUsd: 0 },
          by(limit),
        );
        return type;
      }),
    );
    expect(outcomes.filter((type) => type === "taken")).toHaveLength(33);
    expect(await tokensNow()).toBe(990);
  });

  it("is replaced by what the call took", async () => {
    await reserve("c1", 1_000);
    await settle("c1", 400);
    expect(await tokensNow()).toBe(400);
    await reserve("c2", 100);
    await settle("c2", 700);
    expect(await tokensNow()).toBe(1_100);
  });

  it("stays charged to the window that it was made in", async () => {
    await reserve("c1", 1_000);
    await endWindow("hour");
    await settle("c1", 400);
    expect(await tokensNow("hour")).toBe(0);
    expect(await tokensNow("day")).toBe(400);
  });

  it("leaves a window alone that others have begun since", async () => {
    await reserve("c1", 1_000);
    const { startMs } = spanOf("hour", Date.now());
    await redis.hset(limitsKey("call:c1"), "at", startMs - 1);
    await endWindow("hour");
    await reserve("c2", 30);
    await settle("c1", 400);
    expect(await tokensNow("hour")).toBe(30);
    expect(await tokensNow("month")).toBe(430);
  });

  it("of nothing passes a limit that was overspent", async () => {
    await settle("c1", 1_200);
    const limit = cap("cost", "day", 1);
    const free = { tokens: 10, costUsd: 0 };
    expect(await counters.reserve("c2", free, by(limit))).toEqual({
      type: "taken",
    });
  });

  it("waits a week to be settled, and is forgotten a day after that", async () => {
    await reserve("c1", 1_000);
    const key = limitsKey("call:c1");
    expect(await redis.pttl(key)).toBeGreaterThan(6 * 86_400_000);
    await settle("c1", 400);
    expect(await redis.pttl(key)).toBeLessThanOrEqual(86_400_000);
  });

  it.each([
    ["not a number", NaN],
    ["negative", -1],
  ])("of %s is refused as a defect", async (_, tokens) => {
    await expect(counters.reserve("c1", { tokens, costUsd: 0 }, by())).rejects.toThrow(TypeError);
  });

  it("of more than can be is as much as can be", async () => {
    const limit = cap("tokens", "day", 1e11);
    const atMost = { tokens: Infinity, costUsd: Infinity };
    expect(await counters.reserve("c1", atMost, by(limit))).toMatchObject({
      type: "refused",
    });
    expect(await counters.reserve("c2", atMost, by())).toEqual({
      type: "taken",
    });
    expect((await used()).day).toEqual({
      messages: 0,
      tokens: 1e12,
      costUsd: 1e6,
    });
  });

  it("adds up to no more than can be counted exactly", async () => {
    for (let call = 0; call < 12; call += 1)
      await counters.reserve(`c${call}`, { tokens: 1, costUsd: 1e6 }, by());
    const { costUsd } = (await used()).month;
    expect(costUsd).toBe(Number.MAX_SAFE_INTEGER / 1e9);
  });

  it.each([
    ["not a number", NaN],
    ["negative", -1],
    ["endless", Infinity],
  ])("stays as it is where a call took %s", async (_, amount) => {
    await reserve("c1", 1_000);
    await counters.settle("c1", { tokens: amount, costUsd: amount }, by());
    expect((await used()).day).toMatchObject({ tokens: 1_000, costUsd: 1 });
  });
});

/** What is warned of. */
const percents = async (id: string, tokens: number, ...caps: Cap[]) => {
  const settled = await settle(id, tokens, ...caps);
  return settled.type === "settled" ? settled.warnings.map(({ percent }) => percent) : [];
};

describe("a settlement", () => {
  it("without a reservation counts all of it, once", async () => {
    await settle("c1", 400);
    await settle("c1", 500);
    expect(await tokensNow()).toBe(400);
  });

  const budget = cap("tokens", "day", 1_000);

  it("warns of 50, 75 and 90 %, each once", async () => {
    expect(await percents("c1", 490, budget)).toEqual([]);
    expect(await percents("c2", 10, budget)).toEqual([50]);
    expect(await percents("c3", 10, budget)).toEqual([]);
    expect(await percents("c4", 240, budget)).toEqual([75]);
    expect(await percents("c5", 150, budget)).toEqual([90]);
    expect(await percents("c6", 500, budget)).toEqual([]);
  });

  it("warns of the highest alone where it passes several", async () => {
    expect(await percents("c1", 800, budget)).toEqual([75]);
    expect(await percents("c2", 1, budget)).toEqual([]);
  });

  it("says what is used, without what others have only reserved", async () => {
    await reserve("other", 900, budget);
    const settled = await settle("c1", 500, budget);
    expect(settled).toEqual({
      type: "settled",
      warnings: [
        {
          cap: budget,
          percent: 50,
          used: 500,
          span: spanOf("day", Date.now()),
        },
      ],
    });
  });

  it("warns of each limit by itself, of cost in dollars", async () => {
    const cost = cap("cost", "month", 1, "person");
    const settled = await settle("c1", 900, budget, cost);
    expect(settled).toMatchObject({
      warnings: [
        { cap: budget, percent: 90, used: 900 },
        { cap: cost, percent: 90, used: 0.9 },
      ],
    });
  });

  it("warns again in the next window, and of a limit that was changed", async () => {
    expect(await percents("c1", 600, budget)).toEqual([50]);
    const more = cap("tokens", "day", 2_000);
    expect(await percents("c2", 500, more)).toEqual([50]);
    await endWindow("day");
    expect(await percents("c3", 1_000, more)).toEqual([50]);
  });

  it("does not warn of a limit of nothing", async () => {
    expect(await percents("c1", 5, cap("tokens", "day", 0))).toEqual([]);
  });
});

describe("when the rules have changed meanwhile", () => {
  it("nothing is counted until they are read again", async () => {
    await rules.change("e1", [{ scope: { kind: "global" }, metric: "tokens", per: "day", max: 5 }]);
    expect(await count("m1")).toEqual({ type: "stale" });
    expect(await reserve("c1", 10)).toEqual({ type: "stale" });
    expect(await settle("c1", 10)).toEqual({ type: "stale" });
    expect(await places.enter("t1", 1_000, by())).toEqual({ type: "stale" });
    const { version } = await rules.read();
    await counters.countMessage(message("m1"), { ...by(), version });
    expect((await used()).day).toMatchObject({ messages: 1, tokens: 0 });
  });
});

describe("places for turns", () => {
  const two = cap("turns", "at-once", 2, "person");

  it("are as many as the limit says, each kept until it is left", async () => {
    const enter = async (turn: string) => (await places.enter(turn, 60_000, by(two))).type;
    expect(await enter("t1")).toBe("entered");
    expect(await enter("t2")).toBe("entered");
    expect(await places.enter("t3", 60_000, by(two))).toEqual({
      type: "refused",
      cap: two,
      running: 2,
    });
    expect(await places.running("person", names.person)).toBe(2);
    expect(await enter("t1")).toBe("entered");
    await places.leave("t2", names);
    expect(await enter("t3")).toBe("entered");
  });

  it("end by themselves when no one keeps them", async () => {
    await places.enter("t1", 60_000, by(two));
    await places.enter("t2", 1, by(two));
    const enter = async () => {
      const { type } = await places.enter("t3", 60_000, by(two));
      return type;
    };
    await expect.poll(enter).toBe("entered");
  });

  it("are not longer kept in Redis than the last of them", async () => {
    await places.enter("t1", 60_000, by(two));
    await places.enter("t2", 1_000, by(two));
    for (const key of await keysLike(redis, "parley:{limits}:turns:*")) {
      expect(await redis.pttl(key)).toBeGreaterThan(50_000);
      expect(await redis.pttl(key)).toBeLessThanOrEqual(60_000);
    }
  });

  it("of many clients at once are never more than the limit", async () => {
    const clients = Array.from({ length: 4 }, () => storeOn(server));
    const types = await Promise.all(
      Array.from({ length: 40 }, async (_, turn) => {
        const client = clients[turn % clients.length] ?? store;
        const entered = await createTurnPermits(client).enter(`t${turn}`, 60_000, by(two));
        return entered.type;
      }),
    );
    expect(types.filter((type) => type === "entered")).toHaveLength(2);
  });
});

describe("a lost reply", () => {
  it("changes nothing: what is sent again gives the same", async () => {
    await using proxy = await cuttingProxy(server.port);
    const cut = storeOn({ url: proxy.url });
    const lossy = createLimitCounters(cut);
    const lossyPlaces = createTurnPermits(cut);
    const limit = cap("tokens", "day", 1_000);
    // Scripts are loaded by their first use.
    await lossy.settle("warm", { tokens: 0, costUsd: 0 }, by());
    await lossyPlaces.enter("warm", 1, by());
    const lost = async <T>(action: () => Promise<T>): Promise<T> => {
      const before = proxy.lost;
      proxy.loseNextReply();
      const result = await action();
      expect(proxy.lost).toBe(before + 1);
      return result;
    };
    const one = { tokens: 600, costUsd: 0 };
    await lost(() => lossy.countMessage(message("m1"), by()));
    expect(await lost(() => lossy.reserve("c1", one, by(limit)))).toEqual({
      type: "taken",
    });
    expect(await tokensNow()).toBe(600);
    const refused = await lost(() => lossy.reserve("c2", one, by(limit)));
    expect(refused).toMatchObject({ type: "refused", isFirst: true });
    const settled = await lost(() => lossy.settle("c1", one, by(limit)));
    expect(settled).toMatchObject({ warnings: [{ percent: 50 }] });
    expect((await used()).day).toMatchObject({ messages: 1, tokens: 600 });
    const turns = cap("turns", "at-once", 1);
    const entered = await lost(() => lossyPlaces.enter("t1", 60_000, by(turns)));
    expect(entered).toEqual({ type: "entered" });
    cut.redis.disconnect();
  });
});

const fillMemory = () => redis.config("SET", "maxmemory", "1");
const freeMemory = () => redis.config("SET", "maxmemory", "0");

describe("while the memory is full", () => {
  afterEach(freeMemory);
  afterAll(freeMemory);

  it("a message is refused, and calls and turns go on", async () => {
    await reserve("c1", 100);
    const before = await dump(redis);
    await fillMemory();
    await expect(count("m1")).rejects.toSatisfy(isOutOfMemory);
    expect(await dump(redis)).toEqual(before);
    expect(await settle("c1", 50)).toMatchObject({ type: "settled" });
    expect(await reserve("c2", 70)).toEqual({ type: "taken" });
    const entered = await places.enter("t1", 1_000, by(cap("turns", "at-once", 1)));
    expect(entered).toEqual({ type: "entered" });
    await freeMemory();
    expect(await tokensNow()).toBe(120);
  });
});

it("everything that is counted ends, and lies in one slot", async () => {
  await count("m1", cap("messages", "day", 1));
  await count("m2", cap("messages", "day", 1));
  await reserve("c1", 10);
  await settle("c2", 10, cap("tokens", "day", 10));
  await places.enter("t1", 1_000, by(cap("turns", "at-once", 1)));
  const keys = await keysLike(redis, "*");
  expect(keys.length).toBeGreaterThan(8);
  for (const key of keys) {
    expect(key).toMatch(/^parley:\{limits\}:/);
    expect(await redis.pttl(key), key).toBeGreaterThan(0);
    // The sums of a month are kept for another one.
    const mostDays = key.includes(":spent:") ? 62 : 31;
    expect(await redis.pttl(key), key).toBeLessThanOrEqual(mostDays * 86_400_000);
  }
});
