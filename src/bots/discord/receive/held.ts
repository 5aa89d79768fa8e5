import type { Logger } from "pino";

/** What Discord delivers it delivers once: what the store cannot take yet is kept here, this many. */
const defaultLimit = 10_000;
/** How long losses are counted before they are reported. */
const reportAfterMs = 1_000;

/** One event that waits for the store. */
export interface HeldEvent {
  /** Aborts when it has to be given up, since too many came behind it. */
  readonly dropped: AbortSignal;
  release(): void;
}

/** All events that wait for the store. Where there are too many the oldest is given up. */
export class Held {
  readonly #log: Logger;
  readonly #limit: number;
  /** In the order of arrival. */
  readonly #waiting = new Set<AbortController>();
  #lost = 0;
  #isReporting = false;

  constructor(log: Logger, limit: number = defaultLimit) {
    this.#log = log;
    this.#limit = limit;
  }

  hold(): HeldEvent {
    const [oldest] = this.#waiting;
    if (this.#waiting.size >= this.#limit && oldest) {
      this.#waiting.delete(oldest);
      oldest.abort();
    }
    const event = new AbortController();
    this.#waiting.add(event);
    return {
      dropped: event.signal,
      release: () => void this.#waiting.delete(event),
    };
  }

  /** Counts one that was given up; a log line tells how many were. */
  lost(): void {
    this.#lost += 1;
    if (this.#isReporting) return;
    this.#isReporting = true;
    setTimeout(() => {
      this.#log.error(
        { lost: this.#lost },
        "events of Discord's were lost: the store took none of them in time",
      );
      this.#lost = 0;
      this.#isReporting = false;
    }, reportAfterMs).unref();
  }
}
