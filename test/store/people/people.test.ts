import { expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import { parsePlace } from "../../../src/core/places.ts";
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

it("an erased person is in no request for a group, and in no decision about one", async () => {
  await store.redis.flushdb();
  const people = createPeopleStore(store);
  const place = parsePlace("telegram:chat:-5");
  if (place === undefined) throw new TypeError("a place");
  const request = { id: "j1", place, title: "Team", bot: "telegram:1" };
  const [bob, ada] = ["telegram:6", "telegram:7"];
  await people.keepPlaceRequest({ ...request, person: { id: bob, name: "Bob" } });
  await people.keepPlaceRequest({ ...request, id: "j2" });
  await people.decidePlaceRequest({ ...request, id: "j3" }, { kind: "allow", by: ada });
  expect(await people.openPlaceRequests()).toHaveLength(2);
  await erasePerson(store, bob);
  await erasePerson(store, ada);
  expect(await people.openPlaceRequests()).toEqual([{ ...request, id: "j2" }]);
  expect(await store.redis.keys("*place-decided*")).toEqual([]);
});
