import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { chatKey, parseChatKey, type ChatKey } from "../../../src/core/chat.ts";
import { logEntrySchema, type LogEntry } from "../../../src/core/history.ts";
import type { Task } from "../../../src/core/schedule.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { timeoutMs } from "../../support/parley/stage.ts";
import { memoryRecords, type MemoryRecords } from "./memory-records.ts";
import { openStore } from "../../../src/store/redis/redis.ts";
import { createSchedules } from "../../../src/store/turns/schedules.ts";
import { scheduleIdOf } from "../../../src/text/new-schedule.ts";

/** Looks into Parley's Redis from outside, with all chats at rest. */
export interface Records extends Disposable {
  /** What must not be there when nothing is left to do; empty: all is at rest. */
  leftovers(): Promise<string[]>;
  /**
   * Makes a schedule in the chat in which this was said, due now: once, or for a watch, which has seen
   * another result before, again in a day.
   */
  schedule(
    words: string,
    task: Task,
  ): Promise<{ remove(): Promise<unknown>; readonly untilItRests: () => Promise<void> }>;
  /** Fulfils when nothing can be sent to the chat in which this was said. */
  untilDead(words: string): Promise<void>;
  /** The one chat in which this was said. @throws if no one did. */
  chatWith(words: string): Promise<ChatKey>;
  readonly memory: MemoryRecords;
  /** The raw history of the one chat in which this was said, oldest first. */
  historyWith(words: string): Promise<LogEntry[]>;
}

/** Keys that exist only while there is something to do. */
const busy = /^parley:\{s\d+\}:(?:in|out|calls|draft):/;
const wake = /^parley:\{s\d+\}:wake$/;
/** BullMQ's lists of jobs, and the chats that are ready to be sent to. */
const jobs = /^parley:\{(?:turns\}:(?:active|wait|paused)|deliveries-[^}]+\}:ready)$/;
/** Fields of a chat's state that belong to an owner, a sender or an open turn. */
const held = ["owner", "lease", "state", "out:owner", "out:lease", "out:doing", "out:again"];

const pollMs = 20;

async function until(holds: () => Promise<boolean>): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMs);
  while (!(await holds())) await sleep(pollMs, undefined, { signal });
}

export function openRecords(url: string): Records {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const store = openStore(url, () => undefined);
  const schedules = createSchedules(store, { retentionMs: 86_400_000, report: () => undefined });
  const chatWith = async (words: string): Promise<ChatKey> => {
    for (const key of await redis.keys("parley:{s*}:log:*")) {
      const stored = await redis.lrange(key, 0, -1);
      if (stored.some((each) => each.includes(words)))
        return chatKey(parseChatKey(key.slice(key.indexOf(":log:") + ":log:".length)));
    }
    throw new Error(`no one said ${words}`);
  };
  return {
    chatWith,
    memory: memoryRecords(store),
    async leftovers() {
      const keys = await redis.keys("parley:*");
      const states = keys.filter((key) => /\}:st:/.test(key));
      const approvals = keys.filter((key) => /\}:appr:/.test(key));
      const pipeline = redis.pipeline();
      for (const key of states) pipeline.hmget(key, ...held);
      for (const key of approvals) pipeline.hget(key, "status");
      const replies = (await pipeline.exec()) ?? [];
      const wakes = await Promise.all(
        keys.filter((key) => wake.test(key)).map((key) => redis.zrange(key, "0", "-1")),
      );
      // A history is indexed a minute after its last turn.
      const members = wakes.flat().filter((member) => !member.startsWith("mem:"));
      const fields = states.flatMap((key, index) => {
        const values = replies[index]?.[1] as readonly (string | null)[];
        return held.filter((_, at) => values[at] !== null).map((name) => `${key} ${name}`);
      });
      const pending = approvals.filter(
        (_, index) => replies[states.length + index]?.[1] === "pending",
      );
      const left = keys.filter((key) => busy.test(key) || jobs.test(key));
      return [...left, ...members, ...fields, ...pending];
    },
    async historyWith(words) {
      for (const key of await redis.keys("parley:{s*}:log:*")) {
        const stored = await redis.lrange(key, 0, -1);
        if (stored.some((each) => each.includes(words)))
          return stored.map((each) => logEntrySchema.parse(JSON.parse(each)));
      }
      return [];
    },
    async untilDead(words) {
      const { state } = chatKeys(await chatWith(words));
      await until(async () => (await redis.hexists(state, "out:dead")) === 1);
    },
    async schedule(words, task) {
      const nowMs = Date.now();
      for (const key of await redis.keys("parley:{s*}:log:*")) {
        const [said] = await redis.lrange(key, 0, 0);
        const entry = logEntrySchema.parse(JSON.parse(said ?? "null"));
        if (entry.kind !== "message" || !entry.text.includes(words)) continue;
        const chat = chatKey(parseChatKey(key.slice(key.indexOf(":log:") + ":log:".length)));
        const id = scheduleIdOf(randomUUID());
        const isWatch = task.type === "watch";
        if (isWatch) await redis.hset(chatKeys(chat).plans, `digest:${id}`, "of another result");
        const saved = await schedules.save(chat, {
          id,
          revision: 0,
          task,
          timing: isWatch
            ? { type: "every", everyMs: 86_400_000, fromMs: nowMs }
            : { type: "at", atMs: nowMs },
          zone: "UTC",
          by: entry.person,
          address: parseChatKey(chat),
          direct: true,
          late: "once",
          nextMs: nowMs,
          failures: 0,
          outcomes: [],
        });
        if (saved !== "saved") throw new Error(`the schedule was not saved: ${saved}`);
        return {
          remove: () => schedules.remove(chat, id),
          untilItRests: () =>
            until(async () => (await schedules.read(chat, id))?.pausedWhy === "dead"),
        };
      }
      throw new Error(`no one said ${words}`);
    },
    [Symbol.dispose]() {
      redis.disconnect();
      store.redis.disconnect();
    },
  };
}
