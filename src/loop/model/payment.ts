import type { Logger } from "pino";
import type { Budget, Consumption, LimitHit, Spender, Took } from "../../core/limits.ts";
import type { ModelCard, ModelRequest } from "../../core/model.ts";
import type { ModelChain } from "../../models/chain.ts";
import { costOf } from "../../models/cost.ts";
import { countFor } from "../compaction/counting.ts";
import { estimateRequest, windowFor } from "../compaction/measure.ts";
import { spentOn, totalOf } from "../machine/spending.ts";

/**
 * Vendors count a text each in their own way: what is reserved has room for a quarter more tokens
 * than we count.
 */
const countMargin = 1.25;
/**
 * Assumed length of an answer with limited cost and no given maximum. Tokens.
 */
const defaultOutputTokens = 4_096;

/**
 * How long an answer may be where its cost is limited: as its tier or its model says, else 4,096
 * tokens or a quarter of a small window. What is sent as the cap is what is reserved. Pure.
 */
export function outputCapOf(chain: ModelChain, card: ModelCard): number {
  const options = chain.optionsFor?.(card) ?? chain.options ?? {};
  const { maxOutputTokens, contextWindow } = options;
  if (maxOutputTokens !== undefined) return maxOutputTokens;
  const window = windowFor(card, contextWindow === undefined ? {} : { contextWindow });
  return Math.min(defaultOutputTokens, Math.floor(window / 4));
}

/** Tokens of a request, counted. */
export async function inputTokensOf({ messages, tools }: ModelRequest): Promise<number> {
  const count = await countFor((each) => estimateRequest(messages, tools, each));
  return estimateRequest(messages, tools, count);
}

/**
 * What a call takes at most, whichever model of the chain answers: the longest answer, and the
 * dearest. Pure.
 * @param countedTokens of the request, as we count.
 * @param answer `capTokens`, where the request says how long it may be, else each model's own;
 * `roomTokens`, what it may be at the very most.
 */
export function mostOn(
  chain: ModelChain,
  countedTokens: number,
  {
    capTokens,
    roomTokens = Infinity,
  }: {
    readonly capTokens?: number | undefined;
    readonly roomTokens?: number;
  } = {},
): Consumption {
  const inputTokens = Math.ceil(countedTokens * countMargin);
  const each = chain.cards.map((card) => {
    const own = capTokens ?? outputCapOf(chain, card);
    const outputTokens = Math.min(own, roomTokens);
    const costUsd = costOf(card, { inputTokens, outputTokens }) ?? 0;
    return { outputTokens, costUsd };
  });
  return {
    inputTokens,
    outputTokens: Math.max(...each.map(({ outputTokens }) => outputTokens)),
    costUsd: Math.max(...each.map(({ costUsd }) => costUsd)),
  };
}

/** An answer shorter than this says nothing: it is not asked for. Tokens. */
const leastAnswerTokens = 64;

/**
 * The longest answer that keeps the turn within the rest of its own limits, for
 * every model of the chain; undefined if there is no room for one. Pure.
 * @param countedTokens of the request, by our count.
 */
export function answerRoom(
  chain: ModelChain,
  countedTokens: number,
  left: { readonly tokens: number; readonly costUsd: number },
): number | undefined {
  const inputTokens = Math.ceil(countedTokens * countMargin);
  const rooms = chain.cards.map((card) => {
    const usage = { inputTokens, outputTokens: 0 };
    const requestUsd = costOf(card, usage) ?? 0;
    const tokenUsd = (card.usdPerMillionTokens?.output ?? 0) / 1_000_000;
    return tokenUsd === 0 && requestUsd === 0 ? Infinity : (left.costUsd - requestUsd) / tokenUsd;
  });
  const room = Math.floor(Math.min(left.tokens - inputTokens, ...rooms));
  return room >= leastAnswerTokens ? room : undefined;
}

/** What a call has cost of which only the request is known. Pure. */
export function costOfInput(card: ModelCard, inputTokens: number): Took {
  const usage = { inputTokens, outputTokens: 0 };
  const models = spentOn(card, usage);
  return { ...totalOf(models), models };
}

/** Who pays for calls that no round counts: those of a compaction. */
export interface Payer {
  readonly budget: Budget;
  readonly spender: Spender;
  /** Whether calls have to be reserved before they are made. */
  readonly isMetered: boolean;
  /** A name that no other call has, where `own` is unique among this payer's. */
  readonly nameOf: (own: string) => string;
  /** Unique among this payer's. */
  readonly newName: () => string;
  /** Takes what is being written; it never rejects. */
  readonly alongside: (written: Promise<void>) => void;
  readonly log: Logger;
}

type Paid =
  | {
      readonly type: "paid";
      /** Tokens of the request; 0 if they needn't be counted. */
      readonly inputTokens: number;
      /** To be called once the call is over. */
      readonly settle: (took: Took) => void;
    }
  | { readonly type: "refused"; readonly hit: LimitHit };

/** Reserves for one call, if that is needed. @throws what the budget's store throws */
export async function payFor(
  payer: Payer,
  chain: ModelChain,
  request: ModelRequest,
): Promise<Paid> {
  const { budget, spender, isMetered } = payer;
  const id = payer.nameOf(payer.newName());
  const inputTokens = isMetered ? await inputTokensOf(request) : 0;
  if (isMetered) {
    const { maxOutputTokens: capTokens } = request.options;
    const atMost = mostOn(chain, inputTokens, { capTokens });
    const reservation = await budget.reserve(spender, id, atMost);
    if (reservation.type === "refused") return reservation;
  }
  return {
    type: "paid",
    inputTokens,
    settle: (took) => payer.alongside(settleQuietly(payer, id, took)),
  };
}

/** Never rejects: what could not be settled stays charged as it was reserved. */
export async function settleQuietly(
  { budget, spender, log }: Pick<Payer, "budget" | "spender" | "log">,
  id: string,
  took: Took,
): Promise<void> {
  try {
    await budget.settle(spender, id, took);
  } catch (error) {
    log.warn(
      { error, chat: spender.chat, id },
      "could not settle what a model call took; it stays charged as reserved",
    );
  }
}

/**
 * The same budget for a turn within a turn: it is paid for by the outer one, whose caps and place
 * hold for both.
 */
export function budgetWithin(payer: Payer): Budget {
  const { budget, spender, isMetered, nameOf } = payer;
  return {
    refresh: () => Promise.resolve(),
    turnCaps: () => Promise.resolve({}),
    isLimited: () => Promise.resolve(isMetered),
    reserve: (_own, id, atMost) => budget.reserve(spender, nameOf(id), atMost),
    // It is no turn of its own.
    settle: (_own, id, took) => budget.settle(spender, nameOf(id), { ...took, isFirst: false }),
    enter: () => Promise.resolve({ type: "reserved" }),
    leave: () => Promise.resolve(),
  };
}

/** No limits, nothing counted. */
export const unlimited: Budget = {
  refresh: () => Promise.resolve(),
  turnCaps: () => Promise.resolve({}),
  isLimited: () => Promise.resolve(false),
  reserve: () => Promise.resolve({ type: "reserved" }),
  settle: () => Promise.resolve(),
  enter: () => Promise.resolve({ type: "reserved" }),
  leave: () => Promise.resolve(),
};
