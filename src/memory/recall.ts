import type { ChatKey } from "../core/chat.ts";
import type { MemoryWindow, Recall, Recalled, RecallQuery } from "../core/memory.ts";
import type { PlacedEntry } from "../core/ports.ts";
import type { OpenIndex, StoredWindow, WindowStore } from "../store/memory/windows.ts";
import type { Hit } from "./search.ts";
import { speakerTerms, termsOf } from "./terms.ts";
import { WarmIndexes, type WarmIndex } from "./warm-indexes.ts";
import { conversationsIn } from "./windows.ts";

/**
 * Entries after the indexed ones that are looked through for what they take back. With more of them
 * nothing is recalled until the index has caught up.
 */
const maxTail = 2_000;

const nothing: Recalled = { windows: [], behind: undefined };
const catchingUp: Recalled = { windows: [], behind: "indexing" };

/**
 * Finds windows by their keywords, and reads them from the history, which is the truth: what was
 * erased, undone or edited since it was indexed is never recalled as it was. Everything that it
 * reads is under the keys of the one chat.
 */
export function createRecall({ windows: store }: { readonly windows: WindowStore }): Recall {
  const warm = new WarmIndexes(store);
  return {
    async find(chat, query) {
      const open = await store.open(chat);
      const { head, end } = open;
      if (head === undefined) return open.end > open.base ? catchingUp : nothing;
      if (end - head.next > maxTail) return catchingUp;
      const index = await warm.get(chat, open, head);
      const hits = searchIn(index, open, query);
      const windows = await read(store, chat, { open, hits, index, head: head.next, query });
      return { windows: windows ?? [], behind: head.isCut === true ? "too-long" : undefined };
    },
  };
}

type PlacedHit = Hit & { readonly place: Omit<StoredWindow, "w"> };

function searchIn(
  { keywords, places }: WarmIndex,
  open: OpenIndex,
  query: RecallQuery,
): readonly PlacedHit[] {
  const { words, who, fromMs = -Infinity, toMs = Infinity, before = Infinity, limit } = query;
  const bySpeaker =
    who === undefined ? [] : speakerTerms(who).map((term) => keywords.holders(term));
  const terms = new Set(termsOf(words));
  const allows = (id: number): boolean => {
    const place = places.get(id);
    return (
      place !== undefined &&
      id >= open.first &&
      place.f >= open.base &&
      place.f < before &&
      place.at >= fromMs &&
      place.at <= toMs &&
      bySpeaker.every((ids) => ids.has(id))
    );
  };
  return keywords.search(terms, limit, allows).flatMap((hit) => {
    const place = places.get(hit.id);
    return place === undefined ? [] : [{ ...hit, place }];
  });
}

/** Undefined: the history has changed since it was opened. */
async function read(
  store: WindowStore,
  chat: ChatKey,
  {
    open,
    hits,
    head,
    query: { before = Infinity },
  }: {
    readonly open: OpenIndex;
    readonly hits: readonly PlacedHit[];
    readonly index: WarmIndex;
    readonly head: number;
    readonly query: RecallQuery;
  },
): Promise<Recalled["windows"] | undefined> {
  if (hits.length === 0) return [];
  const ranges = hits.map(({ place }) => [place.f, place.u] as const);
  const read = await store.entries(chat, open.base, [[head, open.end], ...ranges]);
  if (read === undefined) return undefined;
  const [tail = [], ...found] = read;
  const changes = tail.filter(({ entry }) => entry.kind === "undo" || entry.kind === "edit");
  return hits.flatMap(({ place, score }, index) => {
    const lines = linesOf([...(found[index] ?? []), ...changes], place).filter(
      ({ position }) => position < before,
    );
    const { f: from, t: to, at: atMs } = place;
    return lines.length === 0 ? [] : [{ from, to, atMs, lines, score }];
  });
}

const linesOf = (
  entries: readonly PlacedEntry[],
  { f, p, t, q }: Omit<StoredWindow, "w">,
): MemoryWindow["lines"] =>
  conversationsIn(entries)
    .flat()
    .filter(
      ({ position, part }) =>
        (position > f || (position === f && part >= p)) &&
        (position < t || (position === t && part <= q)),
    )
    .map(({ part: _, atMs: __, until: ___, ...line }) => line);
