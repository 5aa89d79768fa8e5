import { dayOf, spentBy, spentPrefix } from "../../../src/store/limits/spent.ts";
import { openClient } from "../redis/test-client.ts";

const dayMs = 86_400_000;
/** How many times today's spending each of the past days had, yesterday first. */
const pastDays = [6, 9, 4, 2, 1, 7, 11, 8, 5, 3, 1, 2, 9, 12, 7, 6, 2, 1, 5, 8, 10, 6, 4];
const metrics = ["usd", "tokens", "count"];

const key = (period: string, by: string, metric: string): string =>
  `${spentPrefix}${period}:${by}:${metric}`;

/** Gives the month its past, in the proportions of today. */
export async function seedSpending(redisUrl: string, nowMs = Date.now()): Promise<void> {
  const redis = openClient(redisUrl);
  const today = dayOf(nowMs);
  try {
    for (const [index, weight] of pastDays.entries()) {
      const day = dayOf(nowMs - (index + 1) * dayMs);
      const month = day.slice(0, 7);
      for (const metric of metrics) {
        for (const by of spentBy) {
          const sums = await redis.zrange(key(today, by, metric), "0", "-1", "WITHSCORES");
          for (const [at, member] of sums.entries()) {
            if (at % 2 === 1) continue;
            const sum = Number(sums[at + 1]) * weight;
            for (const period of [day, month])
              await redis.zincrby(key(period, by, metric), sum, member);
          }
        }
        const spent = await redis.zscore(key(today.slice(0, 7), "day", metric), today);
        await redis.zadd(key(month, "day", metric), Number(spent) * weight, day);
      }
    }
  } finally {
    redis.disconnect();
  }
}
