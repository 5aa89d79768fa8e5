import type { Model, ModelEvent, ModelObserver, ModelRequest } from "../core/model.ts";
import { UntilAborted } from "../util/abort.ts";
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

/** Runs something after `ms`; the result cancels it. */
export type Schedule = (run: () => void, ms: number) => () => void;

export const realTimers: Schedule = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * The same model, whose streams end in time: with a `timeout` failure, the request aborted, when it
 * is silent for too long or takes too long in all; without any event after an abort from outside.
 * The time in which the consumer is busy with an event is not idle time.
 */
export function withTimeLimits(
  model: Model,
  limits: TimeLimits,
  deps: { readonly schedule?: Schedule } = {},
): Model {
  return {
    get card() {
      return model.card;
    },
    learnCard: async () => model.learnCard?.(),
    stream: (request, signal, observer) =>
      new LimitedStream(model, limits, deps.schedule ?? realTimers).run(request, signal, observer),
  };
}

/**
 * One stream under its limits: `running → expired | ended`. Whatever ends it ends the request
 * within.
 */
class LimitedStream {
  readonly #model: Model;
  readonly #limits: TimeLimits;
  readonly #schedule: Schedule;
  readonly #request = new AbortController();
  #expired: string | undefined;
  #waitMs: number;
  /** The model's answer is complete; its stream closes by itself. */
  #isOver = false;

  constructor(model: Model, limits: TimeLimits, schedule: Schedule) {
    this.#model = model;
    this.#limits = limits;
    this.#schedule = schedule;
    // An answer that comes whole shows no sign of life before its end.
    this.#waitMs = model.card.streaming ? limits.firstEventMs : limits.totalMs;
  }

  async *run(
    request: ModelRequest,
    signal: AbortSignal,
    observer: ModelObserver | undefined,
  ): AsyncGenerator<ModelEvent> {
    if (signal.aborted) return;
    const stop = (): void => this.#request.abort(over);
    signal.addEventListener("abort", stop, { once: true });
    const { totalMs } = this.#limits;
    const cancelTotal = this.#limit("the answer took longer than", totalMs);
    const stream = this.#model.stream(request, this.#request.signal, observer);
    const events = stream[Symbol.asyncIterator]();
    using until = new UntilAborted(this.#request.signal);
    try {
      for (;;) {
        const event = await this.#next(events, until);
        if (event === undefined) break;
        if (isLifeSign(event)) continue;
        yield event;
        if (isLast(event)) return;
      }
      if (this.#expired !== undefined) yield failedAs("timeout", this.#expired);
    } finally {
      cancelTotal();
      signal.removeEventListener("abort", stop);
      if (!this.#isOver) stop();
      // Not awaited: a request that ignores its signal would hold up the consumer.
      events.return?.()?.catch(() => undefined);
    }
  }

  /** Undefined: the request was aborted, by us or from outside. */
  async #next(
    events: AsyncIterator<ModelEvent>,
    until: UntilAborted,
  ): Promise<ModelEvent | undefined> {
    const cancelIdle = this.#limit("no data for", this.#waitMs);
    const next = await until.wait(events.next());
    cancelIdle();
    if (next === undefined || this.#request.signal.aborted) return undefined;
    if (next.done === true) return failedAs("network", "the stream ended without a finish");
    this.#waitMs = this.#limits.idleMs;
    this.#isOver = next.value.type === "finish";
    return next.value;
  }

  #limit(what: string, ms: number): () => void {
    return this.#schedule(() => {
      this.#expired ??= `${what} ${ms / 1000} s`;
      this.#request.abort(over);
    }, ms);
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
