import type { ApprovalStatus } from "../../core/approval.ts";
import { isBlank } from "../../text/blank.ts";
import { unreachable } from "../../core/errors.ts";
import type { EndReason, Extras, FailureKind, Usage } from "../../core/history.ts";
import {
  stateVersion,
  terminalStatuses,
  type Call,
  type CallStatus,
  type Counters,
  type LoopState,
  type TurnState,
} from "../../core/turn.ts";
import { addSpending, totalOf, type Spent } from "./spending.ts";
import { withUsed } from "./tool-line.ts";

/** What happened to a turn. Times are active milliseconds since the event before. */
export type TurnEvent =
  | { readonly type: "model-call-started"; readonly closing?: EndReason }
  | {
      readonly type: "model-answered";
      readonly model: string;
      readonly text: string;
      readonly reasoning?: string;
      readonly extras?: Extras;
      readonly usage?: Usage;
      /** Prepared: each `authorised`, `awaiting` or already `failed`. */
      readonly calls: Call[];
      /** What the person reads when the model said nothing. */
      readonly emptySentence: string;
      /** What that sentence quotes. */
      readonly errorId?: string;
      /** These three belong to a turn's last answer; see the assistant's history entry. */
      readonly cut?: "length";
      readonly note?: string;
      readonly downgraded?: boolean;
      /** Set when this was the last call that the turn may make. */
      readonly closing?: EndReason;
      /** What all attempts at this answer have cost; `usage` is the last one's alone. */
      readonly spent: Spent;
      readonly elapsedMs: number;
    }
  /**
   * The stream broke after it had begun, the request was too long, the answer was empty, or a tool call
   * was written as text; the call is repeated.
   */
  | {
      readonly type: "model-call-lost";
      /** `provider/model` of an empty answer. */
      readonly empty?: string;
      readonly isPrinted?: boolean;
      readonly spent: Spent;
      readonly elapsedMs: number;
    }
  /** No model could answer; the call is repeated then. */
  | {
      readonly type: "kept";
      readonly untilMs: number;
      /** The message that the answer replies to from now on. */
      readonly replyTo?: string | undefined;
      readonly spent?: Spent;
      readonly elapsedMs: number;
    }
  /** The time has come. */
  | { readonly type: "kept-ended" }
  /**
   * A counted model call isn't made in this session; the next worker counts it
   * again.
   */
  | { readonly type: "model-call-withdrawn" }
  /** The requester was notified that the turn waits for others. */
  | { readonly type: "told-to-wait" }
  /** The view has to be shortened before the model can be asked (again). */
  | { readonly type: "compaction-started" }
  | {
      readonly type: "compaction-ended";
      readonly spent: Spent;
      readonly elapsedMs: number;
    }
  /** Cut short; the next worker repeats it. */
  | {
      readonly type: "compaction-lost";
      readonly spent: Spent;
      readonly elapsedMs: number;
    }
  | { readonly type: "calls-started"; readonly indexes: readonly number[] }
  /** Claimed calls that this session never ran, because the turn was cut short at the claim. */
  | { readonly type: "calls-withdrawn"; readonly indexes: readonly number[] }
  | {
      readonly type: "call-settled";
      readonly index: number;
      readonly status: "done" | "failed" | "unknown" | "superseded";
      readonly failure?: FailureKind;
      readonly elapsedMs: number;
    }
  /**
   * Committed before a document is read; ended with what it says, or when the reading was called
   * off.
   */
  | {
      readonly type: "reading-started";
      readonly of: string;
      readonly blob: string;
    }
  | { readonly type: "reading-ended" }
  /** What a call gave back for people, counted before it is kept. */
  | { readonly type: "files-kept"; readonly count: number }
  | {
      readonly type: "approval-decided";
      readonly approvalId: string;
      readonly status: ApprovalStatus;
    }
  /** A person has written other arguments, or those that were asked about are asked about again. */
  | {
      readonly type: "call-asked-again";
      readonly index: number;
      /** What the call is now; it waits for another approval. */
      readonly call: Call;
    }
  | {
      readonly type: "round-closed";
      readonly closing?: EndReason;
      readonly loop?: LoopState;
    }
  /** Another session took the turn over: results of pending effects are discarded. */
  | { readonly type: "resumed" }
  /** The turn ends now; open calls end with `failure`. */
  | {
      readonly type: "ended";
      readonly reason: EndReason;
      readonly text: string;
      /** Whose words the text is; absent: ours. */
      readonly model?: string;
      /** What the text quotes. */
      readonly errorId?: string;
      readonly failure: FailureKind;
      readonly spent?: Spent;
      readonly elapsedMs: number;
    };

/** The state after an event. Pure, total, and never leaves a finished turn. */
export function apply(state: TurnState, event: TurnEvent): TurnState {
  const after = applied(state, event);
  const v = stateVersion(after);
  return after.v === v ? after : { ...after, v };
}

