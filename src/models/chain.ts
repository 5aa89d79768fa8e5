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
import type { ChainObserver, ModelRetry } from "./chain-observer.ts";
import { failed, isLast, isShown } from "./events.ts";
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
    observer?: ChainObserver,
    options?: ChainOptions,
  ): AsyncIterable<ModelEvent>;
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
  readonly schedule?: Schedule;
  readonly now?: () => number;
}

/**
 * Asks the first model, again after a transient failure, then the next. Only
 * until something was shown: once text, reasoning or a call was yielded, a
 * failure is passed on and the caller decides. If every model's breaker is
 * open, the first one still gets one attempt. If no model yields anything
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
    stream: (
      request,
      signal,
      observer = {},
      { avoid = nothing, requestFor = () => request } = {},
    ) =>
      answer({
        deps,
        request,
        requestFor,
        signal,
        observer,
        avoid,
        deadline: new AnswerDeadline(deps),
      }),
  };
}

const nothing: ReadonlySet<string> = new Set();

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

/** A model that failed before yielding anything. */
interface Miss {
  readonly model: string;
  readonly failure: ModelFailure;
}

async function* answer(question: Question): AsyncGenerator<ModelEvent> {
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
    const failure = yield* askPatiently(question, candidate);
    if (failure === undefined) return;
    misses.push({ model: candidate.model.card.id, failure });
    if (remedy(failure.kind) === "pass") break;
    if (question.deadline.leftMs(0) <= 0) break;
  }
  yield failed(combined(misses));
}

/** Undefined when all was said, by the model or by an abort. */
async function* askPatiently(
  question: Question,
  candidate: Candidate,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const { deps, signal, observer, deadline } = question;
  const { model, policy, behind } = candidate;
  for (let attempt = 1; ; attempt += 1) {
    let failure: ModelFailure | undefined;
    {
      using trial = tryOnce(question, candidate);
      failure = yield* hear(question, model, trial);
    }
    if (failure === undefined || signal.aborted) return undefined;
    const wantedMs = deps.breakers.isOpen(model.card.id)
      ? undefined
      : retryDelayMs(failure, attempt, policy, deps.random);
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

/** One attempt, and how long it may show nothing. Disposing ends it. */
interface Trial extends Disposable {
  readonly attempt: Attempt;
  readonly limit: ReturnType<AnswerDeadline["limit"]>;
}

function tryOnce({ signal, observer, deadline }: Question, { model, behind }: Candidate): Trial {
  const attempt = new Attempt(model, observer);
  const limit = deadline.limit(behind);
  // The caller does not wait for an aborted stream's end.
  const stop = (): void => attempt.end();
  signal.addEventListener("abort", stop, { once: true });
  return {
    attempt,
    limit,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", stop);
      limit.cancel();
      attempt.end();
    },
  };
}

/**
 * Passes on the events of one attempt, or its failure if it came before
 * anything was yielded. Usage is held back until then: a lost attempt's usage
 * belongs to no answer. The attempt ends before its last event is passed on,
 * because the consumer may stop reading there.
 */
async function* hear(
  { deps, requestFor, signal, observer }: Question,
  model: Model,
  { attempt, limit }: Trial,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const { id } = model.card;
  const held: ModelEvent[] = [];
  const either = AbortSignal.any([signal, limit.signal]);
  let shown = false;
  // The request depends on what the server reports about its model.
  await untilAborted(learnCards([model]), either);
  const request = requestFor(model.card);
  const beganAtMs = deps.breakers.now();
  for await (const event of model.stream(request, either, attempt.observer)) {
    if (event.type === "usage") {
      if (!isUsage(event.usage)) continue;
      attempt.usage = event.usage;
    }
    if (event.type === "failure") {
      if (isPassing(event.failure.kind)) deps.breakers.failed(id, beganAtMs);
      attempt.end(event.failure);
      if (!shown) return event.failure;
    } else if (!shown && (isShown(event) || isLast(event))) {
      limit.cancel();
      shown = true;
      observer.onModel?.(attempt.card);
      yield* held;
    }
    if (event.type === "finish") {
      deps.breakers.succeeded(id);
      attempt.end();
    }
    if (event.type === "usage" && !shown) held.push(event);
    else yield event;
    if (isLast(event)) return undefined;
  }
  if (signal.aborted) return undefined;
  const failure: ModelFailure =
    limit.signal.aborted && !shown
      ? {
          kind: "timeout",
          message: `no data for ${Math.round(limit.ms / 1000)} s`,
        }
      : { kind: "network", message: "the stream ended without a finish" };
  deps.breakers.failed(id, beganAtMs);
  attempt.end(failure);
  if (!shown) return failure;
  yield failed(failure);
  return undefined;
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
  return { ...(chosen ?? { kind: "overloaded" }), message };
}
