import pino from "pino";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { spanOf } from "../../../src/core/limit-windows.ts";
import { counters as counterNames, windows } from "../../../src/core/limits.ts";
import {
  createLimitCounters,
  type Counting,
  type LimitCounters,
  type Unlimited,
} from "../../../src/store/limits/limit-counters.ts";
import { createLimitRules } from "../../../src/store/limits/limit-rules.ts";
import { UnlimitedCounts } from "../../../src/store/limits/unlimited-counts.ts";
import { limitsKey } from "../../../src/store/keys.ts";
import { openStore, type Store } from "../../../src/store/redis/redis.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { startTestRedis, testDatabase } from "../../support/redis/test-redis.ts";
import { cuttingProxy } from "../cutting-proxy.ts";
import { earlyInAMinute, newChat, storeOn, until } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const counters = createLimitCounters(store);

const chat = newChat();
const namesOf = (person: string) => ({ person, chat, platform: "telegram", global: "all" });
const ann = namesOf("telegram:1");
const counting: Counting = { names: ann, version: "0", caps: [] };
const message = (countedAs: string, names = ann): Unlimited => ({
  type: "message",
  names,
  countedAs,
});
const call = (id: string, tokens: number, names = ann): Unlimited => ({
  type: "call",
  names,
  id,
  took: { tokens, costUsd: tokens / 1_000 },
});
const spent = (tokens: number) => ({ tokens, costUsd: tokens / 1_000 });
const ofAll = async () => (await counters.usage("global", "all")).day;

beforeEach(async () => {
  await redis.flushdb();
  await earlyInAMinute();
});

