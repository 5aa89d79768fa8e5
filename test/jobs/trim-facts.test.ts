import { pino } from "pino";
import { afterEach, expect, it, vi } from "vitest";
import { startFactTrim } from "../../src/jobs/trim-facts.ts";
import { configKey } from "../../src/store/keys.ts";
import { personFactsKey } from "../../src/store/memory/facts.ts";
import { storeOn } from "../store/support.ts";
import { factOf } from "../support/kept-memory.ts";
import { emptyDatabases, testDatabase } from "../support/redis/test-redis.ts";

const [url = ""] = await emptyDatabases(await testDatabase(), 1);
const store = storeOn({ url });
const key = personFactsKey("telegram:1");
afterEach(() => vi.useRealTimers());

it("old facts are dropped while a process runs, again on another day, and not after its end", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const old = async (id: string) => {
    const fact = factOf(id, { id, atMs: store.clock.now() - 60_000 });
    await store.redis.hset(key, id, JSON.stringify(fact));
  };
  await old("a");
  const deps = { store, log: pino({ level: "silent" }), retentionMs: 30_000 };
  await using trimming = startFactTrim(deps);
  vi.advanceTimersByTime(600_000);
  await expect.poll(() => store.redis.hkeys(key)).toEqual([]);
  await old("b");
  await store.redis.del(configKey("facts-trimmed"));
  vi.advanceTimersByTime(600_000);
  await expect.poll(() => store.redis.hkeys(key)).toEqual([]);
  await trimming[Symbol.asyncDispose]();
  await old("c");
  await store.redis.del(configKey("facts-trimmed"));
  vi.advanceTimersByTime(6_000_000);
  expect(await store.redis.exists(configKey("facts-trimmed"))).toBe(0);
  expect(await store.redis.hkeys(key)).toEqual(["c"]);
});

it("doesn't begin again while it runs", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  let asked = 0;
  const answer = Promise.withResolvers<null>();
  const redis = Object.create(store.redis, {
    set: { value: () => ((asked += 1), answer.promise) },
  }) as typeof store.redis;
  const deps = { log: pino({ level: "silent" }), retentionMs: 30_000 };
  await using trimming = startFactTrim({ ...deps, store: { ...store, redis } });
  vi.advanceTimersByTime(1_800_000);
  expect(asked).toBe(1);
  answer.resolve(null);
  await expect
    .poll(() => {
      vi.advanceTimersByTime(600_000);
      return asked;
    })
    .toBe(2);
  await trimming[Symbol.asyncDispose]();
});
