import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import type { HeldLease } from "../../../core/ports.ts";
import { sleep } from "../../../util/sleep.ts";

const retakeEveryMs = 250;
const failedEveryMs = 1_000;
/** Longer than a lease. */
const timeoutMs = 10_000;

interface KeptLeaseDeps {
  /** Takes the lease again. Undefined: another process has it. */
  readonly retake: () => Promise<HeldLease | undefined>;
  /** No other process has taken the resource yet. */
  readonly isInUse: () => boolean;
  readonly onGone: () => void;
  readonly log: Logger;
  /** Aborts before it is disposed. */
  readonly signal: AbortSignal;
}

/**
 * A lease that is taken again when it ran out, as it does while the store is away: `held ⇄ lost →
 * gone`, the last when another process has it.
 */
export class KeptLease implements AsyncDisposable {
  readonly #deps: KeptLeaseDeps;
  #lease: HeldLease;
  #retaken: Promise<void> = Promise.resolve();
  #isGone = false;

  constructor(lease: HeldLease, deps: KeptLeaseDeps) {
    this.#deps = deps;
    this.#lease = lease;
    this.#watch(lease);
  }

  get fence(): number {
    return this.#lease.fence;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Fulfils when it is held; never, once it is gone. */
  async held(): Promise<void> {
    while (!this.#deps.signal.aborted && this.#lease.lost.aborted) {
      await this.#retaken;
      if (this.#isGone) return new Promise(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lease[Symbol.asyncDispose]();
  }

  #watch(lease: HeldLease): void {
    lease.lost.addEventListener("abort", () => void (this.#retaken = this.#retake()), {
      once: true,
    });
  }

  /** Never rejects. */
  async #retake(): Promise<void> {
    const { log, signal, retake, isInUse, onGone } = this.#deps;
    let patientUntil = Number.POSITIVE_INFINITY;
    while (!signal.aborted)
      try {
        const lease = await retake();
        if (signal.aborted) return await lease?.[Symbol.asyncDispose]();
        if (lease !== undefined) {
          this.#lease = lease;
          return this.#watch(lease);
        }
        // It may be a late renewal of our own that keeps us out.
        patientUntil = Math.min(patientUntil, performance.now() + timeoutMs);
        if (!isInUse() || performance.now() >= patientUntil) {
          this.#isGone = true;
          return onGone();
        }
        await sleep(retakeEveryMs);
      } catch (failure) {
        const cause = messageOf(failure);
        log.warn({ cause }, "a lease could not be taken again");
        await sleep(failedEveryMs);
      }
  }
}
