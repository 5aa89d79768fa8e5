import { isBlank } from "../core/blank.ts";
import type { CallRequest, EndReason } from "../core/history.ts";
import { answerEntryId } from "../core/outbox.ts";
import { journalKey, type Call } from "../core/turn.ts";
import type { Approval } from "../core/approval.ts";
import { approvalFor, askAll } from "./approvals.ts";
import type { LoopDeps } from "./deps.ts";
import { inForce } from "./in-force.ts";
import { machineCall, prepareCall, type PreparedCall } from "./prepare-call.ts";
import type { Answer } from "./read-answer.ts";
import { endSentence } from "./sentences.ts";
import type { TurnSession } from "./turn-session.ts";
import { wordsOf } from "./words-of.ts";

/** Records a complete answer: its calls prepared, its cards asked, all of it part of the next commit. */
export function recordAnswer(
  deps: LoopDeps,
  session: TurnSession,
  answer: Answer,
  at: { readonly closing: EndReason | undefined; readonly elapsedMs: number },
): void {
  const { turn, round } = session.state;
  const model = answer.card.id;
  const spoken = {
    text: answer.text,
    ...(answer.reasoning === "" ? {} : { reasoning: answer.reasoning }),
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
  // A last call was offered no tools: calls that a model makes all the same are dropped, not answered.
  const requests = at.closing === undefined ? answer.calls : [];
  const calls = prepareAll(deps, session, requests, answer.text);
  if (calls.length > 0)
    session.append({
      kind: "assistant",
      v: 1,
      turn,
      round,
      model,
      ...spoken,
      calls: requests,
    });
  const isEmpty = isBlank(answer.text) && calls.length === 0;
  session.record({
    type: "model-answered",
    model,
    ...spoken,
    calls,
    emptySentence: isEmpty ? emptySentence(deps, session, at.closing) : "",
    ...(at.closing === undefined ? {} : { closing: at.closing }),
    spent: answer.spent,
    elapsedMs: at.elapsedMs,
  });
}

/** Questions that one answer may put to a person. */
const maxCards = 16;

const tooMany: PreparedCall = {
  type: "failed",
  failure: "limit-reached",
  text: `limit-reached: not run. At most ${maxCards} calls of one answer may need an approval, within the turn's limit.`,
};

function prepareAll(
  deps: LoopDeps,
  session: TurnSession,
  requests: readonly CallRequest[],
  text: string,
): Call[] {
  const { state } = session;
  const { policy } = inForce(deps, session);
  const room = policy.maxToolExecutions - state.counters.toolExecutions;
  let ready = 0;
  let cards = 0;
  const prepared = requests.map((request) => {
    const call = prepareCall(request, deps.toolbox, deps.toolPolicy);
    const asksPerson = call.type === "ready" && call.verdict.type === "confirm";
    if (call.type === "ready") ready += 1;
    if (asksPerson) cards += 1;
    // A person is not asked for what could not run, nor flooded with questions.
    const isTooMany = asksPerson && (ready > room || cards > maxCards);
    return { request, prepared: isTooMany ? tooMany : call };
  });
  const asks = prepared.some(
    (each) =>
      each.prepared.type === "ready" &&
      each.prepared.verdict.type === "confirm",
  );
  const reply = state.replyTo === undefined ? {} : { replyTo: state.replyTo };
  if (asks && !isBlank(text)) {
    // What the model said before it asks is shown whole, above the card; the answer will come below it.
    session.post({
      kind: "message",
      v: 1,
      id: answerEntryId(state),
      text,
      ...reply,
    });
  }
  const approvals: Approval[] = [];
  const calls = prepared.map(({ request, prepared: call }) => {
    if (call.type === "failed") {
      const key = journalKey(state.turn, state.round, request.index);
      session.write(key, { v: 1, text: call.text, failure: call.failure });
      return machineCall(request, call, undefined);
    }
    if (call.verdict.type === "run")
      return machineCall(request, call, undefined);
    const approval = approvalFor(deps, session, request, call);
    approvals.push(approval);
    return machineCall(request, call, approval);
  });
  askAll(deps, session, approvals, reply);
  return calls;
}

function emptySentence(
  deps: LoopDeps,
  session: TurnSession,
  closing: EndReason | undefined,
): string {
  if (closing !== undefined)
    return endSentence(
      closing,
      inForce(deps, session).policy,
      wordsOf(session),
    );
  const errorId = deps.newErrorId();
  deps.log.error(
    { chat: session.chat, turn: session.state.turn, errorId },
    "the model gave an empty answer",
  );
  return wordsOf(session).modelFailed.empty(errorId);
}
