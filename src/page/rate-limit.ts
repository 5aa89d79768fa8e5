/** Names that are counted apart from each other; what comes after them counts in total only. */
const maxNames = 10_000;

/**
 * Counts in windows of a minute: at most `perName` of one name and `total` of all. A window begins
 * with the first count after the last one's end.
 */
export class RateLimit {
  readonly #most: { readonly perName: number; readonly total: number };
  readonly #counts = new Map<string, number>();
  #total = 0;
  #endMs = 0;

  constructor(most: { readonly perName: number; readonly total: number }) {
    this.#most = most;
  }

  /** @returns whether it is one too many. @param nowMs never going back. */
  isExceededBy(name: string, nowMs: number): boolean {
    if (nowMs >= this.#endMs) {
      this.#counts.clear();
      this.#total = 0;
      this.#endMs = nowMs + windowMs;
    }
    const count = this.#counts.get(name) ?? 0;
    if (count >= this.#most.perName || this.#total >= this.#most.total) return true;
    this.#total += 1;
    if (count > 0 || this.#counts.size < maxNames) this.#counts.set(name, count + 1);
    return false;
  }
}

const windowMs = 60_000;
