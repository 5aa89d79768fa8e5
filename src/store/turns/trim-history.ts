import type { ChatKey } from "../../core/chat.ts";
import { minRetentionMs } from "./commit-fields.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

/**
 * Entries examined per call; the rest is trimmed after the chat's next turn.
 */
const mostEntries = 5_000;

/**
 * Drops whole turns that are older than the retention from the beginning of an idle chat's history,
 * and facts and summaries that are older than theirs; returns how many entries that were. A commit says when it is due: once a day in a chat that is
 * used.
 */
export async function trimHistory(
  {
    store,
    retentionMs,
    memoryMs = 0,
  }: {
    readonly store: Store;
    readonly retentionMs: number;
    /** Of facts and summaries; absent: they have no end. */
    readonly memoryMs?: number | undefined;
  },
  chat: ChatKey,
): Promise<number> {
  const { state, log, windows, vectors, facts, summaries } = chatKeys(chat);
  const kept = Math.max(retentionMs, minRetentionMs);
  return number(
    await store.run(
      "trim",
      [state, log, windows, vectors, facts, summaries],
      [kept, mostEntries, memoryMs],
    ),
  );
}
