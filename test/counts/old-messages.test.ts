/**
 * What a further turn does with old messages in the worker: how much text it reads as JSON, and how
 * much it writes.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { afterEach, expect, it, vi } from "vitest";
import { seedParley } from "../../bench/support/seed-parley.ts";
import { chatKey } from "../../src/core/chat.ts";
import { openScene } from "../loop/scene.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const few = 20;
const many = 2_000;
/** Numbers have more digits in a longer chat. */
const tolerance = 1.1;

const redis = await testDatabase();
/**
 * Characters of JSON, those within other JSON counted again, and how often something was cloned.
 */
interface Work {
  parsed: number;
  written: number;
  clones: number;
}

/**
 * Set in whatever a turn does and brings about, and in nothing that a server of the test does for
 * it.
 */
const inTurn = new AsyncLocalStorage<Work>();

afterEach(() => {
  vi.restoreAllMocks();
});

function countWork(): void {
  const { parse, stringify } = JSON;
  const clone = structuredClone;
  vi.spyOn(globalThis, "structuredClone").mockImplementation((...given) => {
    const counts = inTurn.getStore();
    if (counts) counts.clones += 1;
    return clone<unknown>(...given);
  });
  vi.spyOn(JSON, "parse").mockImplementation((text, reviver) => {
    const counts = inTurn.getStore();
    if (counts) counts.parsed += text.length;
    return parse(text, reviver) as unknown;
  });
  vi.spyOn(JSON, "stringify").mockImplementation((...given: unknown[]) => {
    const text = (stringify as (...given: unknown[]) => string | undefined)(...given);
    const counts = inTurn.getStore();
    if (counts) counts.written += text?.length ?? 0;
    return text as string;
  });
}

let chats = 7_000;

/** Of a turn in a chat with so many messages, whose history the worker has seen. */
async function turnAfter(history: number) {
  chats += 1;
  const chat = chatKey({
    platform: "telegram",
    bot: "100000001",
    chat: String(chats),
  });
  await seedParley({ redisUrl: redis.url, chats: [chats], history });
  await using scene = await openScene({ redis, chat });
  await scene.say("the first one");
  await scene.settle();
  await scene.say("the second one");
  const counts: Work = { parsed: 0, written: 0, clones: 0 };
  countWork();
  await inTurn.run(counts, () => scene.settle());
  vi.restoreAllMocks();
  expect(await scene.said()).toHaveLength(2);
  const [request] = scene.model.requests.slice(-1);
  return { ...counts, requested: JSON.stringify(request?.body).length };
}

it("a further turn parses nothing old, and writes old messages once: into its request", async () => {
  const short = await turnAfter(few);
  const long = await turnAfter(many);
  // The model was asked with all of it.
  expect(long.requested).toBeGreaterThan(20 * short.requested);
  expect(short.parsed).toBeGreaterThan(0);
  expect(long.parsed / short.parsed).toBeLessThanOrEqual(tolerance);
  expect(long.written).toBeLessThanOrEqual(long.requested + short.written);
  expect(long.clones).toBe(short.clones);
});
