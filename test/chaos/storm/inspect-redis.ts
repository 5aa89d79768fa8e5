import type { Redis } from "ioredis";
import { logEntrySchema } from "../../../src/core/history.ts";
import { historyProblems } from "../../support/parley/history-problems.ts";

/** What is not at rest in Redis: mailboxes with entries, owners, open turns. Empty: everything has settled. */
export async function unrest(redis: Redis): Promise<string[]> {
  const [inboxes, outboxes, states] = await Promise.all(
    ["in", "out", "st"].map((kind) => redis.keys(`parley:{s*}:${kind}:*`)),
  );
  const fields = ["owner", "state", "out:owner"];
  const held = await Promise.all(
    (states ?? []).map(async (key) => {
      const values = await redis.hmget(key, ...fields);
      return fields.flatMap((field, index) =>
        values[index] === null ? [] : [`${key} has ${field}`],
      );
    }),
  );
  return [...(inboxes ?? []), ...(outboxes ?? []), ...held.flat()];
}

/** What stays in Redis though nothing is left to do: wake members, journals, drafts. */
export async function leftovers(redis: Redis): Promise<string[]> {
  const wakes = await redis.keys("parley:{s*}:wake");
  const members = await Promise.all(
    wakes.map(async (key) => {
      const found = await redis.zrange(key, "0", "-1");
      return found.map((member) => `${key}: ${member}`);
    }),
  );
  const others = await Promise.all(
    ["calls", "draft"].map((kind) => redis.keys(`parley:{s*}:${kind}:*`)),
  );
  return [...members.flat(), ...others.flat()];
}

/** What is wrong with histories, by chat. */
export async function badHistories(redis: Redis): Promise<string[]> {
  const keys = await redis.keys("parley:{s*}:log:*");
  const found = await Promise.all(
    keys.map(async (key) => {
      const stored = await redis.lrange(key, 0, -1);
      return historyProblems(
        stored.map((each) => logEntrySchema.parse(JSON.parse(each))),
      ).map((problem) => `${key}: ${problem}`);
    }),
  );
  return found.flat();
}
