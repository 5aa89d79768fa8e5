import type { ChatKey } from "../core/chat.ts";
import type { Recall, Recalled, RecallQuery } from "../core/memory.ts";
import { rangesOf, type OpenIndex, type Place, type WindowStore } from "../store/memory/windows.ts";
import { termsOf } from "../text/terms.ts";
import { speakerTerms } from "./terms.ts";
import type { Meanings } from "./meanings.ts";
import { mergeRanks } from "./vectors.ts";
import { WarmIndexes, type WarmIndex } from "./warm-indexes.ts";
import { linesOf } from "./windows.ts";

/**
 * Entries after the indexed ones that are looked through for what they take back. With more of them
 * nothing is recalled until the index has caught up.
 */
const maxTail = 2_000;

const nothing: Recalled = { windows: [], behind: undefined };
export const catchingUp: Recalled = { windows: [], behind: "indexing" };

/**
 * Finds windows by their keywords, and reads them from the history, which is the truth: what was
 * erased, undone or edited since it was indexed is never recalled as it was. Everything that it
 * reads is under the keys of the one chat.
 */
export function createRecall({
  windows: store,
  meanings,
}: {
  readonly windows: WindowStore;
  /** Undefined: keywords alone. */
  readonly meanings?: Pick<Meanings, "rank"> | undefined;
}): Recall {
  const warm = new WarmIndexes(store);
  return {
    async find(chat, query, signal) {
      const open = await store.open(chat);
      const { head, end } = open;
      if (head === undefined) return open.end > open.base ? catchingUp : nothing;
      if (end - Math.min(head.from, head.next) > maxTail) return catchingUp;
      const index = await warm.get(chat, { ...open, head });
      const allows = filterOf(index, open, query);
      const terms = new Set(termsOf(query.words));
      const most = meanings === undefined ? query.limit : Math.max(query.limit, maxMerged);
      const found = index.keywords.search(terms, most, allows);
      const alike =
        (await meanings
          ?.rank(chat, query.words, { open, by: query.by, signal, allows })
          .catch(() => [])) ?? [];
      // What is most alike counts as much as what has the most words.
      const ranked = mergeRanks([found.map(({ id }) => id), alike]).slice(0, query.limit);
      const scores = new Map(found.map(({ id, score }) => [id, score]));
      const hits = ranked.flatMap((id) => {
        const place = index.places.get(id);
        return place === undefined ? [] : [{ place, score: scores.get(id) ?? 0 }];
      });
      const windows = await read(store, chat, { open, hits, head: head.next, query });
      return { windows: windows ?? [], behind: head.isCut === true ? "too-long" : undefined };
    },
  };
}

/** Windows of each ranking that are merged. */
const maxMerged = 50;

function filterOf(
  { keywords, places }: WarmIndex,
  open: OpenIndex,
  { who, fromMs = -Infinity, toMs = Infinity, before = Infinity }: RecallQuery,
): (id: number) => boolean {
  const bySpeaker =
    who === undefined ? [] : speakerTerms(who).map((term) => keywords.holders(term));
  return (id) => {
    const place = places.get(id);
    return (
      place !== undefined &&
      id >= open.first &&
      place.f >= open.base &&
      place.f < before &&
      place.at >= Math.max(fromMs, open.oldestMs) &&
      place.at <= toMs &&
      bySpeaker.every((ids) => ids.has(id))
    );
  };
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
    readonly hits: readonly { readonly place: Place; readonly score: number }[];
    readonly head: number;
    readonly query: RecallQuery;
  },
): Promise<Recalled["windows"] | undefined> {
  if (hits.length === 0) return [];
  const places = hits.map(({ place }) => rangesOf(place));
  const read = await store.entries(chat, open.base, [[[head, open.end, "changes"]], ...places]);
  if (read === undefined) return undefined;
  const [changes = [], ...found] = read;
  return hits.flatMap(({ place, score }, index) => {
    const lines = linesOf([...(found[index] ?? []), ...changes], place).filter(
      ({ position }) => position < before,
    );
    const { f: from, t: to, at: atMs } = place;
    return lines.length === 0 ? [] : [{ from, to, atMs, lines, score }];
  });
}
