import { plainLimits } from "../limits/plain-limits.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { budgetContract } from "./budget-contract.ts";

const store = storeOn(await testDatabase());

budgetContract("Redis", async () => {
  await store.redis.flushdb();
  const { budget, limitService } = plainLimits(store);
  return {
    budget,
    async limit(limit) {
      await limitService.set(uniqueId(), { kind: "global" }, [limit]);
    },
    used: async () => (await limitService.usage("everybody")).day,
  };
});
