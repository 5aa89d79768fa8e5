import { namedPersona } from "../../core/turn-persona.ts";
import type { EndReason } from "../../core/history.ts";
import type { ModelFailure, ModelFailureKind } from "../../core/model.ts";
import type { AnswerDraft } from "../session/answer-draft.ts";
import { compactionOf } from "../compaction/compact-view.ts";
import { restartForNews } from "../inbox/news.ts";
import { endIfInterrupted } from "../session/end-if-interrupted.ts";
import { stopTurn } from "../session/finish.ts";
import { keepTurn } from "../session/kept-turn.ts";
import { effective } from "./effective-settings.ts";
import { askAgainIfEmpty, emptyModels } from "./empty-answers.ts";
import { requestFor, type PreparedRequest } from "./model-request.ts";
import { payForCall } from "./pay-for-call.ts";
import { hasBegun, isPrinted, isWhole, readAnswer, type Answer } from "./read-answer.ts";
import { refuseImages } from "../inbox/read-attachments.ts";
import { recordAnswer } from "./record-answer.ts";
import { fillsHalf, findTooLong, type TooLong } from "./too-long.ts";
import { requestProblems } from "../view/request-problems.ts";
import { localeOf } from "../locale-of.ts";
import { tryAgainIn } from "../../locales/moment.ts";
import { isOwners, reportError } from "../report-error.ts";
import type { TurnContext } from "../turn-context.ts";

/** How often a stream that broke midway is restarted within one session. */
const maxLostCalls = 2;
/** A model that broke this often in one turn is left out, where there is another. */
const breaksBeforeFallback = 2;

/** What one session remembers of answers that broke off. */
export interface LostCalls {
  /** By `provider/model`. */
  readonly breaks: Map<string, number>;
}

/**
 * Makes the counted model call and records its result. Never throws for a
 * model's failure.
 * @returns `again` to repeat the call, `overflow` to shorten the request first.
 */
export async function callModel(
  context: TurnContext,
  draft: AnswerDraft,
  call: {
    readonly closing?: EndReason | undefined;
    readonly prepared: PreparedRequest;
    readonly lost: LostCalls;
    /** Whether a request that its model finds too long can be made shorter. */
    readonly canShrink: (refused: PreparedRequest) => Promise<boolean>;
  },
): Promise<"recorded" | "again" | "overflow"> {
  const { deps, session } = context;
  const startedMs = deps.clock.monotonic();
  const askedAtMs = deps.clock.wall();
  const problems = requestProblems(call.prepared.request.messages);
  if (problems.length > 0) {
    const message = `the request would break its provider's rules: ${problems.join("; ")}`;
    const failed = { model: call.prepared.card.id, isOwnerTold: false };
    endFailed(context, { kind: "invalid-request", message }, failed);
    return "recorded";
  }
  const paid = await payForCall(context, call);
  if (paid === undefined) return "recorded";
  const { answer, isEdited } = await ask(context, draft, {
    ...call,
    paid: paid.prepared,
  });
  const elapsedMs = deps.clock.monotonic() - startedMs;
  paid.settle(answer);
  trace(context, answer, elapsedMs);
  const { spent } = answer;
  // A complete answer is kept even if the turn was interrupted, unless another process has taken
  // the turn over.
  if (isWhole(answer) && session.interruption !== "fenced") {
    noteAnswer(context, answer, askedAtMs);
    if (isPrinted(answer) && call.closing === undefined)
      return endPrinted(context, draft, { answer, elapsedMs });
    if (call.closing === undefined && askAgainIfEmpty(context, answer, elapsedMs)) return "again";
    await recordAnswer(context, answer, {
      closing: call.closing,
      elapsedMs,
    });
    return "recorded";
  }
  if (session.interruption === "shutdown" || isEdited) {
    session.record({ type: "model-call-lost", spent, elapsedMs });
    return "again";
  }
  if (session.interruption !== undefined) {
    const said = { text: answer.text, model: answer.card.id };
    endIfInterrupted(context, { said, spent, elapsedMs });
    return "recorded";
  }
  const failure = answer.failure ?? {
    kind: "network",
    message: "the stream ended without an end",
  };
  if ((await isTooLong(context, answer, failure)) && (await call.canShrink(answer.asked))) {
    session.record({ type: "model-call-lost", spent, elapsedMs });
    return "overflow";
  }
  if (
    failure.kind === "invalid-request" &&
    answer.card.vision &&
    !hasBegun(answer) &&
    refuseImages(session)
  ) {
    deps.log.warn(
      { chat: session.chat, model: answer.card.id, cause: failure.message },
      "the request was refused; asking again without its pictures",
    );
    session.record({ type: "model-call-lost", spent, elapsedMs });
    return "again";
  }
  if (mayAskAgain(answer, failure, call.lost)) {
    const { id } = answer.card;
    call.lost.breaks.set(id, (call.lost.breaks.get(id) ?? 0) + 1);
    deps.log.warn(
      { chat: session.chat, model: id, kind: failure.kind },
      "the model's stream broke; asking again",
    );
    // The visible part is replaced, with a note for the reader.
    draft.restart(localeOf(session).turn.brokeOff(id));
    session.record({ type: "model-call-lost", spent, elapsedMs });
    return "again";
  }
  const tooLong =
    failure.kind === "context-overflow"
      ? await findTooLong(compactionOf(context, answer.asked, "overflow"))
      : undefined;
  const isOwnerTold = await noteFailure(context, answer, failure);
  endFailed(context, failure, { model: answer.card.id, spent, elapsedMs, tooLong, isOwnerTold });
  return "recorded";
}

