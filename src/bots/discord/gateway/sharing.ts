import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { backoffMs } from "../../../util/backoff.ts";
import type { GatewayMemory } from "./memory.ts";

/**
 * For how long who cannot reach Discord leaves its shards to others: at first, doubled each time,
 * and at most.
 */
const pause = { firstMs: 30_000, maxMs: 10 * 60_000 };
/** Discord counts refused attempts as well, so the pause is longer. */
const refusedPauseMs = 5 * 60_000;
/** By then the other processes have looked for free shards more than once. */
const shortestPauseMs = 5_000;

interface SharingDeps {
  readonly memory: Pick<GatewayMemory, "meet" | "leave">;
  readonly log: Logger;
  /** Ends the waiting for the memory. */
  readonly signal: AbortSignal;
}

/**
 * With how many others this process shares the shards: `counting ⇄ pausing`, and who pauses does
 * not count.
 */
export class Sharing {
  readonly #deps: SharingDeps;
  #pausing: { fromMs: number; forMs: number; isRefused: boolean } | undefined;
  /** Since Discord was last reached. */
  #pauses = 0;
  #isMemoryAway = false;

  constructor(deps: SharingDeps) {
    this.#deps = deps;
  }

  /**
   * How many other processes share the shards: none, while the memory cannot say. @throws the
   * signal's reason only.
   */
  async others(): Promise<number> {
    const { memory, log, signal } = this.#deps;
    try {
      const others = this.#pausing
        ? await unlessAborted(memory.leave(), signal)
        : (await unlessAborted(memory.meet(), signal)) - 1;
      this.#isMemoryAway = false;
      return others;
    } catch (failure) {
      signal.throwIfAborted();
      const cause = messageOf(failure);
      if (!this.#isMemoryAway) log.warn({ cause }, "how many processes there are is not known");
      this.#isMemoryAway = true;
      return 0;
    }
  }

  reached(): void {
    this.#pauses = 0;
  }

  pause({ isRefused }: { readonly isRefused: boolean }): void {
    this.#pauses += 1;
    const forMs = isRefused ? refusedPauseMs : backoffMs(this.#pauses, pause);
    this.#pausing = { fromMs: performance.now(), forMs, isRefused };
  }

  /** Ends early if no other process is there to try. */
  isPausing(others: number): boolean {
    if (!this.#pausing) return false;
    const { fromMs, forMs, isRefused } = this.#pausing;
    const leastMs = others > 0 || isRefused ? forMs : shortestPauseMs;
    const isOver = performance.now() - fromMs >= leastMs;
    if (isOver) this.#pausing = undefined;
    return !isOver;
  }
}
