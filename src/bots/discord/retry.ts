import { setTimeout as sleep } from "node:timers/promises";

export interface RetryOptions {
  /** Ends the waiting between two attempts at once. */
  readonly signal: AbortSignal;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** Called after a failure: false stops, and the failure is thrown. `attempts` counts those made. */
  readonly again: (failure: unknown, attempts: number) => boolean;
}

/**
 * Repeats until it fulfils. The delay doubles, with full jitter in its upper half.
 * Not cockatiel: its delay cannot be ended by a signal, and a bot that ends must not wait for it.
 * @throws the last failure, when `again` says no or the signal is aborted.
 */
export async function retried<T>(
  attempt: () => Promise<T>,
  { signal, firstDelayMs, maxDelayMs, again }: RetryOptions,
): Promise<T> {
  for (let attempts = 1; ; attempts += 1)
    try {
      return await attempt();
    } catch (failure) {
      if (signal.aborted || !again(failure, attempts)) throw failure;
      const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** (attempts - 1));
      const jitteredMs = delayMs * (0.5 + Math.random() / 2);
      await sleep(jitteredMs, undefined, { signal }).catch(() => {
        throw failure;
      });
    }
}

/** @throws the signal's reason once it is aborted, whatever the result of the work. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason as Error);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Fulfils with the work, or after the time, whatever the result of the work. @throws what the work throws in time. */
export async function atMost(
  work: Promise<unknown>,
  limitMs: number,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  timer.unref();
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
