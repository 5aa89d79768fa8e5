import { performance } from "node:perf_hooks";

interface Pending {
  /** By `performance.now()`. */
  readonly sinceMs: number;
  /** The newest id that had arrived before this event. */
  readonly before: string | undefined;
}

/** Which events of one gateway session are durable. They may become so in any order. */
export class SequenceTracker {
  /** By sequence, in the order of arrival. */
  readonly #pending = new Map<number, Pending>();
  #highest: number;
  #newest: string | undefined;
  #idle: PromiseWithResolvers<void> | undefined;

  /**
   * @param start everything up to this sequence was durable before.
   * @param position everything up to this snowflake was durable before; undefined: not known.
   */
  constructor(start: number, position?: string) {
    this.#highest = start;
    this.#newest = position;
  }

  /** The greatest sequence below which nothing is pending; 0: not even the first event. */
  get durable(): number {
    let lowest = Number.POSITIVE_INFINITY;
    for (const sequence of this.#pending.keys()) lowest = Math.min(lowest, sequence);
    return Math.min(this.#highest, lowest - 1);
  }

  /** The newest snowflake that arrived before anything that is pending; undefined: none has. */
  get position(): string | undefined {
    const [oldest] = this.#pending.values();
    return oldest === undefined ? this.#newest : oldest.before;
  }

  /** For how long the oldest pending event has been so; 0 when none is. */
  get waitingMs(): number {
    const [oldest] = this.#pending.values();
    return oldest === undefined ? 0 : performance.now() - oldest.sinceMs;
  }

  /**
   * An event arrived; `isDurable` fulfils with false when it never became so. Undefined: it means
   * nothing to us.
   * @param id the snowflake of the message or interaction that it reports.
   */
  arrived(sequence: number, isDurable?: Promise<boolean>, id?: string): void {
    this.#highest = Math.max(this.#highest, sequence);
    const before = this.#newest;
    this.#newest = newer(before, id);
    if (isDurable === undefined) return;
    this.#pending.set(sequence, { sinceMs: performance.now(), before });
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

function newer(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return BigInt(one) < BigInt(other) ? other : one;
}
