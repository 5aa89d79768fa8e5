import {
  conversationSummarySchema,
  maxSummaries,
  type ConversationSummary,
  type Summaries,
} from "../../core/summaries.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

/** @param retentionMs undefined: kept until there are too many. */
export function createSummaries(store: Store, retentionMs: number | undefined): Summaries {
  const { redis, clock } = store;
  return {
    list: async (chat) =>
      readSummaries(await redis.lrange(chatKeys(chat).summaries, 0, -1), {
        nowMs: clock.now(),
        retentionMs,
      }),
    async add(chat, summary, epoch) {
      const { summaries, state } = chatKeys(chat);
      const reply = await store.run(
        "summary",
        [summaries, state],
        [JSON.stringify(summary), summary.to, epoch, maxSummaries, retentionMs ?? 0],
      );
      return number(reply) === 1;
    },
  };
}

/** Of what is stored, what is readable and not too old: see `readFacts`. */
export function readSummaries(
  stored: readonly string[],
  { nowMs, retentionMs = Infinity }: { nowMs: number; retentionMs?: number | undefined },
): readonly ConversationSummary[] {
  return stored
    .flatMap((json) => summaryOf(json) ?? [])
    .filter(({ atMs }) => nowMs - atMs <= retentionMs);
}

function summaryOf(json: string): ConversationSummary | undefined {
  try {
    return conversationSummarySchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
