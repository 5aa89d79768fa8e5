import type { ChatKey } from "../../core/chat.ts";
import { minRetentionMs } from "./commit-fields.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

/**
 * Entries examined per call; the rest is trimmed after the chat's next turn.
 */
const mostEntries = 5_000;

/**
 * Drops whole turns that are older than the retention from the beginning of an idle chat's history;
 * returns how many entries that were. A commit says when it is due: once a day in a chat that is
 * used.
 */
export async function trimHistory(
  { store, retentionMs }: { readonly store: Store; readonly retentionMs: number },
  chat: ChatKey,
): Promise<number> {
  const { state, log, windows, vectors } = chatKeys(chat);
  const kept = Math.max(retentionMs, minRetentionMs);
  return number(await store.run("trim", [state, log, windows, vectors], [kept, mostEntries]));
}
