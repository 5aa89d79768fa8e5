/** What an item is found by: its terms, each once, with how much it counts there. */
export type TermCounts = Iterable<readonly [term: string, count: number]>;

export interface Hit {
  /** As it was added. */
  readonly id: number;
  /** From 0 to 1: 1 would be an item that has all terms often. */
  readonly score: number;
}

/** BM25's parameter: how soon more of a term adds nothing. */
const k = 1.2;

/**
 * Items by their terms, ranked by BM25. Ids grow: an item is added after all others, and removed
 * from either end.
 */
export class KeywordIndex {
  /** By term: id and count, alternating, the oldest first. */
  readonly #holders = new Map<string, number[]>();
  /** BM25's other parameter. */
  readonly #b: number;
  /** By id minus `#first`: the sum of the item's counts. */
  #lengths: number[] = [];
  #first = 0;
  #total = 0;

  /** @param lengthCounts from 0 to 1: how much more a term counts in a short item. */
  constructor({ lengthCounts }: { readonly lengthCounts: number }) {
    this.#b = lengthCounts;
  }

  get size(): number {
    return this.#lengths.length;
  }

  /** @throws RangeError for an id that does not follow the last one. */
  add(id: number, counts: TermCounts): void {
    if (this.size === 0) this.#first = id;
    if (id !== this.#first + this.size) throw new RangeError(`item ${id} is out of order`);
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

  /** Removes the newest items, from this id on. */
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

  /**
   * All items that have any of the terms, the oldest first, of those that `allows` accepts.
   * @param terms with how much each counts; usually 1.
   */
  score(
    terms: Iterable<readonly [term: string, factor: number]>,
    allows: (id: number) => boolean = () => true,
  ): readonly Hit[] {
    const scores = new Float64Array(this.size);
    const usual = this.#total / this.size;
    let most = 0;
    for (const [term, factor] of terms) {
      const holders = this.#holders.get(term) ?? [];
      const count = holders.length / 2;
      const weight = factor * Math.log(1 + (this.size - count + 0.5) / (count + 0.5)) * (k + 1);
      most += weight;
      for (let at = 0; at < holders.length; at += 2) {
        const index = (holders[at] ?? 0) - this.#first;
        const times = holders[at + 1] ?? 0;
        const length = 1 - this.#b + (this.#b * (this.#lengths[index] ?? 0)) / usual;
        scores[index] = (scores[index] ?? 0) + (weight * times) / (times + k * length);
      }
    }
    const hits: Hit[] = [];
    for (const [index, score] of scores.entries())
      // A turn waits for this: what isn't allowed costs no object.
      if (score > 0 && allows(index + this.#first))
        hits.push({ id: index + this.#first, score: score / most });
    return hits;
  }

  /** The best items first, at most `limit`; of equally good ones the newest first. */
  search(
    terms: ReadonlySet<string>,
    limit: number,
    allows?: (id: number) => boolean,
  ): readonly Hit[] {
    const counted = [...terms].map((term) => [term, 1] as const);
    return this.score(counted, allows)
      .toSorted((one, other) => other.score - one.score || other.id - one.id)
      .slice(0, limit);
  }

  /** The items that have the term. */
  holders(term: string): ReadonlySet<number> {
    const holders = this.#holders.get(term) ?? [];
    return new Set(holders.filter((_, at) => at % 2 === 0));
  }
}
