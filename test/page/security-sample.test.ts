import { expect, it } from "vitest";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { attack } from "./attacks.ts";

const store = storeOn(await testDatabase());
const seed = Number(process.env["PARLEY_TEST_SEED"]);

it("of 100,000 attacks on the page accepts none", { timeout: 600_000 }, async () => {
  const { tried, accepted } = await attack(store, { cases: 100_000, seed });
  expect(accepted).toEqual([]);
  for (const [kind, count] of Object.entries(tried)) expect(count, kind).toBeGreaterThan(7_000);
});
