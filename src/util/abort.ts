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

  /**
   * Settles with the promise, or fulfils with undefined as soon as the signal aborts. One at a
   * time.
   */
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

/**
 * Settles with the promise. Leaves no listener behind. @throws the signal's reason as soon as the
 * signal aborts.
 */
export async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value> {
  const { promise: aborting, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborting]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Fulfils as soon as the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
