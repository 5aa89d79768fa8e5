import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import type { PlatformWatch } from "../../../core/outage.ts";
import { backoffMs, equalJitter } from "../../../util/backoff.ts";
import type { Sleep } from "../../../util/sleep.ts";

export interface BackoffDependencies {
  readonly log: Logger;
  readonly sleep: Sleep;
  /** In `[0, 1)`. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Given where what is retried is Telegram's serving this bot. */
  readonly serving?: PlatformWatch;
}

export interface Failure {
  /** Names the state; a line is logged when it changes. */
  readonly kind: string;
  readonly explanation: string;
  readonly cause: string;
  /** Milliseconds; absent: longer with every attempt. */
  readonly afterMs?: number;
}

const range = { firstMs: 500, maxMs: 30_000 };

/** This process has not reached Telegram for so long that another one should try. */
export class OutOfReachError extends Error {}

/**
 * Failures that may affect this process alone: its network connection to Telegram, or its token.
 */
const localFailures: ReadonlySet<string> = new Set(["network", "token"]);

/** A network that fails for less isn't worth an owner's attention. Milliseconds. */
const briefMs = 5 * 60_000;

/**
 * Retries until it works, and logs once when failures begin, change or end. `well ⇄ failing(kind)`.
 */
export class Backoff {
  readonly #deps: BackoffDependencies;
  readonly #what: string;
  readonly #localFailureLimitMs: number;
  #kind: string | undefined;
  /** Start of an unbroken series of local failures, by `performance.now()`. */
  #localFailureAtMs: number | undefined;

  /**
   * @param what Names the work in the line that says it works again.
   * @param localFailureLimitMs How long a series of local failures may last.
   */
  constructor(deps: BackoffDependencies, what: string, localFailureLimitMs = Infinity) {
    this.#deps = deps;
    this.#what = what;
    this.#localFailureLimitMs = localFailureLimitMs;
  }

  /**
   * Waits before attempt number `attempt` (the second is 1). Rejects when the signal aborts.
   * @throws OutOfReachError when failure of our own has lasted too long.
   */
  async wait(
    failure: Failure,
    attempt: number,
    signal: AbortSignal = this.#deps.signal,
  ): Promise<void> {
    const { log, sleep, random } = this.#deps;
    const { kind, explanation, cause, afterMs } = failure;
    if (this.#kind !== kind) log.warn({ cause }, explanation);
    this.#kind = kind;
    const leftMs = this.#leftMs(kind);
    this.#report(failure);
    if (leftMs <= 0) throw new OutOfReachError(cause);
    const delayMs = afterMs ?? equalJitter(backoffMs(attempt, range), random());
    await sleep(Math.min(leftMs, delayMs), signal);
    signal.throwIfAborted();
  }

  #leftMs(kind: string): number {
    if (!localFailures.has(kind)) {
      this.#localFailureAtMs = undefined;
      return Infinity;
    }
    const nowMs = performance.now();
    this.#localFailureAtMs ??= nowMs;
    return this.#localFailureAtMs + this.#localFailureLimitMs - nowMs;
  }

  #report({ kind, cause }: Failure): void {
    const { serving } = this.#deps;
    if (kind === "token") serving?.failed({ kind: "auth", cause });
    if (kind !== "network") return;
    const lastedMs = performance.now() - (this.#localFailureAtMs ?? Infinity);
    if (lastedMs >= briefMs) serving?.failed({ kind: "network", cause });
  }

  itWorks(): void {
    this.#localFailureAtMs = undefined;
    this.#deps.serving?.served();
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#deps.log.info(`${this.#what} works again`);
  }
}
