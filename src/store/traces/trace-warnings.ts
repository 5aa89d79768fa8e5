import type { Logger } from "pino";

/** Milliseconds between two warnings. */
const intervalMs = 60_000;

/**
 * Warns the operator of lost traces: at once, then at most once a minute with
 * the total since.
 */
export class TraceWarnings {
  readonly #log: Pick<Logger, "warn">;
  readonly #sentence: string;
  #lost = 0;
  #cause = "";
  #pause: NodeJS.Timeout | undefined;

  constructor(log: Pick<Logger, "warn">, sentence = "traces of model calls are lost") {
    this.#log = log;
    this.#sentence = sentence;
  }

  /** @param cause never holds a text of a trace. */
  lost(cause: string, count = 1): void {
    this.#lost += count;
    this.#cause = cause;
    if (this.#pause === undefined) this.#say();
  }

  #say(): void {
    this.#log.warn({ lost: this.#lost, cause: this.#cause }, this.#sentence);
    this.#lost = 0;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#lost > 0) this.#say();
    }, intervalMs).unref();
  }
}
