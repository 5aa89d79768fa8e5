import type { ChatKey } from "../core/chat.ts";
import { logEntrySchema, type LogEntry } from "../core/history.ts";
import { chatKeys } from "./keys.ts";
import type { Store } from "./redis.ts";
import { parseStored } from "./stored.ts";

/** Entries per read: a few megabytes at the very most, since a result has its limit. */
const pageSize = 100;

export interface HistoryEntry {
  /** Its place in the log; they grow by one and never change. */
  readonly position: number;
  readonly entry: LogEntry;
}

/** Entries that a chat's history holds, everything before the last reset included. */
export const historyLength = ({ redis }: Store, chat: ChatKey) =>
  redis.llen(chatKeys(chat).log);

/**
 * A chat's whole history as it is when the reading begins, oldest first, a page at a time; what is said meanwhile is not
 * part of it. Ends early when the history is erased.
 * @throws what `parseStored` throws.
 */
export async function* readHistory(
  { redis }: Store,
  chat: ChatKey,
): AsyncGenerator<HistoryEntry, void, undefined> {
  const { state, log } = chatKeys(chat);
  const [[logBase, epoch], length] = await Promise.all([
    redis.hmget(state, "logBase", "epoch"),
    redis.llen(log),
  ]);
  const base = Number(logBase ?? 0);
  for (let from = 0; from < length; from += pageSize) {
    const until = Math.min(from + pageSize, length) - 1;
    // Written one behind the other, but others may write in between: an epoch that is the same afterwards was meanwhile.
    const [page, epochNow] = await Promise.all([
      redis.lrange(log, from, until),
      redis.hget(state, "epoch"),
    ]);
    if (epochNow !== epoch) return;
    for (const [index, json] of page.entries())
      yield {
        position: base + from + index,
        entry: parseStored(logEntrySchema, log, json),
      };
    if (page.length <= until - from) return;
  }
}
