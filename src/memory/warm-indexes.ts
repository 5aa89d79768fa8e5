import { setImmediate as yieldToOthers } from "node:timers/promises";
import type { ChatKey } from "../core/chat.ts";
import type {
  IndexHead,
  OpenIndex,
  Place,
  StoredWindow,
  WindowStore,
} from "../store/memory/windows.ts";
import { readTerms } from "./index-chat.ts";
import { KeywordIndex } from "../text/keyword-index.ts";

/** Windows of all chats together that a process holds, about 1.4 kB each. */
const maxHeld = 60_000;
/** Windows that are read at a time: a large chat must not hold up the process. */
const batch = 500;

/** Its parameter as measured on LoCoMo: see decision 0037. */
export const newKeywordIndex = (): KeywordIndex => new KeywordIndex({ lengthCounts: 0.7 });

export interface WarmIndex {
  readonly keywords: KeywordIndex;
  /** By the window's number. */
  readonly places: ReadonlyMap<number, Place>;
}

type Indexed = OpenIndex & { readonly head: IndexHead };

interface Held extends WarmIndex {
  readonly places: Map<number, Place>;
  readonly built: string;
  /** The number after the last window's. */
  count: number;
  /** The last window may change: its terms. */
  tail: readonly string[];
}

/**
 * The indexes of recently asked chats. One is brought up to date by reading what was added since,
 * and read as a whole where its beginning has changed.
 */
export class WarmIndexes {
  readonly #store: Pick<WindowStore, "windows">;
  /** The least recently used first. */
  readonly #chats = new Map<ChatKey, Promise<Held | undefined>>();
  readonly #sizes = new Map<ChatKey, number>();

  constructor(store: Pick<WindowStore, "windows">) {
    this.#store = store;
  }

  /** As of `open`. @throws what reading from the store throws. */
  async get(chat: ChatKey, open: Indexed): Promise<WarmIndex> {
    const before = this.#chats.get(chat) ?? Promise.resolve(undefined);
    const now = before.then((held) => this.#update(chat, held, open));
    this.#chats.delete(chat);
    // One that fails is read again.
    this.#chats.set(
      chat,
      now.catch(() => undefined),
    );
    const held = await now;
    this.#sizes.set(chat, held.places.size);
    this.#evict(chat);
    return held;
  }

  async #update(chat: ChatKey, held: Held | undefined, { head, first }: Indexed): Promise<Held> {
    const isSame = held?.built === head.built && held.count <= head.count;
    // What was dropped from its beginning stays in the postings until it is read again.
    const isFull = isSame && first - (held.places.keys().next().value ?? 0) > maxHeld / 10;
    const nothing = { built: head.built, keywords: newKeywordIndex(), count: first, tail: [] };
    const index: Held = isSame && !isFull ? held : { ...nothing, places: new Map() };
    if (index.count > first) {
      index.count -= 1;
      index.keywords.removeFrom(index.count, index.tail);
      index.places.delete(index.count);
    }
    while (index.count < head.count) {
      const to = Math.min(head.count, index.count + batch);
      for (const window of await this.#store.windows(chat, index.count, to)) {
        const { w, ...place } = window ?? gone;
        const terms = readTerms(w);
        index.keywords.add(index.count, terms);
        index.places.set(index.count, place);
        index.count += 1;
        if (index.count === head.count) index.tail = Array.from(terms, ([term]) => term);
      }
      if (index.count < head.count) await yieldToOthers();
    }
    return index;
  }

  #evict(keep: ChatKey): void {
    let size = [...this.#sizes.values()].reduce((sum, each) => sum + each, 0);
    for (const chat of this.#chats.keys()) {
      if (size <= maxHeld) return;
      if (chat === keep) continue;
      size -= this.#sizes.get(chat) ?? 0;
      this.#chats.delete(chat);
      this.#sizes.delete(chat);
    }
  }
}

/** Dropped between two reads: found by nothing. */
const gone: StoredWindow = { f: -1, p: 0, t: -1, q: 0, u: -1, at: 0, w: "" };
