import { unreachable } from "../../core/errors.ts";
import type { EndReason } from "../../core/history.ts";
import { terminalStatuses, type TurnPolicy, type TurnState } from "../../core/turn.ts";
import { roundStop, stopReason } from "./stop-policies.ts";

/** `read` calls that run at the same time. */
const maxParallelCalls = 8;

export type Command =
  /** Count a model call and make it; with `closing` it is the last and has no tools. */
  | { readonly type: "call-model"; readonly closing?: EndReason }
  /** A model call has been counted and its answer is due. */
  | { readonly type: "await-model"; readonly closing?: EndReason }
  /** Claim these calls, run them, settle them. */
  | { readonly type: "start-calls"; readonly indexes: readonly number[] }
  /** These calls will not run. */
  | {
      readonly type: "refuse-calls";
      readonly indexes: readonly number[];
      readonly because: EndReason;
    }
  /** Every call of the round is terminal: its results go into the history. */
  | { readonly type: "close-round"; readonly closing?: EndReason }
  /** A person must decide; commit and let go. */
  | { readonly type: "wait" }
  /** No model could answer; commit and let go until then. */
  | { readonly type: "keep"; readonly untilMs: number }
  /**
   * The view has to be shortened, or was being shortened when a worker died.
   */
  | { readonly type: "compact" }
  /** No model call is allowed any more: end with our own sentence. */
  | { readonly type: "give-up"; readonly reason: EndReason }
  /** Write the outcome and end. */
  | { readonly type: "finish" };

/**
 * The next command, from the state alone. Pure: the same after a crash.
 * @throws TypeError while a call is under way.
 */
export function decide(state: TurnState, policy: TurnPolicy): Command {
  switch (state.phase) {
    case "finished":
      return { type: "finish" };
    case "waiting":
      return decideRest(state, policy) ?? { type: "wait" };
    case "compacting":
      return { type: "compact" };
    case "thinking":
      return decideThinking(state, policy);
    case "acting":
      return decideActing(state, policy);
    default:
      return unreachable(state.phase);
  }
}

/**
 * What no call may go beyond, not even one that was counted before a compaction has used up what
 * was left.
 */
const usedUp: ReadonlySet<EndReason> = new Set<EndReason>(["deadline", "max-tokens", "max-cost"]);

function decideThinking(state: TurnState, policy: TurnPolicy): Command {
  if (state.kept?.untilMs !== undefined) return { type: "keep", untilMs: state.kept.untilMs };
  const stop = stopReason(state, policy);
  if (state.modelCallOpen && !(stop && usedUp.has(stop.reason))) {
    const last =
      state.closing ??
      (state.counters.modelCalls >= policy.maxModelCalls ? "max-model-calls" : undefined);
    return last === undefined ? { type: "await-model" } : { type: "await-model", closing: last };
  }
  if (stop && !stop.allowsLastCall)
    return { type: "give-up", reason: state.closing ?? stop.reason };
  const closing = state.closing ?? stop?.reason;
  return closing === undefined ? { type: "call-model" } : { type: "call-model", closing };
}

function decideActing(state: TurnState, policy: TurnPolicy): Command {
  const { calls, counters } = state;
  if (calls.every(({ status }) => terminalStatuses.has(status))) {
    const stop = stopReason(state, policy);
    return stop === undefined
      ? { type: "close-round" }
      : { type: "close-round", closing: stop.reason };
  }
  // What needs an approval starts only when every approval of the round has been decided.
  const undecided = calls.some(({ status }) => status === "awaiting");
  const ready = calls.filter(
    ({ status, approvalId }) => status === "authorised" && !(undecided && approvalId !== undefined),
  );
  // Started calls settle before the next decision; those of a dead worker are resolved by
  // `resumed`.
  if (calls.some(({ status }) => status === "started"))
    throw new TypeError("a call is under way that this session did not start");
  const rest = decideRest(state, policy);
  if (rest !== undefined) return rest;
  if (counters.toolExecutions >= policy.maxToolExecutions) {
    const indexes = ready.map(({ index }) => index);
    return { type: "refuse-calls", indexes, because: "max-tool-executions" };
  }
  const reads = ready.filter(({ effect }) => effect === "read");
  const room = Math.min(maxParallelCalls, policy.maxToolExecutions - counters.toolExecutions);
  const next = reads.length > 0 ? reads.slice(0, room) : ready.slice(0, 1);
  return { type: "start-calls", indexes: next.map(({ index }) => index) };
}

/** Once a call of the round has ended the turn, the others of it don't begin. */
function decideRest(state: TurnState, policy: TurnPolicy): Command | undefined {
  const because = roundStop(state, policy);
  if (because === undefined) return undefined;
  const rest = state.calls.filter(({ status }) => !terminalStatuses.has(status));
  return { type: "refuse-calls", indexes: rest.map(({ index }) => index), because };
}
