import type { ChildProcess } from "node:child_process";
import { channel } from "node:diagnostics_channel";
import { afterEach, beforeEach, expect } from "vitest";

export interface LiveChildren {
  /** How many child processes there are now. */
  now(): number;
  /** How many there were at the same time since the test began. */
  most(): number;
  /** How many have begun since the test began. */
  begun(): number;
}

/** Watches the child processes that this test file starts; a test that leaves one behind fails. */
export function watchChildren(endAll: () => void = () => undefined): LiveChildren {
  const live = new Set<ChildProcess>();
  let most = 0;
  let begun = 0;
  const onChild = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess };
    live.add(child);
    begun += 1;
    most = Math.max(most, live.size);
    child.once("exit", () => live.delete(child));
    child.once("error", () => live.delete(child));
  };
  beforeEach(() => {
    most = 0;
    begun = 0;
    channel("child_process").subscribe(onChild);
  });
  afterEach(async () => {
    endAll();
    await expect.poll(() => live.size).toBe(0);
    channel("child_process").unsubscribe(onChild);
  });
  return { now: () => live.size, most: () => most, begun: () => begun };
}
