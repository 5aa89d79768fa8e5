import { performance } from "node:perf_hooks";

/** Which events of one gateway session are durable. They may become so in any order. */
export class SequenceTracker {
  /** By sequence: since when it is pending, by `performance.now()`. In the order of arrival. */
  readonly #pending = new Map<number, number>();
  #highest: number;
  #idle: PromiseWithResolvers<void> | undefined;

  /** @param start everything up to it was durable before. */
  constructor(start: number) {
    this.#highest = start;
  }

  /** The greatest sequence below which nothing is pending; 0: not even the first event. */
  get durable(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const sequence of this.#pending.keys())
      lowest = Math.min(lowest, sequence);
    return Math.min(this.#highest, lowest - 1);
  }

  /** For how long the oldest pending event has been so; 0 when none is. */
  get waitingMs(): number {
    const [oldest] = this.#pending.values();
    return oldest === undefined ? 0 : performance.now() - oldest;
  }

  /** An event arrived; `isDurable` fulfils with false when it never became so. Undefined: it means nothing to us. */
  arrived(sequence: number, isDurable?: Promise<boolean>): void {
    this.#highest = Math.max(this.#highest, sequence);
    if (isDurable === undefined) return;
    this.#pending.set(sequence, performance.now());
    void this.#settle(sequence, isDurable);
  }

  async #settle(sequence: number, isDurable: Promise<boolean>): Promise<void> {
    if (!(await isDurable)) return;
    this.#pending.delete(sequence);
    if (this.#pending.size > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }

  /** Fulfils when nothing is pending. */
  async idle(): Promise<void> {
    if (this.#pending.size === 0) return;
    this.#idle ??= Promise.withResolvers();
    await this.#idle.promise;
  }
}
