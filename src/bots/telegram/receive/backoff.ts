import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { backoffMs, equalJitter } from "../../../util/backoff.ts";
import type { Sleep } from "../../../util/sleep.ts";

export interface BackoffDependencies {
  readonly log: Logger;
  readonly sleep: Sleep;
  /** In `[0, 1)`. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export interface Trouble {
  /** Names the state; a line is logged when it changes. */
  readonly kind: string;
  readonly explanation: string;
  readonly cause: string;
  /** Milliseconds; absent: longer with every attempt. */
  readonly afterMs?: number;
}

const range = { firstMs: 500, maxMs: 30_000 };

/** Telegram is out of reach from here for so long that another process may have better luck. */
export class OutOfReachError extends Error {}

/** Trouble that may be this process' alone: its way to Telegram, or the token that it has. */
const ownTroubles: ReadonlySet<string> = new Set(["network", "token"]);

/** Tries again and again until it works, and says so once when trouble begins, changes or ends. `well ⇄ troubled(kind)`. */
export class Backoff {
  readonly #deps: BackoffDependencies;
  readonly #what: string;
  readonly #ownTroubleLimitMs: number;
  #kind: string | undefined;
  /** Since when there has been nothing but trouble of our own, by `performance.now()`. */
  #ownTroubleAtMs: number | undefined;

  /**
   * @param what Names the work in the line that says it works again.
   * @param ownTroubleLimitMs How long trouble that may be this process' alone is borne.
   */
  constructor(
    deps: BackoffDependencies,
    what: string,
    ownTroubleLimitMs = Infinity,
  ) {
    this.#deps = deps;
    this.#what = what;
    this.#ownTroubleLimitMs = ownTroubleLimitMs;
  }

  /**
   * Waits before attempt number `attempt` (the second is 1). Rejects when the signal aborts.
   * @throws OutOfReachError when trouble of our own has lasted too long.
   */
  async wait(
    trouble: Trouble,
    attempt: number,
    signal: AbortSignal = this.#deps.signal,
  ): Promise<void> {
    const { log, sleep, random } = this.#deps;
    const { kind, explanation, cause, afterMs } = trouble;
    if (this.#kind !== kind) log.warn({ cause }, explanation);
    this.#kind = kind;
    const leftMs = this.#leftMs(kind);
    if (leftMs <= 0) throw new OutOfReachError(cause);
    const delayMs = afterMs ?? equalJitter(backoffMs(attempt, range), random());
    await sleep(Math.min(leftMs, delayMs), signal);
    signal.throwIfAborted();
  }

  #leftMs(kind: string): number {
    if (!ownTroubles.has(kind)) {
      this.#ownTroubleAtMs = undefined;
      return Infinity;
    }
    const nowMs = performance.now();
    this.#ownTroubleAtMs ??= nowMs;
    return this.#ownTroubleAtMs + this.#ownTroubleLimitMs - nowMs;
  }

  itWorks(): void {
    this.#ownTroubleAtMs = undefined;
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#deps.log.info(`${this.#what} works again`);
  }
}
