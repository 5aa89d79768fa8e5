import type { Logger } from "pino";

/** Fulfils after `ms` milliseconds, or rejects when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<unknown>;

export interface PatienceDependencies {
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

const firstMs = 500;
const longestMs = 30_000;

/** Tries again and again until it works, and says so once when trouble begins, changes or ends. `well ⇄ troubled(kind)`. */
export class Patience {
  readonly #deps: PatienceDependencies;
  readonly #what: string;
  #kind: string | undefined;

  /** @param what Names the work in the line that says it works again. */
  constructor(deps: PatienceDependencies, what: string) {
    this.#deps = deps;
    this.#what = what;
  }

  /** Waits before attempt number `attempt` (the second is 1). Rejects when the signal aborts. */
  async wait(trouble: Trouble, attempt: number): Promise<void> {
    const { log, sleep, random, signal } = this.#deps;
    const { kind, explanation, cause, afterMs } = trouble;
    if (this.#kind !== kind) log.warn({ cause }, explanation);
    this.#kind = kind;
    const limit = Math.min(longestMs, firstMs * 2 ** Math.min(attempt - 1, 20));
    await sleep(afterMs ?? limit * (0.5 + random() / 2), signal);
    signal.throwIfAborted();
  }

  itWorks(): void {
    if (this.#kind === undefined) return;
    this.#kind = undefined;
    this.#deps.log.info(`${this.#what} works again`);
  }
}
