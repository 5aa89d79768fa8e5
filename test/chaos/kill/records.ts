import { Redis } from "ioredis";
import { logEntrySchema, type LogEntry } from "../../../src/core/history.ts";

/** Looks into Parley's Redis from outside, with all chats at rest. */
export interface Records extends Disposable {
  /** What must not be there when nothing is left to do; empty: all is at rest. */
  leftovers(): Promise<string[]>;
  /** The raw history of the one chat in which this was said, oldest first. */
  historyWith(words: string): Promise<LogEntry[]>;
}

/** Keys that exist only while there is something to do. */
const busy = /^parley:\{s\d+\}:(?:in|out|calls|draft|wake):?/;
/** BullMQ's lists of jobs, and the chats that are ready to be sent to. */
const jobs = /^parley:\{(?:turns\}:(?:active|wait|paused)|deliveries-[^}]+\}:ready)$/;
/** Fields of a chat's state that belong to an owner, a sender or an open turn. */
const held = ["owner", "lease", "state", "out:owner", "out:lease", "out:doing", "out:again"];

export function openRecords(url: string): Records {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  return {
    async leftovers() {
      const keys = await redis.keys("parley:*");
      const states = keys.filter((key) => /\}:st:/.test(key));
      const approvals = keys.filter((key) => /\}:appr:/.test(key));
      const pipeline = redis.pipeline();
      for (const key of states) pipeline.hmget(key, ...held);
      for (const key of approvals) pipeline.hget(key, "status");
      const replies = (await pipeline.exec()) ?? [];
      const fields = states.flatMap((key, index) => {
        const values = replies[index]?.[1] as readonly (string | null)[];
        return held.filter((_, at) => values[at] !== null).map((name) => `${key} ${name}`);
      });
      const pending = approvals.filter(
        (_, index) => replies[states.length + index]?.[1] === "pending",
      );
      return [...keys.filter((key) => busy.test(key) || jobs.test(key)), ...fields, ...pending];
    },
    async historyWith(words) {
      for (const key of await redis.keys("parley:{s*}:log:*")) {
        const stored = await redis.lrange(key, 0, -1);
        if (stored.some((each) => each.includes(words)))
          return stored.map((each) => logEntrySchema.parse(JSON.parse(each)));
      }
      return [];
    },
    [Symbol.dispose]: () => redis.disconnect(),
  };
}
