import { expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { knownChats } from "../../../src/store/turns/known-chats.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const store = storeOn(await testDatabase());

it("a chat is known by anything of it, once", async () => {
  const kinds = ["state", "notes", "plans", "personas"] as const;
  const chats = kinds.map((_, index) => `telegram:77:${index + 1}` as ChatKey);
  for (const [index, kind] of kinds.entries())
    await store.redis.hset(chatKeys(chats[index] as ChatKey)[kind], "field", "1");
  await store.redis.hset(chatKeys(chats[0] as ChatKey).personas, "field", "1");
  const known: ChatKey[] = [];
  for await (const chat of knownChats(store)) known.push(chat);
  expect(known.toSorted()).toEqual(chats);
});
