import type { Model, ModelEvent, ModelObserver, ModelRequest } from "../core/model.ts";
import { failedAs, isLast } from "./events.ts";

export interface TimeLimits {
  /**
   * From the request to the first sign of life: connecting, loading the model, reading the prompt.
   */
  readonly firstEventMs: number;
  /** Between two signs of life. */
  readonly idleMs: number;
  /** The whole answer. */
  readonly totalMs: number;
}

export const cloudLimits: TimeLimits = {
  firstEventMs: 120_000,
  idleMs: 120_000,
  totalMs: 300_000,
};

/** A model on hardware of our own may have to be loaded, and reads a long prompt slowly. */
export const localLimits: TimeLimits = {
  firstEventMs: 300_000,
  idleMs: 300_000,
  totalMs: 300_000,
};

interface Timer extends Disposable {
  /** Starts the time again. */
  refresh(): unknown;
}

/** Runs something after `ms`; disposing the timer cancels it. */
export type Schedule = (run: () => void, ms: number) => Timer;

export const realTimers: Schedule = (run, ms) => setTimeout(run, ms);

/**
 * The same model, whose streams end in time: with a `timeout` failure, the request aborted, when it
 * is silent for too long or takes too long in all; without any event after an abort from outside.
 */
export function withTimeLimits(
  model: Model,
  limits: TimeLimits,
  { schedule = realTimers }: { readonly schedule?: Schedule } = {},
): Model {
  return {
    get card() {
      return model.card;
    },
    learnCard: async () => model.learnCard?.(),
    stream: (request, signal, observer) =>
      signal.aborted
        ? Promise.resolve()
        : new LimitedStream({ model, limits, schedule, signal, observer }).run(request),
  };
}

interface Asked {
  readonly model: Model;
  readonly limits: TimeLimits;
  readonly schedule: Schedule;
  readonly signal: AbortSignal;
  readonly observer: ModelObserver;
}

/**
 * One stream under its limits: `running → over`. Whatever ends it ends the request within, but for
 * a finish: then the model closes its request by itself.
 */
class LimitedStream {
  readonly #asked: Asked;
  readonly #request = new AbortController();
  readonly #over = Promise.withResolvers<void>();
  readonly #total: Timer;
  #silence: Timer;
  #heard = false;
  #isOver = false;
  readonly #stop = (): void => this.#end();

  constructor(asked: Asked) {
    this.#asked = asked;
    const { limits, signal } = asked;
    signal.addEventListener("abort", this.#stop, { once: true });
    this.#total = this.#limit("the answer took longer than", limits.totalMs);
    // An answer that comes whole shows no sign of life before its end.
    const { totalMs, firstEventMs } = limits;
    this.#silence = this.#limit("no data for", asked.model.card.streaming ? firstEventMs : totalMs);
  }

  /** Not later than the limits, even where the model ignores its signal. */
  async run(request: ModelRequest): Promise<void> {
    const { model, observer } = this.#asked;
    try {
      const stream = model.stream(request, this.#request.signal, {
        ...observer,
        onEvent: (event) => this.#hear(event),
      });
      await Promise.race([stream, this.#over.promise]);
      this.#fail("network", "the stream ended without a finish");
    } finally {
      this.#end();
    }
  }

  #hear(event: ModelEvent): void {
    if (this.#isOver) return;
    if (isLast(event)) this.#end(event);
    else {
      this.#signOfLife();
      if (!isLifeSign(event)) this.#asked.observer.onEvent(event);
    }
  }

  #signOfLife(): void {
    if (this.#heard) {
      this.#silence.refresh();
      return;
    }
    this.#heard = true;
    this.#silence[Symbol.dispose]();
    this.#silence = this.#limit("no data for", this.#asked.limits.idleMs);
  }

  #limit(what: string, ms: number): Timer {
    const { schedule } = this.#asked;
    return schedule(() => this.#fail("timeout", `${what} ${ms / 1000} s`), ms);
  }

  #fail(kind: "timeout" | "network", message: string): void {
    this.#end(failedAs(kind, message));
  }

  #end(last?: ModelEvent): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { signal, observer } = this.#asked;
    this.#total[Symbol.dispose]();
    this.#silence[Symbol.dispose]();
    signal.removeEventListener("abort", this.#stop);
    try {
      if (last !== undefined) observer.onEvent(last);
    } finally {
      if (last?.type !== "finish") this.#request.abort(over);
      this.#over.resolve();
    }
  }
}

/**
 * Every request ends with it, usually after the reader has left, so one shared
 * error is enough.
 */
const over = new DOMException("the request is over", "AbortError");

function isLifeSign(event: ModelEvent): boolean {
  return event.type === "text-delta" && event.text === "";
}