/**
 * A tool call that was written as text is asked for once more, with a hint. A second one ends the
 * turn: the model or its server can't do better.
 */
function endPrinted(
  context: TurnContext,
  draft: AnswerDraft,
  { answer, elapsedMs }: { readonly answer: Answer; readonly elapsedMs: number },
): "recorded" | "again" {
  const { deps, session } = context;
  const { card, spent, printed } = answer;
  if (session.state.printedIn === undefined) {
    deps.log.warn(
      { chat: session.chat, model: card.id },
      "the model wrote a tool call as text; asking again",
    );
    draft.setText("", "");
    session.record({ type: "model-call-lost", isPrinted: true, spent, elapsedMs });
    return "again";
  }
  const notation = printed.slice(0, maxNotation).toWellFormed();
  const message = `it writes its tool calls as text, which begins with ${notation}`;
  const failed = { model: card.id, spent, elapsedMs, isOwnerTold: false };
  endFailed(context, { kind: "broken-call", message }, failed);
  return "recorded";
}

/** Of a printed call: its mark, and nothing of its arguments. UTF-16 units. */
const maxNotation = 12;

/**
 * Asks the chain. `isEdited`: the call was ended, to be made again with what a person has edited or added.
 */
async function ask(
  context: TurnContext,
  draft: AnswerDraft,
  call: Pick<Parameters<typeof callModel>[2], "closing" | "prepared" | "lost"> & {
    readonly paid: PreparedRequest;
  },
): Promise<{ readonly answer: Answer; readonly isEdited: boolean }> {
  const { session } = context;
  const openCall = new AbortController();
  session.openCall = openCall;
  void restartForNews(context, draft);
  const answer = await readAnswer(context, draft, {
    prepared: call.paid,
    checked: call.prepared.request.messages,
    requestFor: (card) => requestFor(context, call.closing, card),
    avoid: new Set([...brokenModels(call.lost), ...emptyModels(session.state)]),
    signal: AbortSignal.any([session.signal, openCall.signal]),
  });
  session.openCall = undefined;
  const isEdited = openCall.signal.aborted && session.interruption === undefined;
  return { answer, isEdited };
}

/** Whether the request may be answered once it is shorter. */
const isTooLong = async (
  context: TurnContext,
  answer: Answer,
  { kind, mayBeTooLong }: ModelFailure,
): Promise<boolean> =>
  kind === "context-overflow" ||
  (mayBeTooLong === true &&
    !hasBegun(answer) &&
    (await fillsHalf(compactionOf(context, answer.asked, "overflow"))));

