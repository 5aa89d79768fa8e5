/**
 * Waits for a series of promises until a signal aborts, with one listener for
 * all of them. Keeps no results: racing each against one promise for the whole
 * stream would keep every event in memory.
 */
export class UntilAborted implements Disposable {
  readonly #signal: AbortSignal;
  #giveUp: (() => void) | undefined;
  readonly #onAbort = (): void => this.#giveUp?.();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Settles with the promise, or fulfils with undefined as soon as the signal aborts. One at a time. */
  wait<Value>(promise: Promise<Value>): Promise<Value | undefined> {
    return new Promise((resolve, reject) => {
      this.#giveUp = () => resolve(undefined);
      promise.then(resolve, reject);
      if (this.#signal.aborted) this.#giveUp();
    });
  }

  [Symbol.dispose](): void {
    this.#signal.removeEventListener("abort", this.#onAbort);
  }
}

/** The same for one promise. Removes its listener. */
export async function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  using until = new UntilAborted(signal);
  return await until.wait(promise);
}
