import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Requests to Telegram, and how they end with us: `open → ending → over`. Once the end is announced
 * those in flight get a grace, for a message that is cut off has an unknown fate; then all are
 * aborted, those that come later at once.
 */
export class InFlight {
  readonly #graceMs: number;
  readonly #over = new AbortController();
  readonly #running = new Set<Promise<unknown>>();
  #grace: NodeJS.Timeout | undefined;

  constructor(graceMs: number) {
    this.#graceMs = graceMs;
  }

  /** Aborts the requests: each must be made with it. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  /** Returns the request's result or error. */
  track<T>(request: Promise<T>): Promise<T> {
    const running = request.then(
      () => void this.#running.delete(running),
      () => void this.#running.delete(running),
    );
    this.#running.add(running);
    return request;
  }

  /** The grace period begins, unless it has begun before. */
  announceEnd(): void {
    if (this.#grace !== undefined || this.signal.aborted) return;
    this.#grace = setTimeout(() => this.#over.abort(), this.#graceMs);
    this.#grace.unref();
  }

  /** Fulfils when no request is in flight, at the latest at the end of the grace period. */
  async end(): Promise<void> {
    this.announceEnd();
    while (this.#running.size > 0) {
      await Promise.all(this.#running);
      // A message that was refused for its formatting is sent again without it.
      await nextTurn();
    }
    this.#over.abort();
    clearTimeout(this.#grace);
  }
}
