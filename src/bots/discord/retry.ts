import { backoffMs, equalJitter } from "../../util/backoff.ts";
import { sleep } from "../../util/sleep.ts";

export interface RetryOptions {
  /** Ends the waiting between two attempts at once. */
  readonly signal: AbortSignal;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /**
   * Called after a failure: false stops, and the failure is thrown. `attempts` counts those made.
   */
  readonly again: (failure: unknown, attempts: number) => boolean;
}

/**
 * Repeats until it fulfils. The delay doubles, with equal jitter.
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
      const range = { firstMs: firstDelayMs, maxMs: maxDelayMs };
      const delayMs = backoffMs(attempts, range);
      const jitteredMs = equalJitter(delayMs, Math.random());
      await sleep(jitteredMs, signal).catch(() => {
        throw failure;
      });
    }
}

/**
 * Fulfils with the work, or after the time, whatever the result of the work. @throws what the work
 * throws in time.
 */
export async function atMost(work: Promise<unknown>, limitMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, limitMs);
  timer.unref();
  try {
    await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
