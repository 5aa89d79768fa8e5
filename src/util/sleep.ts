import { setTimeout } from "node:timers/promises";

/** Fulfils after `ms`. Rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>;

/**
 * Fulfils after `ms`. @throws an `AbortError`, whose cause is the signal's reason, as soon as the
 * signal aborts.
 */
export const sleep = (ms: number, signal?: AbortSignal): Promise<undefined> =>
  setTimeout(ms, undefined, signal && { signal });

/** As `sleep`, but doesn't keep the process running. */
export const sleepUnref = (ms: number, signal?: AbortSignal): Promise<undefined> =>
  setTimeout(ms, undefined, { ref: false, ...(signal && { signal }) });
