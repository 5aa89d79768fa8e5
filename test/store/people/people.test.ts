import { expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { erasePerson } from "../../../src/store/erasure/erase-person.ts";
import { createPeopleStore } from "../../../src/store/people/people.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const store = storeOn(await testDatabase());

it("where an erased person can be reached alone is known again after five minutes at the latest", async () => {
  let nowMs = 0;
  const people = createPeopleStore(store, () => nowMs);
  const bot = "telegram:1";
  const [id, chat] = ["telegram:5", "telegram:1:5" as ChatKey];
  await people.setDirectChat(bot, id, chat);
  await erasePerson(store, id);
  nowMs = 5 * 60_000 - 1;
  await people.setDirectChat(bot, id, chat);
  expect(await people.directChat(bot, id)).toBeUndefined();
  nowMs += 1;
  await people.setDirectChat(bot, id, chat);
  expect(await people.directChat(bot, id)).toBe(chat);
});
