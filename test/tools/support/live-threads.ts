import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect } from "vitest";

export interface LiveThreads {
  /** How many threads there are now. */
  now(): number;
  /** How many there were at the same time since the test began. */
  most(): number;
  /** How many have begun since the test began. */
  begun(): number;
  /** Resolves when the next thread runs its script. */
  nextOnline(): Promise<void>;
}

/** Watches the threads of this test file's process; a test that leaves one behind fails. */
export function watchThreads(): LiveThreads {
  const live = new Set<Worker>();
  let most = 0;
  let begun = 0;
  let online = Promise.withResolvers<void>();
  const onWorker = (worker: Worker): void => {
    live.add(worker);
    begun += 1;
    most = Math.max(most, live.size);
    worker.once("online", () => {
      online.resolve();
      online = Promise.withResolvers();
    });
    worker.once("exit", () => live.delete(worker));
  };
  beforeEach(() => {
    most = 0;
    begun = 0;
    process.on("worker", onWorker);
  });
  afterEach(() => {
    process.off("worker", onWorker);
    expect(live.size).toBe(0);
  });
  return {
    now: () => live.size,
    most: () => most,
    begun: () => begun,
    nextOnline: () => online.promise,
  };
}
