import { performance } from "node:perf_hooks";

/** Where nothing is known. What is older is not caught up. */
const longestMs = 24 * 3_600_000;

/** What was written before a session began, while it has still to be looked for. */
export class Missed {
  /** Fulfils with true when it is known since when. */
  readonly isDated: Promise<true>;
  readonly #fromMs = performance.now();
  #gapMs = longestMs;

  /** @param gapMs how long before now everything was durable; undefined: not known. Never rejects. */
  constructor(gapMs: Promise<number | undefined>) {
    this.isDated = gapMs.then((known) => {
      this.#gapMs = known ?? longestMs;
      return true;
    });
  }

  /** How long ago everything was durable. */
  get ageMs(): number {
    return this.#gapMs + performance.now() - this.#fromMs;
  }
}
