import { maxTimerMs } from "../tools/call-limit.ts";
import type { TurnSession } from "./turn-session.ts";

/** Interrupts a turn when its active time is used up. */
export class Deadline implements Disposable {
  readonly #session: TurnSession;
  #deadlineMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(session: TurnSession) {
    this.#session = session;
  }

  /**
   * From now on this one counts: another tier may have another. @param deadlineMs active
   * milliseconds of the turn
   */
  keep(deadlineMs: number): void {
    if (deadlineMs === this.#deadlineMs) return;
    this.#deadlineMs = deadlineMs;
    clearTimeout(this.#timer);
    const leftMs = deadlineMs - this.#session.state.counters.activeMs;
    this.#timer = setTimeout(
      () => this.#session.interrupt("deadline"),
      Math.min(Math.max(0, leftMs), maxTimerMs),
    );
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
