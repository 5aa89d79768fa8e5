import { PermanentError } from "../core/errors.ts";
import type {
  Model,
  ModelCard,
  ModelEvent,
  ModelFailure,
  ModelObserver,
  ModelRequest,
} from "../core/model.ts";
import { Attempt } from "./attempt.ts";
import type { Breakers } from "./breaker.ts";
import { failed, failedAs, isLast, isShown } from "./events.ts";
import type { Schedule } from "./limits.ts";
import { Patience } from "./patience.ts";
import type { RetryPolicy } from "./retry.ts";
import { defaultRetry, isPassing, remedy, retryDelayMs } from "./retry.ts";
import type { Sleep } from "./sleep.ts";
import { isUsage } from "./usage.ts";

export interface ModelRetry {
  readonly card: ModelCard;
  readonly failure: ModelFailure;
  /** Of the attempts at this model, from 1: the one that failed. */
  readonly attempt: number;
  /** Undefined: no further attempt at this model. */
  readonly delayMs: number | undefined;
}

interface ChainObserver extends ModelObserver {
  readonly onRetry?: (retry: ModelRetry) => void;
}

/** Several models as one. `card` is the first one's; which one answered is told to the observer. */
export interface ModelChain extends Model {
  readonly cards: readonly ModelCard[];
  stream(
    request: ModelRequest,
    signal: AbortSignal,
    observer?: ChainObserver,
  ): AsyncIterable<ModelEvent>;
}

export interface ChainDeps {
  readonly models: readonly Model[];
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
 * Asks the first model, again after a failure that may pass, then the next. Only as long as nobody has seen anything:
 * once text, reasoning or a call was yielded, a failure is passed on and the caller decides. Where every model's
 * breaker is open the first one still gets one attempt: an error without a try helps nobody. When nothing was seen of
 * any model within 5 minutes in all, the answer fails. Usage figures that no request could have go no further.
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
    stream: (request, signal, observer = {}) =>
      answer({
        deps,
        request,
        signal,
        observer,
        patience: new Patience(deps),
      }),
  };
}

interface Question {
  readonly deps: ChainDeps;
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly observer: ChainObserver;
  readonly patience: Patience;
}

/** One model's turn. */
interface Candidate {
  readonly model: Model;
  readonly policy: RetryPolicy;
  /** How many models of the chain come after it. */
  readonly behind: number;
}

/** A model that could not answer, and nobody has seen anything of it. */
interface Miss {
  readonly model: string;
  readonly failure: ModelFailure;
}

async function* answer(question: Question): AsyncGenerator<ModelEvent> {
  if (question.signal.aborted) return;
  const { models, breakers, retry = defaultRetry } = question.deps;
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
    if (question.patience.leftMs(0) <= 0) break;
  }
  yield failed(combined(misses));
}

/** Undefined when all was said, by the model or by an abort. */
async function* askPatiently(
  question: Question,
  candidate: Candidate,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const { deps, signal, observer, patience } = question;
  const { model, policy, behind } = candidate;
  for (let attempt = 1; ; attempt += 1) {
    const failure = yield* askOnce(question, candidate);
    if (failure === undefined || signal.aborted) return undefined;
    const wantedMs = deps.breakers.isOpen(model.card.id)
      ? undefined
      : retryDelayMs(failure, attempt, policy, deps.random);
    const delayMs =
      wantedMs !== undefined && wantedMs < patience.leftMs(behind)
        ? wantedMs
        : undefined;
    const report = { card: model.card, failure, attempt, delayMs };
    deps.onRetry?.(report);
    observer.onRetry?.(report);
    if (delayMs === undefined) return failure;
    await deps.sleep(delayMs, signal);
    if (signal.aborted) return undefined;
  }
}

/** The failure, when it came before anything was seen. Usage is held back until then: a lost attempt's is no answer's. */
async function* askOnce(
  { deps, request, signal, observer, patience }: Question,
  { model, behind }: Candidate,
): AsyncGenerator<ModelEvent, ModelFailure | undefined> {
  const { id } = model.card;
  const attempt = new Attempt(model, observer);
  const held: ModelEvent[] = [];
  const limit = patience.limit(behind);
  const either = AbortSignal.any([signal, limit.signal]);
  let shown = false;
  try {
    for await (const event of model.stream(request, either, attempt.observer)) {
      if (event.type === "usage") {
        if (!isUsage(event.usage)) continue;
        attempt.usage = event.usage;
      }
      if (event.type === "failure") {
        if (isPassing(event.failure.kind)) deps.breakers.failed(id);
        if (!shown) return event.failure;
      } else if (!shown && (isShown(event) || isLast(event))) {
        limit.cancel();
        shown = true;
        observer.onModel?.(attempt.card);
        yield* held;
      }
      if (event.type === "finish") deps.breakers.succeeded(id);
      if (event.type === "usage" && !shown) held.push(event);
      else yield event;
      if (isLast(event)) return undefined;
    }
  } finally {
    limit.cancel();
    attempt.end();
  }
  if (signal.aborted) return undefined;
  if (limit.signal.aborted && !shown) {
    deps.breakers.failed(id);
    const message = `nothing came for ${Math.round(limit.ms / 1000)} s`;
    return { kind: "timeout", message };
  }
  const lost = failedAs("network", "the stream ended without a finish");
  if (!shown) return lost.failure;
  yield lost;
  return undefined;
}

/** One failure for all: the last that may pass, for its kind decides what the person is told to do. */
function combined(misses: readonly Miss[]): ModelFailure {
  const last = misses.at(-1)?.failure;
  const passing = misses.findLast(({ failure }) =>
    isPassing(failure.kind),
  )?.failure;
  const chosen =
    last && remedy(last.kind) === "pass" ? last : (passing ?? last);
  const message = misses
    .map(({ model, failure }) => `${model}: ${failure.message}`)
    .join("; ");
  return { ...(chosen ?? { kind: "overloaded" }), message };
}
