import type { Spender, Took } from "../../core/limits.ts";
import type { EndReason } from "../../core/history.ts";
import type { ChatTierName } from "../../core/model.ts";
import { untilAborted } from "../../util/abort.ts";
import type { ModelChain } from "../../models/chain.ts";
import { limitSentence } from "../../locales/limit-sentence.ts";
import { stopTurn } from "../session/finish.ts";
import { effective, optionsOf, tiersBelow } from "./effective-settings.ts";
import { requestFor, type PreparedRequest } from "./model-request.ts";
import {
  answerRoom,
  costOfInput,
  inputTokensOf,
  mostOn,
  settleQuietly,
  type Payer,
} from "./payment.ts";
import { isWhole, type Answer } from "./read-answer.ts";
import { endSentence } from "../sentences.ts";
import { estimatedUsage, totalOf } from "../machine/spending.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { localeOf } from "../locale-of.ts";
import type { TurnContext } from "../turn-context.ts";

/** The requester of the turn pays for it, as does its chat. */
export const spenderOf = ({ chat, state }: TurnSession): Spender => ({
  person: state.requester,
  chat,
  role: state.role,
  replyTo: state.replyTo,
});

/** Before each model call: reads whether it has to be reserved and its answer capped. */
export async function prepareBilling({
  deps: { budget },
  session,
  billing,
}: TurnContext): Promise<void> {
  const { maxTokens, maxCostUsd } = billing.caps;
  const isCapped = maxTokens !== undefined || maxCostUsd !== undefined;
  billing.isMetered = isCapped || (await budget.isLimited(spenderOf(session)));
  billing.answerRoom = Infinity;
}

/**
 * Identifies the model call that was counted last; unique, since each call is
 * counted separately.
 */
const callId = ({ chat, state }: TurnSession): string =>
  `${chat}/${state.turn}.${state.counters.modelCalls}`;

const isFirstCall = ({ state }: TurnSession): boolean => state.counters.modelCalls <= 1;

/** A model call that may be made. */
interface PaidCall {
  /** As it was, or as a cheaper tier's model is asked. */
  readonly prepared: PreparedRequest;
  /**
   * To be called once it is over, whatever came of it; the next commit waits for what it writes.
   */
  readonly settle: (answer: Answer) => void;
}

/**
 * Reserves the most that the call may take, before it is made. Where its cost is refused, a cheaper
 * tier is tried, step by step; if nothing fits, the turn ends with one sentence, and undefined is
 * returned.
 */
export async function payForCall(
  context: TurnContext,
  call: {
    readonly closing?: EndReason | undefined;
    readonly prepared: PreparedRequest;
  },
): Promise<PaidCall | undefined> {
  const { deps, session, billing } = context;
  const { budget, log } = deps;
  const id = callId(session);
  const spender = spenderOf(session);
  const isFirst = isFirstCall(session);
  const paid = (prepared: PreparedRequest, inputTokens: number): PaidCall => ({
    prepared,
    settle: (answer) =>
      session.alongside(
        settleQuietly({ budget, log, spender }, id, { ...tookOf(answer, inputTokens), isFirst }),
      ),
  });
  let { prepared } = call;
  if (!billing.isMetered) return paid(prepared, 0);
  for (;;) {
    const counted = await inputTokensOf(prepared.request);
    const tried = await reserve(context, prepared, counted);
    if (tried.type === "reserved") return paid(tried.prepared, counted);
    const tier = cheaperTier(context, tried.metric, counted);
    if (tier === undefined) {
      endRefused(context, tried);
      return undefined;
    }
    billing.affordable = tier;
    // The room was counted with the more expensive tier's prices.
    billing.answerRoom = Infinity;
    const { chain } = effective(context);
    await untilAborted(Promise.resolve(chain.learnCard?.()), session.signal);
    prepared = requestFor(context, call.closing);
  }
}

interface Refused {
  readonly type: "refused";
  readonly metric: "tokens" | "cost";
  /** What the person reads if no cheaper model is found. */
  readonly text: string;
}
type Reservation = { readonly type: "reserved"; readonly prepared: PreparedRequest } | Refused;

