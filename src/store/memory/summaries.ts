import { randomUUID } from "node:crypto";
import { conversationSummarySchema, maxSummaries, type Summaries } from "../../core/summaries.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";
import { spendingPairs } from "../turns/usage.ts";
import { readNewest } from "../turns/history.ts";
import { readable } from "../stored.ts";
import { readKept, type Age } from "./read-kept.ts";

/** Of a history that has no summaries yet only the newest entries are read. */
const maxEntries = 500;

/** @param retentionMs undefined: kept until there are too many. */
export function createSummaries(store: Store, retentionMs: number | undefined): Summaries {
  const { redis, clock } = store;
  return {
    list: async (chat) =>
      readSummaries(await redis.lrange(chatKeys(chat).summaries, 0, -1), {
        nowMs: clock.now(),
        retentionMs,
      }),
    async unsummarised(chat) {
      const { state, log, summaries } = chatKeys(chat);
      const [epoch, base, length, last] = await Promise.all([
        redis.hget(state, "epoch"),
        redis.hget(state, "logBase"),
        redis.llen(log),
        redis.lindex(summaries, -1),
      ]);
      const to = readable(conversationSummarySchema, last)?.to ?? -1;
      const end = Number(base ?? 0) + length;
      const count = Math.min(maxEntries, end - to - 1);
      const entries = count <= 0 ? [] : await readNewest(store, chat, count);
      return { entries: entries.filter(({ position }) => position > to), epoch: epoch ?? "", end };
    },
    async add(chat, summary, { epoch, end, spent = {} }) {
      const { summaries, state, log, usage } = chatKeys(chat);
      const sum = (what: "inputTokens" | "outputTokens"): number =>
        Object.values(spent).reduce((total, each) => total + Math.floor(each[what]), 0);
      const took = {
        inputTokens: sum("inputTokens"),
        outputTokens: sum("outputTokens"),
        spent: spendingPairs(spent),
      };
      const limits = [maxSummaries, retentionMs ?? 0, end];
      const reply = await store.run(
        "summary",
        [summaries, state, log, usage],
        [JSON.stringify(summary), summary.to, epoch, ...limits, JSON.stringify(took), randomUUID()],
      );
      return number(reply) === 1;
    },
  };
}

export const readSummaries = (stored: readonly string[], age: Age) =>
  readKept(conversationSummarySchema, stored, age);
