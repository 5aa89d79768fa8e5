import type { EndReason, FailureKind } from "../../core/history.ts";
import type { TurnPolicy, TurnState } from "../../core/turn.ts";

/**
 * One reason to end a turn before the model has had enough of it. Reads persisted counters and
 * failure kinds only, so that a resumed turn still stops. Limits compare with `>=`.
 */
interface StopPolicy {
  readonly reason: EndReason;
  readonly holds: (state: TurnState, policy: TurnPolicy) => boolean;
  /** Whether the model may still be asked, without tools, to say what was done and what was not. */
  readonly allowsLastCall: boolean;
  /** Whether the calls of the round that haven't begun don't run then. */
  readonly endsRound?: true;
}

const failedWith = (state: TurnState, kinds: readonly FailureKind[]): boolean =>
  state.calls.some((call) => call.failure !== undefined && kinds.includes(call.failure));

const stopPolicies: readonly StopPolicy[] = [
  {
    reason: "deadline",
    holds: ({ counters }, { deadlineMs }) => counters.activeMs >= deadlineMs,
    allowsLastCall: false,
  },
  {
    reason: "max-tokens",
    holds: ({ counters }, { maxTokens = Infinity }) =>
      counters.inputTokens + counters.outputTokens >= maxTokens,
    allowsLastCall: false,
  },
  {
    reason: "max-cost",
    holds: ({ counters }, { maxCostUsd = Infinity }) => counters.costUsd >= maxCostUsd,
    allowsLastCall: false,
  },
  {
    reason: "max-model-calls",
    holds: ({ counters }, { maxModelCalls }) => counters.modelCalls >= maxModelCalls,
    allowsLastCall: false,
  },
  {
    // Every detection but the last came with a hint that the model had the time to heed.
    reason: "loop-detected",
    holds: (state, { loop }) => (state.loop?.detections ?? 0) >= loop.hints + 1,
    allowsLastCall: true,
  },
  {
    reason: "max-tool-executions",
    holds: (state, { maxToolExecutions }) =>
      state.counters.toolExecutions >= maxToolExecutions && failedWith(state, ["limit-reached"]),
    allowsLastCall: true,
  },
  {
    reason: "confirmation-denied",
    holds: (state, { stopOn }) =>
      stopOn.confirmationDenied &&
      failedWith(state, ["confirmation-denied", "confirmation-expired"]),
    allowsLastCall: true,
  },
  {
    reason: "policy-denied",
    holds: (state, { stopOn }) => stopOn.policyDenied && failedWith(state, ["policy-denied"]),
    allowsLastCall: true,
    endsRound: true,
  },
  {
    reason: "tool-failure",
    holds: (state, { stopOn }) =>
      stopOn.toolFailure &&
      failedWith(state, [
        "tool-error",
        "timeout",
        "invalid-arguments",
        "unknown-tool",
        "outcome-unknown",
      ]),
    allowsLastCall: true,
    endsRound: true,
  },
  {
    // The last call that the limit allows is spent on an answer rather than on more tools.
    reason: "max-model-calls",
    holds: ({ counters }, { maxModelCalls }) => counters.modelCalls >= maxModelCalls - 1,
    allowsLastCall: true,
  },
];

export interface Stop {
  readonly reason: EndReason;
  readonly allowsLastCall: boolean;
}

/** The policy by which the rest of the open round doesn't run. Pure. */
export const roundStop = (state: TurnState, policy: TurnPolicy): EndReason | undefined =>
  stopPolicies.find(({ endsRound, holds }) => endsRound && holds(state, policy))?.reason;

/** The first policy that wants the turn closed, asked whenever a model call is due. Pure. */
export function stopReason(state: TurnState, policy: TurnPolicy): Stop | undefined {
  return stopPolicies.find(({ holds }) => holds(state, policy));
}
