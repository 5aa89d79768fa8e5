import type { ChatKey } from "../../core/chat.ts";
import { continuesGesture, type Piece } from "../../core/gesture.ts";
import { inboxEntrySchema, type InboxEntry, type LogEntry } from "../../core/history.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { lookBack } from "./find-edited.ts";

/** Entries of the history that are looked through, the newest: a neighbour is seconds old. */
const newestEntries = 50;

/** Whether a message that waits, or is among the history's newest, belongs to the same gesture. */
export async function hasNeighbour(store: Store, chat: ChatKey, piece: Piece): Promise<boolean> {
  const waiting = await store.redis.lrange(chatKeys(chat).inbox, 0, -1);
  const entries = waiting.flatMap((json) => readable(inboxEntrySchema, json) ?? []);
  const isNeighbour = (entry: InboxEntry | LogEntry): boolean =>
    entry.kind === "message" && continuesGesture(entry, piece);
  if (entries.some(isNeighbour)) return true;
  let left = newestEntries;
  const found = await lookBack(store, chat, ({ entry }) => {
    left -= 1;
    return isNeighbour(entry) || left === 0 ? { is: isNeighbour(entry) } : undefined;
  });
  return found?.is === true;
}
