import type { Backoff } from "./backoff.ts";
import { failureOf } from "./failure.ts";

export interface RetryOptions {
  readonly backoff: Backoff;
  readonly signal: AbortSignal;
  /** Throws what is not worth another try. */
  readonly refuses?: (error: unknown) => void;
}

/**
 * Makes a request until Telegram fulfils it. @throws what `refuses` throws; the signal's reason
 * when it aborts.
 */
export async function retryUntilAccepted<T>(
  request: () => Promise<T>,
  { backoff, signal, refuses }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await request();
      backoff.itWorks();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      refuses?.(error);
      await backoff.wait(failureOf(error), attempt);
    }
  }
}
