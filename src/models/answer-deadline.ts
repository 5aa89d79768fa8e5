import type { Schedule } from "./limits.ts";
import { realTimers } from "./limits.ts";

/** How long a person may wait for the first sign of an answer, over all models of the chain. */
const totalMs = 300_000;
/**
 * Reserved for each model that hasn't been asked yet, up to half of the
 * remaining time.
 */
const reserveMs = 60_000;

/**
 * The time that one answer of a chain has until something of it is seen, all attempts at all models
 * together. Models that hang share it, so that the last one still has its turn.
 */
export class AnswerDeadline {
  readonly #now: () => number;
  readonly #schedule: Schedule;
  readonly #endsAtMs: number;

  constructor(deps: {
    readonly now?: (() => number) | undefined;
    readonly schedule?: Schedule | undefined;
  }) {
    this.#now = deps.now ?? (() => performance.now());
    this.#schedule = deps.schedule ?? realTimers;
    this.#endsAtMs = this.#now() + totalMs;
  }

  /** For a model with `behind` more models after it; 0 if no time is left. */
  leftMs(behind: number): number {
    const leftMs = Math.max(0, this.#endsAtMs - this.#now());
    return leftMs - Math.min(behind * reserveMs, leftMs / 2);
  }

  /** Runs something at the end of this model's time; disposing the timer cancels it. */
  limit(behind: number, run: () => void): Disposable & { readonly ms: number } {
    const ms = this.leftMs(behind);
    const timer = this.#schedule(run, ms);
    return { ms, [Symbol.dispose]: () => timer[Symbol.dispose]() };
  }
}
