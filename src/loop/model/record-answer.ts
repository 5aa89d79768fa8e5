import type { Approval } from "../../core/approval.ts";
import { namedPersona } from "../../core/turn-persona.ts";
import { isBlank } from "../../text/blank.ts";
import type { AnyGrant } from "../../core/grants.ts";
import type { AssistantEntry, CallRequest, EndReason } from "../../core/history.ts";
import { answerEntryId } from "../../core/outbox.ts";
import { quietAnswer } from "../../core/schedule.ts";
import { journalKey, type Call } from "../../core/turn.ts";
import { approvalFor, askAll, cardFactsOf, isSilent, type Asked } from "../tools/approvals.ts";
import { grantOf, grantsIn } from "../tools/granted.ts";
import { effective } from "./effective-settings.ts";
import { machineCall, prepareCall, rulingFor, type PreparedCall } from "../tools/prepare-call.ts";
import type { Answer } from "./read-answer.ts";
import { endSentence } from "../sentences.ts";
import { toolboxIn } from "../tools/named-addresses.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { whyNoCard } from "../tools/why-not-asked.ts";
import { localeOf } from "../locale-of.ts";
import { reportError } from "../report-error.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * Records a complete answer: its calls prepared, its cards asked, all of it part of the next
 * commit.
 */
