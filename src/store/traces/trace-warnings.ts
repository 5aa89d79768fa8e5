import type { Logger } from "pino";

/** Milliseconds between two warnings. */
const intervalMs = 60_000;

/**
 * Warns the operator of lost traces: at once, then at most once a minute with
 * the total since.
 */
export class TraceWarnings {
  readonly #log: Pick<Logger, "warn">;
  #lost = 0;
  #cause = "";
  #pause: NodeJS.Timeout | undefined;

  constructor(log: Pick<Logger, "warn">) {
    this.#log = log;
  }

  /** @param cause never holds a text of a trace. */
  lost(cause: string): void {
    this.#lost += 1;
    this.#cause = cause;
    if (this.#pause === undefined) this.#say();
  }

  #say(): void {
    this.#log.warn({ lost: this.#lost, cause: this.#cause }, "traces of model calls are lost");
    this.#lost = 0;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#lost > 0) this.#say();
    }, intervalMs).unref();
  }
}
