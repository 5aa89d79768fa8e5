import type { Interruption, TurnSession } from "../session/turn-session.ts";

/**
 * A stopping process waits this long for a running tool before it leaves it to the next worker.
 * Milliseconds.
 */
const shutdownGraceMs = 700;

/** A longer timer would fire at once. Milliseconds. */
export const maxTimerMs = 2 ** 31 - 1;

type Why = Interruption | "timeout";

/**
 * The end of one running call: its own time limit, or the turn's interruption. The call is no
 * longer waited for then, whether the tool heeds the signal or not.
 */
export class CallLimit implements Disposable {
  readonly reached: Promise<"interrupted" | "timeout">;
  readonly #controller = new AbortController();
  readonly #session: TurnSession;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #onInterrupted = (): void => {
    const why = this.#session.interruption;
    if (why === "shutdown") this.#endIn(shutdownGraceMs, why);
    else this.#controller.abort(why);
  };

  constructor(session: TurnSession, timeoutMs: number) {
    this.#session = session;
    this.reached = new Promise((resolve) => {
      this.signal.addEventListener(
        "abort",
        () => resolve((this.signal.reason as Why) === "timeout" ? "timeout" : "interrupted"),
        { once: true },
      );
    });
    this.#endIn(timeoutMs, "timeout");
    session.signal.addEventListener("abort", this.#onInterrupted, {
      once: true,
    });
    if (session.signal.aborted) this.#onInterrupted();
  }

  /** For the tool; its reason says why: an `Interruption` or `timeout`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#session.signal.removeEventListener("abort", this.#onInterrupted);
  }

  #endIn(delayMs: number, why: Why): void {
    this.#timers.push(setTimeout(() => this.#controller.abort(why), Math.min(delayMs, maxTimerMs)));
  }
}
