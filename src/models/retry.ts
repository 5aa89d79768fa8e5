import type { ModelFailure, ModelFailureKind } from "../core/model.ts";
import { backoffMs, equalJitter } from "../util/backoff.ts";

export interface RetryPolicy {
  /** Further attempts at the same model. */
  readonly attempts: number;
  /** The longest wait before the first retry; it doubles with each further one. */
  readonly baseMs: number;
  /** Whether another model can be asked instead. */
  readonly hasNext?: boolean;
}

export const defaultRetry: RetryPolicy = { attempts: 3, baseMs: 500 };

/** A server that wants more than this is not waited for: the next model answers sooner. */
const longestRetryAfterMs = 30_000;

/**
 * `retry`: the same model again, then the next. `next`: the next at once; a model that hung would
 * hang again, and a person waits. `pass`: no model can help.
 */
export function remedy(kind: ModelFailureKind): "retry" | "next" | "pass" {
  switch (kind) {
    case "rate-limited":
    case "overloaded":
    case "network":
    case "broken-call":
      return "retry";
    case "timeout":
    case "auth":
    case "no-credit":
    case "unknown-model":
    case "invalid-request":
      return "next";
    // The loop compacts, or notifies the person.
    case "context-overflow":
    case "refused":
    case "moderated":
      return "pass";
    default:
      return kind satisfies never;
  }
}

/**
 * Whether the same model may answer later: its server fails for a while. Such failures count for
 * its breaker.
 */
export const isPassing = (kind: ModelFailureKind): boolean =>
  kind === "timeout" || (remedy(kind) === "retry" && kind !== "broken-call");

/** A gateway's time-out says little of the next attempt, but another model answers sooner. */
const isRetried = ({ kind, isReported }: ModelFailure, hasNext: boolean): boolean =>
  remedy(kind) === "retry" || (kind === "timeout" && isReported === true && !hasNext);

/**
 * Milliseconds before another attempt at the same model; undefined when there is to be none. Equal
 * jitter, so that a short overload doesn't use up every attempt. It is added to the time that the
 * server asked for. `attempt` counts the attempts made, from 1.
 */
export function retryDelayMs(
  failure: ModelFailure,
  attempt: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined {
  if (!isRetried(failure, policy.hasNext === true) || attempt > policy.attempts) return undefined;
  // A model that writes two unreadable calls in a row would write a third.
  if (failure.kind === "broken-call" && attempt > 1) return undefined;
  const askedMs = failure.retryAfterMs ?? 0;
  if (askedMs > longestRetryAfterMs) return undefined;
  const range = { firstMs: policy.baseMs, maxMs: Infinity };
  return askedMs + equalJitter(backoffMs(attempt, range), random());
}
