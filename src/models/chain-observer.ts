import type { Usage } from "../core/history.ts";
import type { ModelCard, ModelFailure, ModelObserver } from "../core/model.ts";

/** The result of one attempt at one model. */
export interface ModelAttempt {
  readonly card: ModelCard;
  /** Absent when the model answered, and when the attempt was stopped from outside. */
  readonly failure?: ModelFailure;
  /** Absent when the model did not say. */
  readonly usage?: Usage;
  /** It was stopped from outside. */
  readonly stopped?: true;
}

export interface ModelRetry {
  readonly card: ModelCard;
  readonly failure: ModelFailure;
  /** Of the attempts at this model, from 1: the one that failed. */
  readonly attempt: number;
  /** Undefined: no further attempt at this model. */
  readonly delayMs: number | undefined;
}

/**
 * What a chain reports besides the events. `onUsage` and `onAttempt` are called
 * at an attempt's end: before the last event is passed on, before the next
 * attempt begins, and immediately on abort.
 */
export interface ChainObserver extends ModelObserver {
  /** Every attempt, once. */
  readonly onAttempt?: (attempt: ModelAttempt) => void;
  readonly onRetry?: (retry: ModelRetry) => void;
}
