import { PermanentError } from "../core/errors.ts";
import type {
  Model,
  ModelCard,
  ModelEvent,
  ModelFailure,
  ModelOptions,
  ModelRequest,
} from "../core/model.ts";
import { untilAborted } from "../util/abort.ts";
import type { Sleep } from "../util/sleep.ts";
import { Attempt } from "./attempt.ts";
import type { Breakers } from "./breaker.ts";
import type { ChainObserver, ModelAttempt, ModelRetry } from "./chain-observer.ts";
import { failed, isShown } from "./events.ts";
import type { Schedule } from "./limits.ts";
import { learnCards, orderFor } from "./order.ts";
import { AnswerDeadline } from "./answer-deadline.ts";
import type { RetryPolicy } from "./retry.ts";
import { defaultRetry, isPassing, remedy, retryDelayMs } from "./retry.ts";
import { isUsage } from "./usage.ts";

export interface ChainOptions {
  /** Models that are left out, by `provider/model`; where that leaves none, none is. */
  readonly avoid?: ReadonlySet<string>;
  /**
   * Adapts the request to a model, since each provider sees a different history. Called per
   * attempt.
   */
  readonly requestFor?: (card: ModelCard) => ModelRequest;
}

/**
 * Several models as one. `card` is the first one's; the observer learns which
 * one answered.
 */
export interface ModelChain extends Model {
  readonly cards: readonly ModelCard[];
  /** Defaults for the first model, unless the request sets them. */
  readonly options?: ModelOptions;
  /** The same for any of its models; absent: unknown. */
  readonly optionsFor?: (card: ModelCard) => ModelOptions;
  stream(
    request: ModelRequest,
    signal: AbortSignal,
    observer: ChainObserver,
    options?: ChainOptions,
  ): Promise<void>;
}

export interface ChainDeps {
  readonly models: readonly Model[];
  /** Told by the chain, and put into its models' requests already. */
  readonly options?: ModelOptions;
  readonly optionsFor?: (card: ModelCard) => ModelOptions;
  readonly retry?: RetryPolicy;
  readonly sleep: Sleep;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Shared by all chains that hold the same models. */
  readonly breakers: Breakers;
  readonly onRetry?: (retry: ModelRetry) => void;
  /** Every attempt, once, at its end. */
  readonly onAttempt?: (attempt: ModelAttempt) => void;
  readonly schedule?: Schedule;
  readonly now?: () => number;
}

/**
 * Asks the first model, again after a transient failure, then the next. Only
 * until something was shown: once text, reasoning or a call was passed on, a
 * failure is passed on and the caller decides. If every model's breaker is
 * open, the first one still gets one attempt. If no model says anything
 * within 5 minutes in all, the answer fails. Impossible usage figures are
 * dropped. A request with images asks vision models first.
 *
 * @throws PermanentError without models.
 */
export function createModelChain(deps: ChainDeps): ModelChain {
  const [first] = deps.models;
  if (!first) throw new PermanentError("A chain needs at least one model");
  return {
    get card() {
      return first.card;
    },
    get cards() {
      return deps.models.map((model) => model.card);
    },
    ...(deps.options === undefined ? {} : { options: deps.options }),
    ...(deps.optionsFor === undefined ? {} : { optionsFor: deps.optionsFor }),
    learnCard: async () => first.learnCard?.(),
    stream: (request, signal, observer, { avoid = nothing, requestFor = () => request } = {}) =>
      answer({
        deps,
        request,
        requestFor,
        signal,
        observer: alsoTelling(deps.onAttempt, observer),
        avoid,
        deadline: new AnswerDeadline(deps),
      }),
  };
}

const nothing: ReadonlySet<string> = new Set();

const alsoTelling = (onAttempt: ChainDeps["onAttempt"], observer: ChainObserver): ChainObserver =>
  onAttempt === undefined
    ? observer
    : {
        ...observer,
        onAttempt(attempt) {
          onAttempt(attempt);
          observer.onAttempt?.(attempt);
        },
      };

