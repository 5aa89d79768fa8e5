import pino from "pino";
import { createLimits } from "../../src/access/limits/create-limits.ts";
import { storeOn, uniqueId } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { budgetContract } from "./budget-contract.ts";

const store = storeOn(await testDatabase());

budgetContract("Redis", async () => {
  await store.redis.flushdb();
  const { budget, desk } = createLimits({
    store,
    file: [],
    roleOf: () => Promise.resolve("member"),
    access: {
      admins: () => Promise.resolve([]),
      profileOf: () => Promise.resolve({ role: "owner", preference: {} }),
    },
    people: { directChat: () => Promise.resolve(undefined) },
    post: () => Promise.resolve(),
    now: Date.now,
    monotonic: () => performance.now(),
    log: pino({ level: "silent" }),
  });
  return {
    budget,
    async limit(limit) {
      await desk.set(uniqueId(), { kind: "global" }, [limit]);
    },
    used: async () => (await desk.usage("everybody")).day,
  };
});