function applied(state: TurnState, event: TurnEvent): TurnState {
  if (state.phase === "finished") return state;
  switch (event.type) {
    case "model-call-started":
      return {
        ...state,
        modelCallOpen: true,
        counters: count(state, { modelCalls: 1 }),
        ...(event.closing === undefined ? {} : { closing: event.closing }),
      };
    case "model-answered":
      return answered(state, event);
    case "model-call-lost":
      return {
        ...charged(state, event),
        modelCallOpen: false,
        ...(event.empty === undefined ? {} : { empty: [...(state.empty ?? []), event.empty] }),
        ...(event.isPrinted === true ? { printedIn: state.round } : {}),
      };
    case "model-call-withdrawn":
      return state.modelCallOpen
        ? {
            ...state,
            modelCallOpen: false,
            counters: count(state, { modelCalls: -1 }),
          }
        : state;
    case "kept":
      return kept(state, event);
    case "kept-ended":
      return state.kept === undefined
        ? state
        : { ...state, kept: { attempts: state.kept.attempts } };
    case "told-to-wait":
      return { ...state, toldToWait: true };
    case "compaction-started":
      return state.phase === "thinking" ? { ...state, phase: "compacting" } : state;
    case "compaction-ended":
      return compacted(state, event);
    case "compaction-lost":
      return charged(state, event);
    case "calls-started":
      return {
        ...withCalls(state, (call) =>
          event.indexes.includes(call.index) && call.status === "authorised"
            ? { ...call, status: "started" }
            : call,
        ),
        counters: count(state, { toolExecutions: event.indexes.length }),
      };
    case "calls-withdrawn":
      return withCalls(state, (call) =>
        event.indexes.includes(call.index) && call.status === "started"
          ? { ...call, status: "authorised" }
          : call,
      );
    case "call-settled":
      return {
        ...withCalls(state, (call) =>
          call.index === event.index && !terminalStatuses.has(call.status)
            ? settle(call, event.status, event.failure)
            : call,
        ),
        counters: count(state, { activeMs: event.elapsedMs }),
      };
    case "reading-started":
    case "reading-ended":
      return withReading(state, event);
    case "files-kept":
      return { ...state, files: (state.files ?? 0) + event.count };
    case "approval-decided":
      return withCalls(state, (call) =>
        call.approvalId === event.approvalId && call.status === "awaiting"
          ? decided(call, event.status)
          : call,
      );
    case "call-asked-again":
      return withCalls(state, (call) =>
        call.index === event.index && call.status === "awaiting" ? event.call : call,
      );
    case "round-closed":
      return roundClosed(state, event);
    case "resumed":
      return withCalls({ ...state, modelCallOpen: false }, resumed);
    case "ended":
      return ended(state, event);
    default:
      return unreachable(event);
  }
}