interface Question {
  readonly deps: ChainDeps;
  readonly request: ModelRequest;
  readonly requestFor: (card: ModelCard) => ModelRequest;
  readonly signal: AbortSignal;
  readonly observer: ChainObserver;
  readonly avoid: ReadonlySet<string>;
  readonly deadline: AnswerDeadline;
}

/** One model's turn. */
interface Candidate {
  readonly model: Model;
  readonly policy: RetryPolicy;
  /** How many models of the chain come after it. */
  readonly behind: number;
}

/** A model that failed before anything of its answer was passed on. */
interface Miss {
  readonly model: string;
  readonly failure: ModelFailure;
}

async function answer(question: Question): Promise<void> {
  if (question.signal.aborted) return;
  const { breakers, retry = defaultRetry } = question.deps;
  const models = await orderFor(question.deps.models, question.request, question);
  if (question.signal.aborted) return;
  const misses: Miss[] = [];
  const admitted = function* (): Generator<Candidate> {
    let none = true;
    for (const [index, model] of models.entries()) {
      if (!breakers.admit(model.card.id)) continue;
      none = false;
      yield { model, policy: retry, behind: models.length - index - 1 };
    }
    for (const model of none ? models.slice(0, 1) : [])
      yield { model, policy: { attempts: 0, baseMs: 0 }, behind: 0 };
  };
  for (const candidate of admitted()) {
    const failure = await askPatiently(question, candidate);
    if (failure === undefined) return;
    misses.push({ model: candidate.model.card.id, failure });
    if (remedy(failure.kind) === "pass") break;
    if (question.deadline.leftMs(0) <= 0) break;
  }
  question.observer.onEvent(failed(combined(misses)));
}

/** Undefined when all was said, by the model or by an abort. */
async function askPatiently(
  question: Question,
  candidate: Candidate,
): Promise<ModelFailure | undefined> {
  const { deps, signal, observer, deadline } = question;
  const { model, policy, behind } = candidate;
  for (let attempt = 1; ; attempt += 1) {
    const failure = await new Trial(question, candidate).run();
    if (failure === undefined || signal.aborted) return undefined;
    // The request is made again for a card that says less.
    if (failure.hasNewCard === true) continue;
    const wantedMs = deps.breakers.isOpen(model.card.id)
      ? undefined
      : retryDelayMs(failure, attempt, { ...policy, hasNext: behind > 0 }, deps.random);
    const delayMs =
      wantedMs !== undefined && wantedMs < deadline.leftMs(behind) ? wantedMs : undefined;
    const report = { card: model.card, failure, attempt, delayMs };
    deps.onRetry?.(report);
    observer.onRetry?.(report);
    if (delayMs === undefined) return failure;
    await deps.sleep(delayMs, signal).catch(() => undefined); // Aborted.
    if (signal.aborted) return undefined;
  }
}

/**
 * One attempt: `silent → shown → over`, or `silent → over` with its failure. Usage is held back
 * until something is shown: a lost attempt's usage belongs to no answer. The attempt ends before
 * its last event is passed on, and as soon as the signal aborts.
 */
