import type { Redis } from "ioredis";
import { beforeEach, expect, it } from "vitest";
import { chatKeys, shardCount, wakeKey } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { mostOfPass, sweep, type Swept } from "../../../src/store/turns/sweep.ts";
import { newChat, storeOn } from "../support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;

beforeEach(() => redis.flushdb());

const members = ({ due }: Pick<Swept, "due">) => due.map(({ member }) => member).sort();

it("what is due is found in every shard, and what is not is left alone", async () => {
  const chats = Array.from({ length: 600 }, () => newChat());
  for (const chat of chats) await redis.zadd(chatKeys(chat).wake, Date.now() - 5_000, `in:${chat}`);
  const late = newChat();
  const lateAtMs = Date.now() + 60_000;
  await redis.zadd(chatKeys(late).wake, lateAtMs, `out:${late}`);
  const { due } = await sweep(store, 0);
  expect(members({ due })).toEqual(chats.map((chat) => `in:${chat}`).sort());
  for (const { overdueMs } of due) expect(overdueMs).toBeGreaterThanOrEqual(5_000);
  expect(await redis.zscore(chatKeys(late).wake, `out:${late}`)).toBe(String(lateAtMs));
});

it("what is due is found also where no one tells the time", async () => {
  const chat = newChat();
  await redis.zadd(chatKeys(chat).wake, 1, `in:${chat}`);
  const timeless = { time: () => Promise.reject(new Error("LOADING")) };
  const deaf: Store = { ...store, redis: timeless as unknown as Redis };
  expect(members(await sweep(deaf, 0))).toEqual([`in:${chat}`]);
});

it("what is younger than asked is left to the process that wrote it", async () => {
  const [old, young] = [newChat(), newChat()];
  await redis.zadd(chatKeys(old).wake, Date.now() - 61_000, `in:${old}`);
  await redis.zadd(chatKeys(young).wake, Date.now() - 5_000, `in:${young}`);
  expect(members(await sweep(store, 60_000))).toEqual([`in:${old}`]);
});

it("a schedule, which no one else wakes, is taken as soon as it is due", async () => {
  const chat = newChat();
  const { wake } = chatKeys(chat);
  const [in60s, nowMs] = [Date.now() + 60_000, Date.now()];
  await redis.zadd(wake, nowMs, `plan:${chat}/due000`, in60s, `plan:${chat}/later0`);
  await redis.zadd(wake, nowMs, `in:${chat}`);
  expect(members(await sweep(store, 30_000))).toEqual([`plan:${chat}/due000`]);
  expect(await redis.zscore(wake, `in:${chat}`)).toBe(String(nowMs));
});

it("what was taken is moved on, so that of two at once only one takes it", async () => {
  const chats = Array.from({ length: 100 }, () => newChat());
  for (const chat of chats) await redis.zadd(chatKeys(chat).wake, 1, `in:${chat}`);
  const sweeps = await Promise.all(Array.from({ length: 5 }, () => sweep(store, 0)));
  expect(members({ due: sweeps.flatMap(({ due }) => due) })).toEqual(
    chats.map((chat) => `in:${chat}`).sort(),
  );
  for (const chat of chats) {
    const score = await redis.zscore(chatKeys(chat).wake, `in:${chat}`);
    expect(Number(score)).toBeGreaterThan(Date.now());
    expect(Number(score)).toBeLessThanOrEqual(Date.now() + 2_000);
  }
});

/** What a pass took is handled: otherwise it would be due again after 2 s. Here only its score is not tiny. */
async function sweepAndHandle(): Promise<Swept> {
  const swept = await sweep(store, 0);
  const pipeline = redis.pipeline();
  for (let shard = 0; shard < shardCount; shard += 1)
    pipeline.zremrangebyscore(wakeKey(`s${shard}`), 1e12, "+inf");
  await pipeline.exec();
  return swept;
}

it("one pass takes a hundred of a shard, the oldest first, and the next pass takes the rest", async () => {
  const key = wakeKey("s7");
  for (let index = 0; index < 250; index += 1)
    await redis.zadd(key, index + 1, `in:telegram:77:${index}`);
  for (const { count, isFull } of [
    { count: 100, isFull: true },
    { count: 100, isFull: true },
    { count: 50, isFull: false },
    { count: 0, isFull: false },
  ]) {
    const swept = await sweepAndHandle();
    expect({ count: swept.due.length, isFull: swept.isFull }).toEqual({ count, isFull });
  }
});

it("one pass takes a share of a crowd, the oldest of every shard first, and others the rest", async () => {
  const crowd = Array.from({ length: 5_000 }, () => newChat());
  const pipeline = redis.pipeline();
  for (const [index, chat] of crowd.entries())
    pipeline.zadd(chatKeys(chat).wake, index + 1, `in:${chat}`);
  await pipeline.exec();
  const passes: string[][] = [];
  do passes.push(members(await sweepAndHandle()));
  while (passes.at(-1)?.length !== 0);
  for (const pass of passes) expect(pass.length).toBeLessThanOrEqual(mostOfPass);
  expect(passes.flat().sort()).toEqual(crowd.map((chat) => `in:${chat}`).sort());
  expect(passes[0]).toContain(`in:${crowd[0] ?? ""}`);
});

it("a pass takes no more than it may, however many shards have members", async () => {
  for (const shards of [1, 21, 100, 129, 255, shardCount]) {
    const pipeline = redis.pipeline();
    for (let shard = 0; shard < shards; shard += 1)
      for (let index = 0; index < 2 * Math.ceil(mostOfPass / shards) && index < 110; index += 1)
        pipeline.zadd(wakeKey(`s${shard}`), 1, `in:telegram:77:${shard * 1_000 + index}`);
    await pipeline.exec();
    const { due, isFull } = await sweep(store, 0);
    expect(due.length, `${shards} shards`).toBeLessThanOrEqual(mostOfPass);
    expect(due.length, `${shards} shards`).toBeGreaterThanOrEqual(Math.min(shards * 100, 1_500));
    expect(isFull).toBe(true);
    await redis.flushdb();
  }
});

it("a shard that has far more than the others is emptied by passes that say whether one has more", async () => {
  const pipeline = redis.pipeline();
  const all: string[] = [];
  const add = (shard: number, name: string) => {
    all.push(name);
    pipeline.zadd(wakeKey(`s${shard}`), 1, name);
  };
  for (let index = 0; index < 1_000; index += 1) add(7, `in:telegram:77:${index}`);
  for (let shard = 0; shard < shardCount; shard += 1) add(shard, `in:telegram:78:${shard}`);
  await pipeline.exec();
  const passes: Swept[] = [];
  do passes.push(await sweepAndHandle());
  while (passes.at(-1)?.isFull === true);
  expect(passes.flatMap(members).sort()).toEqual(all.sort());
  expect(passes.length).toBeLessThanOrEqual(12);
});

it("a schedule that was put off keeps its mark when it is taken", async () => {
  const chat = newChat();
  const member = `plan:${chat}/crowd0`;
  await redis.zadd(chatKeys(chat).wake, 1_000.5, member);
  const [due] = (await sweep(store, 0)).due;
  expect(Number(due?.overdueMs) % 1).toBe(0.5);
  expect(Number(await redis.zscore(chatKeys(chat).wake, member)) % 1).toBe(0.5);
});