describe("counts of one script", () => {
  it("are added for each person, the chat, the platform and all, in every window", async () => {
    const ben = namesOf("telegram:2");
    const counts = [message("m1"), message("m2", ben), call("c1", 100), call("c2", 20, ben)];
    expect(await counters.add(counts)).toEqual({ version: "0", reserved: [] });
    for (const counter of counterNames)
      for (const window of windows)
        expect((await counters.usage(counter, ann[counter]))[window]).toEqual(
          counter === "person"
            ? { messages: 1, tokens: 100, costUsd: 0.1 }
            : { messages: 2, tokens: 120, costUsd: 0.12 },
        );
    expect((await counters.usage("person", "telegram:2")).day).toEqual({
      messages: 1,
      tokens: 20,
      costUsd: 0.02,
    });
  });

  it("are added to what was counted where a limit held, and end with the month", async () => {
    await counters.countMessage({ id: "m1", countedAs: "m1" }, counting);
    await counters.reserve("c1", spent(50), counting);
    await counters.add([message("m2"), call("c2", 7)]);
    await counters.settle("c1", spent(10), counting);
    expect(await ofAll()).toEqual({ messages: 2, tokens: 17, costUsd: 0.017 });
    const { endMs } = spanOf("month", Date.now());
    // Redis 6.2 says only how long it is until then.
    const minuteMs = 60_000;
    for (const key of await keysLike(redis, "parley:{limits}:used:*")) {
      const atMs = Date.now() + (await redis.pttl(key));
      expect(Math.round(atMs / minuteMs) * minuteMs).toBe(endMs);
    }
  });

  it("count each id once, together and one after the other, whichever script had it first", async () => {
    await counters.countMessage({ id: "m1", countedAs: "m1" }, counting);
    await counters.settle("c1", spent(5), counting);
    const counts = [message("m1"), message("m2"), message("m2"), call("c1", 9), call("c2", 9)];
    await counters.add(counts);
    await counters.add(counts);
    await counters.countMessage({ id: "m2", countedAs: "m2" }, counting);
    expect(await counters.settle("c2", spent(9), counting)).toEqual({
      type: "settled",
      warnings: [],
    });
    expect(await ofAll()).toMatchObject({ messages: 2, tokens: 14 });
  });

  it("leave a call to its settlement for which something was reserved", async () => {
    await counters.reserve("c1", spent(50), counting);
    expect(await counters.add([call("c2", 1), call("c1", 9)])).toMatchObject({ reserved: [1] });
    await counters.settle("c1", spent(9), counting);
    expect(await counters.add([call("c1", 9)])).toMatchObject({ reserved: [] });
    expect(await ofAll()).toMatchObject({ tokens: 10 });
  });

  it("take amounts that are none for nothing", async () => {
    await counters.add([call("c1", NaN), call("c2", -1), call("c3", Infinity), call("c4", 1)]);
    expect(await ofAll()).toMatchObject({ tokens: 1, costUsd: 0.001 });
  });

  it("start again in a new window, and over a counter that is none of ours", async () => {
    await counters.add([message("m1")]);
    const key = limitsKey("used:global:all");
    const stored = (await redis.getBuffer(key)) ?? Buffer.alloc(0);
    const { startMs } = spanOf("hour", Date.now());
    // The hour's ten doubles begin with its start.
    stored.writeDoubleBE(startMs - 3_600_000, windows.indexOf("hour") * 10 * 8);
    await redis.set(key, stored, "KEEPTTL");
    await redis.set(limitsKey("used:person:telegram:1"), "what");
    await counters.add([message("m2")]);
    const usage = await counters.usage("global", "all");
    expect([usage.hour.messages, usage.day.messages]).toEqual([1, 2]);
    expect((await counters.usage("person", "telegram:1")).day.messages).toBe(1);
  });

  it("are counted by Redis' clock, however wrong ours is", async () => {
    const wrong = createLimitCounters(store, () => Date.now() + 40 * 86_400_000);
    await wrong.add([message("m1")]);
    expect((await ofAll()).messages).toBe(1);
  });

  it("change nothing when they are sent again because the reply was lost", async () => {
    await using proxy = await cuttingProxy(server.port);
    const cut = storeOn({ url: proxy.url });
    const lossy = createLimitCounters(cut);
    await counters.reserve("c2", spent(50), counting);
    // Scripts are loaded by their first use.
    await lossy.add([call("warm", 0)]);
    proxy.loseNextReply();
    const counts = [message("m1"), call("c1", 3), call("c2", 4)];
    expect(await lossy.add(counts)).toEqual({ version: "0", reserved: [2] });
    expect(proxy.lost).toBe(1);
    expect(await ofAll()).toMatchObject({ messages: 1, tokens: 53 });
    cut.redis.disconnect();
  });
});

describe("while the memory is full", () => {
  afterEach(() => redis.config("SET", "maxmemory", "0"));

  it("what was accepted before is counted", async () => {
    await counters.add([message("m1")]);
    await redis.config("SET", "maxmemory", "1");
    await counters.add([message("m2"), call("c1", 5, namesOf("telegram:3"))]);
    expect(await ofAll()).toMatchObject({ messages: 2, tokens: 5 });
  });
});

/** Gathers counts, and remembers what it logs and which versions it saw. */
function gathering(on: Store | Pick<LimitCounters, "add"> = store) {
  const lines: { readonly msg: string; readonly counts?: number }[] = [];
  const versions: string[] = [];
  const unlimited = new UnlimitedCounts({
    counters: "run" in on ? createLimitCounters(on) : on,
    onVersion(version) {
      versions.push(version);
      return Promise.resolve();
    },
    log: pino({}, { write: (line: string) => lines.push(JSON.parse(line) as never) }),
  });
  return { unlimited, lines, versions };
}

