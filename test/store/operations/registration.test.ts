import { expect, it } from "vitest";
import { createRegistration } from "../../../src/store/operations/registration.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const store = storeOn(await testDatabase());

it("is remembered, and forgotten where the memory is full", async () => {
  const registration = createRegistration(store, "telegram");
  expect(await registration.read()).toBeUndefined();
  await store.redis.config("SET", "maxmemory", "1");
  await registration.write("one");
  await store.redis.config("SET", "maxmemory", "0");
  expect(await registration.read()).toBeUndefined();
  await registration.write("two");
  expect(await registration.read()).toBe("two");
});
