import { unreachable } from "../core/errors.ts";
import type { CallRequest, EndReason, Usage } from "../core/history.ts";
import type { ModelEvent, ModelFailure, ModelRequest } from "../core/model.ts";
import { untilAborted } from "../models/abort.ts";
import { isLast } from "../models/events.ts";
import type { AnswerDraft } from "./answer-draft.ts";
import { toolsUnavailableNote } from "../models/tools-note.ts";
import type { LoopDeps } from "./deps.ts";
import { stopTurn } from "./finish.ts";
import { recordAnswer } from "./record-answer.ts";
import { endSentence, modelFailedSentence } from "./sentences.ts";
import type { TurnSession } from "./turn-session.ts";
import { buildRequestView } from "./view.ts";

/** How often a stream that broke after it had begun is started anew within one session. */
const maxLostCalls = 2;

/** What one model call has said so far. */
export interface Answer {
  /** `provider/model` that answered. */
  model: string;
  text: string;
  reasoning: string;
  calls: CallRequest[];
  usage: Usage | undefined;
  failure: ModelFailure | undefined;
  finished: boolean;
}

/** Makes the model call that was counted, and records what came of it. Never throws for a model's failure. */
export async function callModel(
  deps: LoopDeps,
  session: TurnSession,
  draft: AnswerDraft,
  call: {
    readonly closing?: EndReason | undefined;
    readonly lostCalls: number;
  },
): Promise<{ readonly lost: boolean }> {
  const startedMs = deps.clock.monotonic();
  const answer = await readStream(
    deps,
    session,
    draft,
    requestFor(deps, session, call.closing),
  );
  const elapsedMs = deps.clock.monotonic() - startedMs;
  // A complete answer is kept whatever interrupts the turn meanwhile, unless it is no longer ours to keep.
  if (answer.finished && session.interruption !== "fenced") {
    recordAnswer(deps, session, answer, { closing: call.closing, elapsedMs });
    return { lost: false };
  }
  switch (session.interruption) {
    case "stopped":
      stopTurn(session, {
        reason: "cancelled",
        text: answer.text,
        failure: "cancelled",
        elapsedMs,
      });
      return { lost: false };
    case "deadline":
      stopTurn(session, {
        reason: "deadline",
        text: endSentence("deadline", deps.policy),
        failure: "deadline",
        elapsedMs,
      });
      return { lost: false };
    case "fenced":
    case "shutdown":
      return { lost: true };
    case undefined:
      break;
  }
  const failure = answer.failure ?? {
    kind: "network",
    message: "the stream ended without an end",
  };
  // Once anything has come the chain leaves it to us to ask again.
  const began =
    answer.text !== "" || answer.reasoning !== "" || answer.calls.length > 0;
  if (
    began &&
    call.lostCalls < maxLostCalls &&
    ["network", "overloaded", "timeout"].includes(failure.kind)
  ) {
    deps.log.warn(
      { chat: session.chat, kind: failure.kind },
      "the model's stream broke; asking again",
    );
    session.record({ type: "model-call-lost", elapsedMs });
    return { lost: true };
  }
  const errorId = deps.newErrorId();
  deps.log.error(
    {
      chat: session.chat,
      turn: session.state.turn,
      errorId,
      kind: failure.kind,
      cause: failure.message,
    },
    "the model failed",
  );
  stopTurn(session, {
    reason: "model-failed",
    text: modelFailedSentence(failure.kind, errorId),
    failure: "cancelled",
    elapsedMs,
  });
  return { lost: false };
}

function requestFor(
  deps: LoopDeps,
  session: TurnSession,
  closing: EndReason | undefined,
): ModelRequest {
  // Asked anew for every call: a server tells what its model can do with the first one.
  const { card } = deps.model;
  const { specs } = deps.toolbox;
  const context = card.tools
    ? deps.context
    : [...deps.context, toolsUnavailableNote(specs) ?? ""];
  const view = buildRequestView(session.transcript, context);
  for (const diagnostic of view.diagnostics)
    deps.log.debug(
      { chat: session.chat, diagnostic },
      "the view repaired the history",
    );
  return {
    messages: view.messages,
    tools: card.tools ? specs : [],
    toolChoice: closing === undefined ? "auto" : "none",
    options: {},
  };
}

async function readStream(
  deps: LoopDeps,
  session: TurnSession,
  draft: AnswerDraft,
  request: ModelRequest,
): Promise<Answer> {
  const answer: Answer = {
    model: deps.model.card.id,
    text: "",
    reasoning: "",
    calls: [],
    usage: undefined,
    failure: undefined,
    finished: false,
  };
  const stream = deps.model.stream(request, session.signal, {
    onModel: (card) => {
      answer.model = card.id;
    },
    onOmitted: ({ id }, omission) =>
      deps.log.info(
        { chat: session.chat, model: id, omission },
        "a model was not sent what it cannot take",
      ),
  });
  const events = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await untilAborted(events.next(), session.signal);
      if (next === undefined || next.done === true) return answer;
      take(answer, next.value);
      draft.setText(answer.text);
      if (isLast(next.value)) return answer;
    }
  } finally {
    // Not awaited: a model that ignores the signal must not hold up the turn.
    events.return?.()?.catch(() => undefined);
  }
}

function take(answer: Answer, event: ModelEvent): void {
  switch (event.type) {
    case "text-delta":
      answer.text += event.text;
      break;
    case "reasoning-delta":
      answer.reasoning += event.text;
      break;
    case "tool-call":
      answer.calls.push({
        index: answer.calls.length,
        wireId: event.id,
        name: event.name,
        arguments: event.arguments,
      });
      break;
    case "usage":
      answer.usage = event.usage;
      break;
    case "failure":
      answer.failure = event.failure;
      break;
    case "finish":
      answer.finished = event.reason !== "filtered" || answer.text !== "";
      if (!answer.finished)
        answer.failure = {
          kind: "refused",
          message: "the answer was filtered",
        };
      break;
    default:
      unreachable(event);
  }
}
