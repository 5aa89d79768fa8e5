import type { ChatKey } from "../../core/chat.ts";
import type { LogEntry } from "../../core/history.ts";

interface Known {
  epoch: string;
  /** Log position of the first entry. */
  start: number;
  entries: LogEntry[];
  /** About how many characters of JSON it came from. */
  size: number;
}

/**
 * Added per chat to the size of its entries, so that many short ones are
 * bounded, too.
 */
const sizeOfChat = 500;

/**
 * The parsed tail of recently used logs. A log only grows, so what was once read stays true; a turn
 * then costs what is new, not what is old. An erased log has a new epoch.
 */
export class TranscriptCache {
  readonly #chats = new Map<ChatKey, Known>();
  readonly #maxSize: number;
  #size = 0;

  /** @param maxSize characters of JSON over all chats; the least recently used chats go first. */
  constructor(maxSize = 10_000_000) {
    this.#maxSize = maxSize;
  }

  /** The request to Redis: entries after `position` if the epoch is still `epoch`. */
  known(chat: ChatKey): { readonly position: number; readonly epoch: string } {
    const known = this.#chats.get(chat);
    return known
      ? { position: known.start + known.entries.length, epoch: known.epoch }
      : { position: -1, epoch: "" };
  }

  /** Adds what Redis returned from position `from` on; returns the entries from `viewStart` on. */
  extend(
    chat: ChatKey,
    fetched: {
      epoch: string;
      from: number;
      viewStart: number;
      entries: readonly LogEntry[];
      /** Characters of JSON. */
      size: number;
    },
  ): LogEntry[] {
    const known = this.#chats.get(chat);
    const continues =
      known?.epoch === fetched.epoch && known.start + known.entries.length === fetched.from;
    const before = continues ? known.entries : [];
    const all = before.concat(fetched.entries);
    const start = continues ? known.start : fetched.from;
    const entries = all.slice(Math.max(0, fetched.viewStart - start));
    const kept = all.length === 0 ? 0 : entries.length / all.length;
    const sizeBefore = continues ? known.size : sizeOfChat;
    const size = sizeOfChat + (sizeBefore - sizeOfChat + fetched.size) * kept;
    this.#size += size - (known?.size ?? 0);
    this.#chats.delete(chat);
    this.#chats.set(chat, {
      epoch: fetched.epoch,
      start: Math.max(start, fetched.viewStart),
      entries,
      size,
    });
    this.#evict(chat);
    return entries;
  }

  #evict(keep: ChatKey): void {
    for (const [chat, { size }] of this.#chats) {
      if (this.#size <= this.#maxSize) return;
      if (chat === keep) continue;
      this.#chats.delete(chat);
      this.#size -= size;
    }
  }
}
