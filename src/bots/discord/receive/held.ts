import type { Logger } from "pino";

/** Discord delivers an event once: this many are kept here while the store can't accept them. */
const defaultLimit = 10_000;
/** How long losses are counted before they are reported. */
const reportAfterMs = 1_000;

/** One event that waits for the store. */
export interface HeldEvent {
  /** Aborts when it is dropped, since too many others arrived after it. */
  readonly dropped: AbortSignal;
  release(): void;
}

/** All events that wait for the store. If there are too many, the oldest is dropped. */
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

  /** Counts a dropped event; a log line reports the number. */
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