/** The answer comes in a message of its own, which no question of a round (1, 2, …) has begun. */
function kept(state: TurnState, event: TurnEvent & { type: "kept" }): TurnState {
  const replyTo = state.replyTo ?? event.replyTo;
  return {
    ...charged(state, event),
    modelCallOpen: false,
    kept: { attempts: (state.kept?.attempts ?? 0) + 1, untilMs: event.untilMs },
    ...(state.kept === undefined ? { segment: 0 } : {}),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

const roundClosed = (
  state: TurnState,
  { closing, loop }: TurnEvent & { type: "round-closed" },
): TurnState => ({
  ...withoutNotice(state),
  phase: "thinking",
  round: state.round + 1,
  calls: [],
  used: withUsed(state.used, state.calls),
  ...(closing === undefined ? {} : { closing }),
  ...(loop === undefined ? {} : { loop }),
});

const ended = (state: TurnState, event: TurnEvent & { type: "ended" }): TurnState => ({
  ...charged(state, event),
  phase: "finished",
  modelCallOpen: false,
  calls: state.calls.map((call) => end(call, event.failure)),
  outcome: {
    reason: event.reason,
    text: event.text,
    ...(event.model === undefined ? {} : { model: event.model }),
    ...(event.errorId === undefined ? {} : { errorId: event.errorId }),
  },
});

function answered(state: TurnState, event: TurnEvent & { type: "model-answered" }): TurnState {
  const { empty: _, ...base } = { ...charged(state, event), modelCallOpen: false };
  // A last call has no tools to call: calls that the model makes anyway are not its answer.
  const closing = state.closing ?? event.closing;
  if (event.calls.length > 0 && closing === undefined) {
    const asks = event.calls.some(({ status }) => status === "awaiting");
    return withCalls(
      {
        ...base,
        calls: event.calls,
        ...(asks ? { segment: state.round } : {}),
      },
      (call) => call,
    );
  }
  const empty = isBlank(event.text);
  return {
    ...base,
    phase: "finished",
    calls: [],
    outcome: empty
      ? {
          reason: closing ?? "model-failed",
          text: event.emptySentence,
          ...(event.errorId === undefined ? {} : { errorId: event.errorId }),
          ...(event.cut === undefined ? {} : { cut: event.cut }),
        }
      : {
          reason: closing ?? "answered",
          text: event.text,
          model: event.model,
          ...(event.reasoning === undefined ? {} : { reasoning: event.reasoning }),
          ...(event.extras === undefined ? {} : { extras: event.extras }),
          ...(event.usage === undefined ? {} : { usage: event.usage }),
          ...(event.cut === undefined ? {} : { cut: event.cut }),
          ...(event.note === undefined ? {} : { note: event.note }),
          ...(event.downgraded ? { downgraded: true } : {}),
        },
  };
}

/** A turn that is a `/compact` has nothing else to do. */
function compacted(state: TurnState, event: TurnEvent & { type: "compaction-ended" }): TurnState {
  const after = charged(state, event);
  if (state.phase !== "compacting") return after;
  return state.compactOnly === true
    ? {
        ...after,
        phase: "finished",
        outcome: { reason: "compacted", text: "" },
      }
    : { ...after, phase: "thinking" };
}

/** Time and tokens are used up, whatever came of it. */
function charged(
  state: TurnState,
  event: { readonly spent?: Spent; readonly elapsedMs: number },
): TurnState {
  const { spent = {}, elapsedMs } = event;
  const total = totalOf(spent);
  return {
    ...state,
    spent: addSpending(state.spent, spent),
    counters: count(state, { activeMs: elapsedMs, ...total }),
  };
}

/** A turn waits only when nothing is left to do without a person. */
function withCalls(state: TurnState, change: (call: Call) => Call): TurnState {
  const calls = state.calls.map(change);
  if (calls.length === 0) return { ...state, calls };
  const undecided = calls.some(({ status }) => status === "awaiting");
  const busy = calls.some(
    ({ status, approvalId }) =>
      status === "started" || (status === "authorised" && !(undecided && approvalId !== undefined)),
  );
  return { ...state, calls, phase: undecided && !busy ? "waiting" : "acting" };
}

function settle(call: Call, status: CallStatus, failure: FailureKind | undefined): Call {
  return failure === undefined ? { ...call, status } : { ...call, status, failure };
}

function decided(call: Call, status: ApprovalStatus): Call {
  switch (status) {
    case "pending":
      return call;
    case "approved":
      return { ...call, status: "authorised" };
    case "denied":
      return settle(call, "denied", "confirmation-denied");
    case "expired":
      return settle(call, "expired", "confirmation-expired");
    case "superseded":
      return settle(call, "superseded", "superseded");
    case "cancelled":
      return settle(call, "cancelled", "cancelled");
    case "changed":
      // It goes on with another approval.
      return call;
    default:
      return unreachable(status);
  }
}

/** A call that was running when its worker died runs again only if its effect allows it. */
function resumed(call: Call): Call {
  if (call.status !== "started") return call;
  return call.effect === "once"
    ? settle(call, "unknown", "outcome-unknown")
    : { ...call, status: "authorised" };
}

function end(call: Call, failure: FailureKind): Call {
  if (terminalStatuses.has(call.status)) return call;
  if (call.status === "started" && call.effect === "once")
    return settle(call, "unknown", "outcome-unknown");
  if (failure !== "superseded") return settle(call, "cancelled", failure);
  // A superseded call is shown to everyone as not run.
  return call.status === "started"
    ? settle(call, "cancelled", "cancelled")
    : settle(call, "superseded", "superseded");
}

function count(state: TurnState, more: Partial<Counters>): Counters {
  const { counters } = state;
  return {
    modelCalls: counters.modelCalls + (more.modelCalls ?? 0),
    toolExecutions: counters.toolExecutions + (more.toolExecutions ?? 0),
    inputTokens: counters.inputTokens + (more.inputTokens ?? 0),
    outputTokens: counters.outputTokens + (more.outputTokens ?? 0),
    costUsd: counters.costUsd + (more.costUsd ?? 0),
    activeMs: counters.activeMs + Math.max(0, more.activeMs ?? 0),
  };
}

function withReading(
  state: TurnState,
  event: TurnEvent & { type: "reading-started" | "reading-ended" },
): TurnState {
  const { reading: _, ...rest } = state;
  if (event.type === "reading-ended") return rest;
  const { of, blob } = event;
  return { ...rest, reading: { of, blob } };
}

/** Users who write during the next question are notified again. */
function withoutNotice(state: TurnState): TurnState {
  const { noticed: _, ...rest } = state;
  return rest;
}
