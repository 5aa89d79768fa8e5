/** Milliseconds. */
export interface BackoffRange {
  /** After the first failure. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Exponential backoff: the delay after `failures` failures in a row, from 1. Milliseconds. */
export const backoffMs = (failures: number, { firstMs, maxMs }: BackoffRange): number =>
  Math.min(maxMs, firstMs * 2 ** (failures - 1));

/**
 * Equal jitter: half of the delay is fixed and half is random, so that clients that failed together
 * don't retry together. @param random In `[0, 1)`.
 */
export const equalJitter = (delayMs: number, random: number): number =>
  delayMs * (0.5 + random / 2);
