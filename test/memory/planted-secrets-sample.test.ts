import { expect, test } from "vitest";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { plantAndAsk, ways } from "./planted-secrets.ts";

const redis = await testDatabase();
const store = storeOn(redis);

test("of 10,000 planted secrets none is recalled or shown elsewhere", async () => {
  const { planted, own, leaked } = await plantAndAsk(
    { store, redis },
    {
      people: 20,
      groups: 5,
      said: 300,
      facts: 60,
      summaries: 10,
      queries: 10_450,
      commands: 500,
      turns: 200,
    },
  );
  expect(planted).toBeGreaterThanOrEqual(10_000);
  expect(leaked).toEqual([]);
  for (const way of ways) expect(own[way], way).toBeGreaterThan(50);
}, 300_000);
