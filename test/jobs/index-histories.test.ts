import { pino } from "pino";
import { expect, test } from "vitest";
import { indexHistories } from "../../src/jobs/index-histories.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createWindowStore, memoryMember } from "../../src/store/memory/windows.ts";
import { newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());

test.each([
  ["more", 0],
  ["later", 60_000],
  ["done", undefined],
] as const)("a chat whose steps end with %s is due again after %s ms", async (end, afterMs) => {
  const chat = newChat();
  const windows = createWindowStore(store);
  const memory = {
    index: () => Promise.resolve(end),
    lookAgain: (...given) => windows.lookAgain(...given),
    forget: (...given) => windows.forget(...given),
  } satisfies Partial<Memory> as Partial<Memory> as Memory;
  const deps = { memory, log: pino({ level: "silent" }), settings: { memory: { recall: "auto" } } };
  const beforeMs = Math.floor(store.clock.now());
  await indexHistories(deps as unknown as Parameters<typeof indexHistories>[0], [chat]);
  const score = await store.redis.zscore(chatKeys(chat).wake, memoryMember(chat));
  if (afterMs === undefined) expect(score).toBeNull();
  else expect(Number(score)).toBeGreaterThanOrEqual(beforeMs + afterMs);
});