export async function recordAnswer(
  context: TurnContext,
  answer: Answer,
  at: { readonly closing: EndReason | undefined; readonly elapsedMs: number },
): Promise<void> {
  const { session } = context;
  const { turn, round } = session.state;
  const model = answer.card.id;
  const isNothing = isBlank(answer.text) && (at.closing !== undefined || answer.calls.length === 0);
  const spoken = {
    // An empty answer is one, where a schedule allows it.
    text: isNothing && session.state.schedule?.isQuiet ? quietAnswer : answer.text,
    ...(answer.reasoning === "" ? {} : { reasoning: answer.reasoning }),
    ...(answer.extras === undefined ? {} : { extras: answer.extras }),
    ...(answer.usage === undefined ? {} : { usage: answer.usage }),
  };
  // A last call was offered no tools: if the model makes calls anyway, they are dropped, not
  // answered.
  const requests = at.closing === undefined ? answer.calls : [];
  const cut = answer.finish === "length" ? ("length" as const) : undefined;
  const proposals = await propose(context, requests, {
    isCut: cut !== undefined,
  });
  const calls = prepareAll(context, proposals, answer.text);
  if (calls.length > 0)
    session.append({
      kind: "assistant",
      v: 1,
      turn,
      round,
      model,
      ...spoken,
      ...namedPersona(session.state),
      calls: requests,
    });
  const isLast = calls.length === 0;
  const isEmpty = isBlank(spoken.text) && isLast;
  const isDowngraded = isLast && effective(context).isLowered;
  const isFiltered = answer.finish === "filtered";
  const note = noteOf(context, { closing: at.closing, cut, isFiltered });
  session.record({
    type: "model-answered",
    model,
    ...spoken,
    calls,
    ...(isEmpty
      ? emptyAnswer(context, { closing: at.closing, cut, model })
      : { emptySentence: "" }),
    ...(isLast && cut !== undefined ? { cut } : {}),
    ...(isLast && note !== "" ? { note } : {}),
    ...(isDowngraded ? { downgraded: true } : {}),
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

function prepareAll(context: TurnContext, proposals: readonly Proposal[], text: string): Call[] {
  const { deps, session } = context;
  const { state } = session;
  const { policy } = effective(context);
  const room = policy.maxToolExecutions - state.counters.toolExecutions;
  let ready = 0;
  let cards = 0;
  const prepared = proposals.map(({ request, prepared: call, grant, facts }) => {
    const asksPerson =
      call.type === "ready" && call.verdict.type === "confirm" && grant === undefined;
    if (call.type === "ready") ready += 1;
    if (asksPerson) cards += 1;
    // A person is not asked for what could not run, nor flooded with questions.
    const isTooMany = asksPerson && (ready > room || cards > maxCards);
    return {
      request,
      prepared: isTooMany ? tooMany : call,
      grant,
      facts,
      asks: asksPerson && !isTooMany,
    };
  });
  const reply = state.replyTo === undefined ? {} : { replyTo: state.replyTo };
  if (prepared.some(({ asks }) => asks) && !isBlank(text)) {
    // What the model said before it asks is shown whole, above the card; the answer will come below
    // it.
    session.post({
      kind: "message",
      v: 1,
      id: answerEntryId(state),
      text,
      ...reply,
    });
  }
  const asked: Asked[] = [];
  const calls = prepared.map(({ request, prepared: call, grant, facts }) => {
    if (call.type === "failed") {
      const key = journalKey(state.turn, state.round, request.index);
      session.write(key, { v: 1, text: call.text, failure: call.failure });
      return machineCall(request, call, undefined);
    }
    if (grant !== undefined) return { ...machineCall(request, call, undefined), grant: grant.id };
    if (call.verdict.type === "run") return machineCall(request, call, undefined);
    const approval = approvalFor(context, request, call, facts);
    const { expiresAfterMs } = call.verdict;
    const silent = isSilent(call.verdict, deps.clock.wall());
    asked.push({ approval, silent, expiresAfterMs });
    return machineCall(request, call, approval);
  });
  askAll(context, asked, reply);
  return calls;
}

/**
 * The last call of an answer that was cut: what is missing of its arguments may change what they
 * mean.
 */
const cutCall: PreparedCall = {
  type: "failed",
  failure: "invalid-arguments",
  text: "invalid-arguments: not run. Your answer was cut at the length limit, so this call may be incomplete. Make it again with shorter arguments, or in several calls.",
};

/** A call as the model proposes it. */
interface Proposal {
  readonly request: CallRequest;
  readonly prepared: PreparedCall;
  /** The standing permission that replaces the approval. */
  readonly grant: AnyGrant | undefined;
  readonly facts: Approval["facts"];
}

async function propose(
  context: TurnContext,
  requests: readonly CallRequest[],
  { isCut }: { readonly isCut: boolean },
): Promise<readonly Proposal[]> {
  const { deps, session } = context;
  const ruling = rulingFor(deps.toolPolicy, session);
  const toolbox = toolboxIn(deps.toolbox, session);
  const calls = requests.map((request, index) =>
    isCut && index === requests.length - 1 ? cutCall : prepareCall(request, toolbox, ruling),
  );
  const grants = await grantsIn(context, calls);
  const proposals = requests.map(async (request, index) => {
    const call = calls[index] ?? tooMany;
    const grant = grantOf(context, grants, call);
    const prepared = grant ? call : await askable(context, call);
    return { request, prepared, grant, facts: await cardFactsOf(context, prepared) };
  });
  return await Promise.all(proposals);
}

/** Denies a call for which no one can be asked now. */
async function askable(context: TurnContext, call: PreparedCall): Promise<PreparedCall> {
  if (call.type === "failed" || call.verdict.type === "run") return call;
  const text = await whyNoCard(context, call.verdict);
  return text === undefined ? call : { type: "failed", failure: "policy-denied", text };
}

/** How an answer ended before its model had finished. */
interface CutShort {
  /** The limit that made it the turn's last. */
  readonly closing: EndReason | undefined;
  readonly cut: "length" | undefined;
}

/** The platform's lines below the model's own words; empty where there is nothing to say. */
function noteOf(
  context: TurnContext,
  { closing, cut, isFiltered }: CutShort & { readonly isFiltered: boolean },
): string {
  const { session } = context;
  const { policy, isLowered, tier } = effective(context);
  const locale = localeOf(session);
  const isNews = isLowered && !wasDowngraded(session);
  return [
    ...(closing === undefined ? [] : [endSentence(closing, policy, locale)]),
    ...(cut === undefined ? [] : [locale.end.cut]),
    ...(isFiltered ? [locale.end.filtered] : []),
    ...(isNews ? [locale.end.downgraded(tier)] : []),
  ].join("\n");
}

/**
 * Whether the chat's answer before this turn came from a cheaper tier, too: people were notified
 * then.
 */
const wasDowngraded = ({ transcript, state }: TurnSession): boolean =>
  transcript.findLast(
    (entry): entry is AssistantEntry =>
      entry.kind === "assistant" && entry.turn !== state.turn && entry.calls.length === 0,
  )?.downgraded === true;

function emptyAnswer(
  context: TurnContext,
  { closing, cut, model }: CutShort & { readonly model: string },
): { readonly emptySentence: string; readonly errorId?: string } {
  const locale = localeOf(context.session);
  if (closing !== undefined)
    return {
      emptySentence: endSentence(closing, effective(context).policy, locale),
    };
  if (cut !== undefined) return { emptySentence: locale.end.cutEmpty };
  const { errorId, text } = reportError(context, {
    kind: "empty",
    cause: "the model ended without text and without a tool call",
    model,
    message: "the model gave an empty answer",
    sentence: ({ modelFailed }, id) => modelFailed.empty(id),
  });
  return { emptySentence: text, errorId };
}