describe("counts that are gathered", () => {
  it("within a tick share one script, and none is missing", async () => {
    let scripts = 0;
    const { unlimited } = gathering({
      ...store,
      run(...given) {
        scripts += 1;
        return store.run(...given);
      },
    });
    for (let turn = 0; turn < 10; turn += 1) {
      unlimited.add(message(`m${turn}`, namesOf(`telegram:${turn}`)));
      unlimited.add(call(`c${turn}`, 10, namesOf(`telegram:${turn}`)));
    }
    await until(async () => (await ofAll()).messages > 0);
    expect(await ofAll()).toMatchObject({ messages: 10, tokens: 100 });
    expect((await counters.usage("person", "telegram:9")).day).toMatchObject({
      messages: 1,
      tokens: 10,
    });
    expect(scripts).toBe(1);
  });

  it("are written twenty at a time where more have gathered", async () => {
    const { unlimited, versions } = gathering();
    for (let turn = 0; turn < 50; turn += 1) unlimited.add(message(`m${turn}`));
    await unlimited.flush();
    expect((await ofAll()).messages).toBe(50);
    expect(versions).toHaveLength(3);
  });

  it("are written by one script after the other", async () => {
    let [now, most] = [0, 0];
    const { unlimited } = gathering({
      async add(counts) {
        now += 1;
        most = Math.max(most, now);
        const added = await counters.add(counts);
        now -= 1;
        return added;
      },
    });
    for (let turn = 0; turn < 190; turn += 1) unlimited.add(message(`m${turn}`));
    await unlimited.flush();
    expect((await ofAll()).messages).toBe(190);
    expect(most).toBe(1);
  });

  it("while others are written come next", async () => {
    const began = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    const { unlimited } = gathering({
      async add(counts) {
        began.resolve();
        await mayGoOn.promise;
        return await counters.add(counts);
      },
    });
    unlimited.add(message("m1"));
    await began.promise;
    unlimited.add(message("m2"));
    unlimited.add(message("m3"));
    mayGoOn.resolve();
    await until(async () => (await ofAll()).messages === 3);
  });

  it("are all there after a flush, those that came during it included", async () => {
    const { unlimited } = gathering();
    unlimited.add(message("m1"));
    const flushed = unlimited.flush();
    unlimited.add(message("m2"));
    await flushed;
    expect((await ofAll()).messages).toBe(2);
    await unlimited.flush();
  });

  it("settle what was reserved for their call", async () => {
    const { unlimited } = gathering();
    await counters.reserve("c1", spent(50), counting);
    unlimited.add({
      ...call("c1", 9),
      async settle() {
        await counters.settle("c1", spent(9), counting);
      },
    });
    await unlimited.flush();
    expect(await ofAll()).toMatchObject({ tokens: 9 });
  });

  it("show the version of the rules, so that a new limit is noticed", async () => {
    const { unlimited, versions } = gathering();
    unlimited.add(message("m1"));
    await unlimited.flush();
    await createLimitRules(store).change("e1", [
      { scope: { kind: "global" }, metric: "cost", per: "day", max: 1 },
    ]);
    unlimited.add(message("m2"));
    await unlimited.flush();
    expect(versions).toEqual(["0", "1"]);
  });

  it("are lost with a line in the log where Redis reports an error, and later ones are counted", async () => {
    let fails = true;
    const { unlimited, lines } = gathering({
      add: (counts) => (fails ? Promise.reject(new Error("broken")) : counters.add(counts)),
    });
    unlimited.add(message("m1"));
    unlimited.add(message("m2"));
    await unlimited.flush();
    expect(lines).toMatchObject([{ msg: "could not count towards limits", counts: 2 }]);
    fails = false;
    unlimited.add(message("m3"));
    await unlimited.flush();
    expect((await ofAll()).messages).toBe(1);
  });

  it("hold up the end for a second at most where Redis stalls", async () => {
    const stalled = await startTestRedis();
    onTestFinished(() => stalled[Symbol.asyncDispose]());
    const slow = openStore(stalled.url, () => undefined);
    onTestFinished(() => slow.redis.disconnect());
    await slow.redis.ping();
    const { unlimited, lines } = gathering(slow);
    stalled.pause();
    unlimited.add(message("m1"));
    await unlimited.flush();
    expect(lines).toMatchObject([{ msg: "Redis does not take what was counted towards limits" }]);
    stalled.resume();
    await unlimited.flush();
    expect((await createLimitCounters(slow).usage("global", "all")).day.messages).toBe(1);
  });
});