/** Once anything has come the chain leaves it to us to ask again. */
function mayAskAgain(answer: Answer, { kind }: ModelFailure, { breaks }: LostCalls): boolean {
  const lost = [...breaks.values()].reduce((sum, count) => sum + count, 0);
  return hasBegun(answer) && lost < maxLostCalls && broken.has(kind);
}

const broken: ReadonlySet<ModelFailureKind> = new Set([
  "network",
  "overloaded",
  "timeout",
  "broken-call",
]);

const brokenModels = ({ breaks }: LostCalls): readonly string[] =>
  [...breaks].filter(([, count]) => count >= breaksBeforeFallback).map(([model]) => model);

/** Models that had to be replaced may stay so, unless owners hear of it. */
function noteAnswer(
  { deps, session }: TurnContext,
  { card, missed }: Answer,
  askedAtMs: number,
): void {
  const turn = { chat: session.chat, isOwners: isOwners(session) };
  deps.modelWatch.answered({ ...turn, model: card.id, askedAtMs });
  for (const [model, failure] of missed) {
    if (model === card.id) continue;
    const noted = deps.modelWatch.failed({ ...turn, model, failure, isReplaced: true });
    session.alongside(noted.then(() => undefined));
  }
}

/** @returns whether an owner has been told why. */
async function noteFailure(
  { deps, session }: TurnContext,
  { card, missed }: Answer,
  failure: ModelFailure,
): Promise<boolean> {
  const turn = { chat: session.chat, isOwners: isOwners(session), isReplaced: false };
  const failures = missed.size === 0 ? [[card.id, failure] as const] : [...missed];
  const told = await Promise.all(
    failures.map(([model, each]) => deps.modelWatch.failed({ ...turn, model, failure: each })),
  );
  return told.some(Boolean);
}

function endFailed(
  context: TurnContext,
  failure: ModelFailure,
  failed: Pick<Parameters<typeof stopTurn>[1], "spent" | "elapsedMs"> & {
    readonly model: string;
    readonly tooLong?: TooLong | undefined;
    readonly isOwnerTold: boolean;
  },
): void {
  if (keepTurn(context, failure, failed)) return;
  const { kind, message: cause, retryAfterMs } = failure;
  const { model, tooLong, isOwnerTold, ...used } = failed;
  const { errorId, text } = reportError(context, {
    kind,
    cause,
    model,
    message: "the model failed",
    sentence: (locale, id) =>
      locale.modelFailed[tooLong ?? kind](id, tryAgainIn(locale, retryAfterMs)),
    retryAfterMs,
    isOwnerTold,
    ...(tooLong === undefined ? {} : { details: { tooLong } }),
  });
  stopTurn(context.session, {
    reason: "model-failed",
    text,
    errorId,
    failure: "cancelled",
    ...used,
  });
}

function trace(context: TurnContext, answer: Answer, elapsedMs: number): void {
  const { deps, session } = context;
  const { request, diagnostics } = answer.asked;
  const { tier, why } = effective(context);
  const { turn, counters } = session.state;
  deps.log.debug(
    {
      chat: session.chat,
      turn,
      model: answer.card.id,
      tier,
      why,
      diagnostics,
    },
    "a model was asked",
  );
  deps.trace?.write({
    v: 1,
    chat: session.chat,
    turn,
    call: counters.modelCalls,
    purpose: "answer",
    atMs: deps.clock.wall(),
    tier,
    why,
    ...namedPersona(session.state),
    model: answer.card.id,
    request,
    diagnostics,
    response: {
      text: answer.text,
      reasoning: answer.reasoning,
      calls: answer.calls,
      ...(answer.finish === undefined ? {} : { finish: answer.finish }),
      ...(answer.failure === undefined ? {} : { failure: answer.failure }),
      ...(answer.usage === undefined ? {} : { usage: answer.usage }),
    },
    attempts: answer.attempts,
    timing: {
      totalMs: elapsedMs,
      ...(answer.firstEventMs === undefined ? {} : { firstTokenMs: answer.firstEventMs }),
    },
  });
}
