import { expect, it, vi } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { createChatCount } from "../../../src/store/turns/chat-count.ts";
import { keysWith } from "../../support/erasure/occurrences.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const day = 86_400_000;

it("chats are counted once a day and once a month, whichever process they spoke to, and none is named", async () => {
  let nowMs = Date.UTC(2026, 10, 29, 12);
  const one = createChatCount(store, () => nowMs);
  const other = createChatCount(store, () => nowMs);
  const chats = [1, 2, 3].map((number) => `telegram:77:${number}` as ChatKey);
  for (const count of [one, other, one]) for (const chat of chats) await count.note(chat);
  expect(await one.read()).toEqual({ today: 3, thisMonth: 3 });
  nowMs += day;
  await one.note("telegram:77:3" as ChatKey);
  await other.note("telegram:77:4" as ChatKey);
  expect(await other.read()).toEqual({ today: 2, thisMonth: 4 });
  nowMs += day;
  expect(await one.read()).toEqual({ today: 0, thisMonth: 0 });
  expect(await keysWith(store, "telegram:77")).toEqual([]);
});

it("a chat is written down once a day by a process", async () => {
  const counted = vi.spyOn(store.redis, "pfadd");
  const count = createChatCount(store, () => 0);
  for (let again = 0; again < 5; again += 1) await count.note("telegram:77:9" as ChatKey);
  // Of the day and of the month.
  expect(counted).toHaveBeenCalledTimes(2);
});
