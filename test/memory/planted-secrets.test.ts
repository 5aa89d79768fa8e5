import { expect, test } from "vitest";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { plantAndAsk, ways } from "./planted-secrets.ts";

const redis = await testDatabase();
const store = storeOn(redis);

// All 10,000: planted-secrets-sample.test.ts.
test("no one is shown what was said, kept or summarised elsewhere", async () => {
  const { planted, own, leaked } = await plantAndAsk(
    { store, redis },
    {
      people: 4,
      groups: 2,
      said: 25,
      facts: 12,
      summaries: 4,
      queries: 300,
      commands: 40,
      turns: 24,
    },
  );
  expect(planted).toBe(294);
  expect(leaked).toEqual([]);
  // Each way has shown what is the asker's own.
  for (const way of ways) expect(own[way], way).toBeGreaterThan(10);
}, 120_000);
