import type { MemoryWindow } from "../core/memory.ts";
import { speakerTerms, termsOf, termsOfDate } from "./terms.ts";

/** What a window is found by: its terms, each with how often it occurs. */
export type TermCounts = ReadonlyMap<string, number>;

export interface Hit {
  /** As it was added. */
  readonly id: number;
  /** From 0 to 1: 1 would be a window that has all terms often. */
  readonly score: number;
}

/** BM25's parameters: how soon more of a term adds nothing, and how much length counts. */
const [k, b] = [1.2, 0.7];

const countTerms = (terms: readonly string[]): TermCounts => {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
};

/** The terms of what was said, of who said it, and of the day. Pure. */
export function termsOfWindow({ lines, atMs }: Pick<MemoryWindow, "lines" | "atMs">): TermCounts {
  const names = [...new Set(lines.flatMap(({ who }) => (who === undefined ? [] : [who])))];
  return countTerms([
    ...lines.flatMap(({ text }) => termsOf(text)),
    ...names.flatMap((name) => [...termsOf(name), ...speakerTerms(name)]),
    ...termsOfDate(atMs),
  ]);
}

/**
 * Windows by their terms, ranked by BM25. Ids grow: a window is added after all others, and removed
 * from either end.
 */
export class KeywordIndex {
  /** By term: id and count, alternating, the oldest first. */
  readonly #holders = new Map<string, number[]>();
  /** By id minus `#first`: how many terms the window has. */
  #lengths: number[] = [];
  #first = 0;
  #total = 0;

  get size(): number {
    return this.#lengths.length;
  }

  /** @throws RangeError for an id that does not follow the last one. */
  add(id: number, counts: TermCounts): void {
    if (this.size === 0) this.#first = id;
    if (id !== this.#first + this.size) throw new RangeError(`window ${id} is out of order`);
    let length = 0;
    for (const [term, count] of counts) {
      length += count;
      const holders = this.#holders.get(term);
      if (holders === undefined) this.#holders.set(term, [id, count]);
      else holders.push(id, count);
    }
    this.#lengths.push(length);
    this.#total += length;
  }

  /** Removes the newest windows, from this id on. */
  removeFrom(id: number, terms: Iterable<string>): void {
    for (const term of terms) {
      const holders = this.#holders.get(term) ?? [];
      while ((holders.at(-2) ?? -1) >= id) holders.length -= 2;
      if (holders.length === 0) this.#holders.delete(term);
    }
    const kept = Math.max(0, id - this.#first);
    for (const length of this.#lengths.slice(kept)) this.#total -= length;
    this.#lengths.length = Math.min(kept, this.size);
  }

  /** The best windows first, at most `limit`; of equally good ones the newest first. */
  search(
    terms: ReadonlySet<string>,
    limit: number,
    allows: (id: number) => boolean = () => true,
  ): readonly Hit[] {
    const scores = new Float64Array(this.size);
    const usual = this.#total / this.size;
    let most = 0;
    for (const term of terms) {
      const holders = this.#holders.get(term) ?? [];
      const count = holders.length / 2;
      const rarity = Math.log(1 + (this.size - count + 0.5) / (count + 0.5));
      most += rarity * (k + 1);
      for (let at = 0; at < holders.length; at += 2) {
        const index = (holders[at] ?? 0) - this.#first;
        const times = holders[at + 1] ?? 0;
        const length = 1 - b + (b * (this.#lengths[index] ?? 0)) / usual;
        scores[index] = (scores[index] ?? 0) + (rarity * times * (k + 1)) / (times + k * length);
      }
    }
    const hits: Hit[] = [];
    for (const [index, score] of scores.entries())
      if (score > 0 && allows(index + this.#first))
        hits.push({ id: index + this.#first, score: score / most });
    return hits
      .toSorted((one, other) => other.score - one.score || other.id - one.id)
      .slice(0, limit);
  }

  /** The windows that have the term. */
  holders(term: string): ReadonlySet<number> {
    const holders = this.#holders.get(term) ?? [];
    return new Set(holders.filter((_, at) => at % 2 === 0));
  }
}