/** Reserves for the effective chain, the answer cut to what the turn's own limits leave. */
async function reserve(
  context: TurnContext,
  prepared: PreparedRequest,
  counted: number,
): Promise<Reservation> {
  const { deps, session, billing } = context;
  const { chain } = effective(context);
  const left = billing.leftAfter(session.state.counters);
  const room = answerRoom(chain, counted, left);
  if (room === undefined) {
    const isTokens = answerRoom(chain, counted, { ...left, costUsd: Infinity }) === undefined;
    const metric = isTokens ? "tokens" : "cost";
    const { policy } = effective(context);
    const limits = { ...policy, ...billing.caps };
    const text = endSentence(endOf[metric], limits, localeOf(session));
    return { type: "refused", metric, text };
  }
  billing.answerRoom = room;
  const spender = spenderOf(session);
  const atMost = mostOn(chain, counted, { roomTokens: room });
  const reservation = await deps.budget.reserve(spender, callId(session), atMost);
  if (reservation.type === "reserved") return { type: "reserved", prepared: cutTo(room, prepared) };
  const { hit } = reservation;
  const metric = hit.limit.metric === "tokens" ? "tokens" : "cost";
  const { language } = session.state.requester;
  const text = limitSentence(hit, { language, nowMs: deps.clock.wall() });
  return { type: "refused", metric, text };
}

const endOf = { tokens: "max-tokens", cost: "max-cost" } as const;

function cutTo(room: number, prepared: PreparedRequest): PreparedRequest {
  const { request } = prepared;
  const { maxOutputTokens = Infinity } = request.options;
  if (maxOutputTokens <= room) return prepared;
  const options = { ...request.options, maxOutputTokens: room };
  return { ...prepared, request: { ...request, options } };
}

/** The next lower tier whose call costs less at most. No tier takes fewer tokens. */
function cheaperTier(
  context: TurnContext,
  metric: Refused["metric"],
  counted: number,
): ChatTierName | undefined {
  const { deps } = context;
  if (metric !== "cost" || !deps.downgrade) return undefined;
  const costOn = (chain: ModelChain): number => mostOn(chain, counted).costUsd;
  const costUsd = costOn(effective(context).chain);
  const options = optionsOf(context.session.settings);
  return tiersBelow(context).find(
    (tier) => costOn(deps.models.chain(tier, undefined, options)) < costUsd,
  );
}

function endRefused({ deps, session }: TurnContext, { metric, text }: Refused): void {
  const { chat, state } = session;
  deps.log.info({ chat, turn: state.turn, metric }, "a limit forbids the model call");
  deps.metrics.limitRefused(metric);
  stopTurn(session, {
    reason: endOf[metric],
    text,
    failure: "limit-reached",
  });
}

/**
 * Pays for the calls of the compaction that begins now. Their names are unique
 * to this session: a reservation whose worker dies stays charged, because no
 * one settles it.
 */
export async function payerFor({ deps, session }: TurnContext): Promise<Payer> {
  const { budget, log } = deps;
  const { token } = session.begun.session;
  const spender = spenderOf(session);
  const viewEnd = session.viewStart + session.transcript.length;
  const prefix = `${callId(session)}.${viewEnd}.${token.slice(0, 8)}`;
  let calls = 0;
  return {
    budget,
    spender,
    isMetered: await budget.isLimited(spender),
    nameOf: (own) => `${prefix}/${own}`,
    newName: () => `${(calls += 1)}`,
    alongside: (written) => session.alongside(written),
    log,
  };
}

/**
 * The use of all attempts. An attempt that was cut off before its first word
 * was still read by the model, though the provider doesn't report it.
 */
function tookOf(answer: Answer, inputTokens: number): Took {
  const took = { ...totalOf(answer.spent), models: answer.spent };
  const isCutOff = !isWhole(answer) && answer.attempts.some(({ failure }) => failure === undefined);
  return isCutOff && took.inputTokens === 0 ? costOfInput(answer.asked.card, inputTokens) : took;
}

/**
 * Another worker died during the open model call: only its request's cost is
 * known, so that part of the reservation stays charged. Harmless if the dead
 * worker settled it.
 */
export function settleLost(context: TurnContext): void {
  const { deps, session } = context;
  const spender = spenderOf(session);
  const id = callId(session);
  const settled = async (): Promise<void> => {
    // Of the turn as it was found; where it cannot be built, that must not keep the turn from
    // ending.
    const { request, card } = requestFor(context, session.state.closing);
    // What is not limited need not be counted so exactly: the tokenizer takes its time to load.
    const isLimited = await deps.budget.isLimited(spender);
    const inputTokens = isLimited
      ? await inputTokensOf(request)
      : estimatedUsage(request, "").inputTokens;
    const took = costOfInput(card, inputTokens);
    await deps.budget.settle(spender, id, { ...took, isFirst: isFirstCall(session) });
  };
  session.alongside(
    settled().catch((error: unknown) =>
      deps.log.warn(
        { error, chat: session.chat, id },
        "could not settle a lost model call; it stays charged as reserved",
      ),
    ),
  );
}
