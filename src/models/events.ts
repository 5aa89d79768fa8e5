import type { ModelEvent, ModelFailure, ModelFailureKind } from "../core/model.ts";

/**
 * Something came that is no event yet, e.g. a piece of a call. `withTimeLimits` takes it as a sign
 * of life and does not pass it on.
 */
export const lifeSign: ModelEvent = { type: "text-delta", text: "" };

/**
 * Whether a person may have seen something of it, so that the request must not be repeated unsaid.
 */
export function isShown(event: ModelEvent): boolean {
  switch (event.type) {
    case "text-delta":
    case "reasoning-delta":
    case "text-replaced":
      return event.text !== "";
    case "tool-call":
    case "printed-call":
      return true;
    default:
      return false;
  }
}

/** The last event of every stream that was not aborted. */
export function isLast(event: ModelEvent): boolean {
  return event.type === "finish" || event.type === "failure";
}

/**
 * Passes events on up to the last one, and none after an abort: data behind a server's own end is
 * not part of the answer. The result says whether the answer is over.
 */
export function untilLast(
  onEvent: (event: ModelEvent) => void,
  signal: AbortSignal,
): (events: readonly ModelEvent[]) => boolean {
  let isOver = false;
  return (events) => {
    for (const event of events) {
      if (isOver || signal.aborted) break;
      isOver = isLast(event);
      onEvent(event);
    }
    return isOver;
  };
}

type Failed = Extract<ModelEvent, { type: "failure" }>;

export function failed(failure: ModelFailure): Failed {
  return { type: "failure", failure };
}

export function failedAs(kind: ModelFailureKind, message: string): Failed {
  return failed({ kind, message });
}
