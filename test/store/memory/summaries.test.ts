import { afterAll, expect, it } from "vitest";
import { createSummaries } from "../../../src/store/memory/summaries.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
afterAll(() => store.redis.disconnect());
const { redis } = store;
const dayMs = 86_400_000;

const summaryOf = (to: number, atMs: number) =>
  ({ v: 1, from: to, to, atMs: Math.floor(atMs), text: `about ${to}` }) as const;

it("end with the retention, and what is stored of them, too", async () => {
  const chat = newChat();
  const key = chatKeys(chat).summaries;
  const nowMs = store.clock.now();
  const forEver = createSummaries(store, undefined);
  for (const [to, ageMs] of [3 * dayMs, 2 * dayMs, dayMs / 2].entries())
    expect(await forEver.add(chat, summaryOf(to, nowMs - ageMs), "")).toBe(true);
  expect(await redis.pttl(key)).toBe(-1);
  const aDay = createSummaries(store, dayMs);
  expect((await aDay.list(chat)).map(({ to }) => to)).toEqual([2]);
  expect(await aDay.add(chat, summaryOf(3, nowMs), "")).toBe(true);
  expect(await redis.llen(key)).toBe(2);
  expect((await forEver.list(chat)).map(({ to }) => to)).toEqual([2, 3]);
  expect(await redis.pttl(key)).toBeLessThanOrEqual(dayMs);
});

it("are added once for each part of a history, and not for another history", async () => {
  const chat = newChat();
  const summaries = createSummaries(store, dayMs);
  const atMs = store.clock.now();
  expect(await summaries.add(chat, summaryOf(5, atMs), "")).toBe(true);
  expect(await summaries.add(chat, summaryOf(5, atMs), "")).toBe(false);
  expect(await summaries.add(chat, summaryOf(4, atMs), "")).toBe(false);
  await redis.hset(chatKeys(chat).state, "epoch", "erased");
  expect(await summaries.add(chat, summaryOf(6, atMs), "")).toBe(false);
});

it("that are broken, or of a newer version, hide no others, and none stays longer for it", async () => {
  const chat = newChat();
  const atMs = store.clock.now();
  await redis.rpush(chatKeys(chat).summaries, "{", JSON.stringify({ ...summaryOf(1, atMs), v: 2 }));
  const summaries = createSummaries(store, dayMs);
  expect(await summaries.add(chat, summaryOf(2, atMs), "")).toBe(true);
  expect((await summaries.list(chat)).map(({ to }) => to)).toEqual([2]);
});
