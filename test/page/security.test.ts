import { expect, it } from "vitest";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { attack } from "./attacks.ts";

const store = storeOn(await testDatabase());
const seed = Number(process.env["PARLEY_TEST_SEED"]);

it("of 2,000 forged, replayed and expired codes and cookies, and requests of other sites, accepts none", async () => {
  const { tried, accepted } = await attack(store, { cases: 2_000, seed });
  expect(accepted).toEqual([]);
  expect(Object.values(tried).reduce((sum, count) => sum + count)).toBe(2_000);
});