class Trial {
  readonly #question: Question;
  readonly #model: Model;
  readonly #attempt: Attempt;
  readonly #request = new AbortController();
  readonly #limit: ReturnType<AnswerDeadline["limit"]>;
  readonly #over = Promise.withResolvers<void>();
  readonly #held: ModelEvent[] = [];
  #beganAtMs = 0;
  #shown = false;
  #isOver = false;
  #expired = false;
  #failure: ModelFailure | undefined;
  readonly #stop = (): void => {
    this.#end();
    this.#attempt.end("stopped");
    this.#request.abort(this.#question.signal.reason);
  };

  constructor(question: Question, { model, behind }: Candidate) {
    this.#question = question;
    this.#model = model;
    this.#attempt = new Attempt(model, question.observer);
    this.#limit = question.deadline.limit(behind, () => {
      this.#expired = true;
      this.#request.abort();
    });
    question.signal.addEventListener("abort", this.#stop, { once: true });
  }

  /** The failure, where nothing was shown before it. */
  async run(): Promise<ModelFailure | undefined> {
    const { deps, requestFor, signal } = this.#question;
    try {
      // The request depends on what the server reports about its model.
      await untilAborted(learnCards([this.#model]), this.#request.signal);
      const request = requestFor(this.#model.card);
      this.#beganAtMs = deps.breakers.now();
      const stream = this.#model.stream(request, this.#request.signal, {
        ...this.#attempt.observer,
        onEvent: (event) => this.#hear(event),
      });
      await Promise.race([stream, this.#over.promise]);
      if (!this.#isOver) this.#endWithoutEnd();
      return this.#failure;
    } finally {
      signal.removeEventListener("abort", this.#stop);
      this.#limit[Symbol.dispose]();
      this.#attempt.end();
    }
  }

  #hear(event: ModelEvent): void {
    if (this.#isOver) return;
    switch (event.type) {
      case "usage":
        if (!isUsage(event.usage)) return;
        this.#attempt.usage = event.usage;
        if (this.#shown) this.#pass(event);
        else this.#held.push(event);
        break;
      case "failure":
        if (isPassing(event.failure.kind)) this.#broke();
        this.#fail(event.failure);
        break;
      case "finish":
        this.#show();
        this.#end();
        this.#question.deps.breakers.succeeded(this.#model.card.id);
        this.#attempt.end();
        this.#pass(event);
        break;
      default:
        if (!this.#shown && isShown(event)) this.#show();
        this.#pass(event);
    }
  }

  /** From here on no other model is asked. */
  #show(): void {
    if (this.#shown) return;
    this.#shown = true;
    this.#limit[Symbol.dispose]();
    this.#question.observer.onModel?.(this.#attempt.card);
    for (const event of this.#held) this.#pass(event);
  }

  #endWithoutEnd(): void {
    this.#broke();
    this.#fail(
      this.#expired && !this.#shown
        ? { kind: "timeout", message: `no data for ${Math.round(this.#limit.ms / 1000)} s` }
        : { kind: "network", message: "the stream ended without a finish" },
    );
  }

  #end(): void {
    this.#isOver = true;
    this.#over.resolve();
  }

  #broke(): void {
    this.#question.deps.breakers.failed(this.#model.card.id, this.#beganAtMs);
  }

  #fail(failure: ModelFailure): void {
    this.#end();
    this.#attempt.end(failure);
    if (this.#shown) this.#pass(failed(failure));
    else this.#failure = failure;
  }

  #pass(event: ModelEvent): void {
    const { signal, observer } = this.#question;
    if (!signal.aborted) observer.onEvent(event);
  }
}

/**
 * One failure for all: the last transient one, because its kind decides what
 * the error message asks the person to do.
 */
function combined(misses: readonly Miss[]): ModelFailure {
  const last = misses.at(-1)?.failure;
  const passing = misses.findLast(({ failure }) => isPassing(failure.kind))?.failure;
  const chosen = last && remedy(last.kind) === "pass" ? last : (passing ?? last);
  const message = misses.map(({ model, failure }) => `${model}: ${failure.message}`).join("; ");
  // The model that may be asked first decides when it is worth another try.
  const waits = misses.flatMap(({ failure: { kind, retryAfterMs } }) =>
    isPassing(kind) && retryAfterMs !== undefined ? [retryAfterMs] : [],
  );
  const retryAfterMs = chosen?.retryAfterMs && Math.min(...waits, chosen.retryAfterMs);
  return {
    ...(chosen ?? { kind: "overloaded" }),
    message,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}
