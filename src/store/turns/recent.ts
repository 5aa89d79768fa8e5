/** How long a process relies on its own write, which may have been erased since. Milliseconds. */
const rememberedMs = 5 * 60_000;
const maxRemembered = 1_000;

/** Names that were added less than five minutes ago, the newest thousand. */
export class Recent {
  /** When each was added, the oldest first. */
  readonly #names = new Map<string, number>();
  readonly #now: () => number;

  /** @param now by a clock that never goes back. Milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  has(name: string): boolean {
    const addedAtMs = this.#names.get(name) ?? -Infinity;
    return this.#now() - addedAtMs < rememberedMs;
  }

  add(name: string): void {
    this.#names.delete(name);
    this.#names.set(name, this.#now());
    const [oldest] = this.#names.keys();
    if (this.#names.size > maxRemembered && oldest !== undefined) this.#names.delete(oldest);
  }
}
