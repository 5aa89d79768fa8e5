import { isDisplayId, shortApprovalId, type ApprovalView } from "../core/approval.ts";
import { namedCalls, type NamedCalls } from "../text/decision-words.ts";
import type { Which } from "./attempt.ts";

/** A pending card: all its calls, in its order, decided or not. */
export interface WaitingCard {
  readonly ids: readonly [string, ...string[]];
  /** The platform's id of its message. */
  readonly messageId: string | undefined;
}

/** The calls of the card that a decision applies to. */
export interface DecisionTarget {
  readonly approvalId: string;
  readonly which: Which;
}

/**
 * The pending cards of a chat that were shown to people, in the order in which
 * they were asked. Pure.
 */
export function waitingCards(shown: readonly ApprovalView[]): readonly WaitingCard[] {
  const cards = new Map<string, WaitingCard>();
  for (const { approval, cardMessageId } of shown) {
    const [first = approval.id, ...others] = approval.together ?? [];
    if (!cards.has(first)) cards.set(first, { ids: [first, ...others], messageId: cardMessageId });
  }
  return [...cards.values()];
}

/**
 * @param numbers of the calls, from 1; undefined: all of them. Undefined where the card has no such
 * call.
 */
export function targetOn(
  { ids }: WaitingCard,
  numbers: readonly number[] | undefined,
): DecisionTarget | undefined {
  if (numbers === undefined) return { approvalId: ids[0], which: "all" };
  const named = numbers.flatMap((number) => ids[number - 1] ?? []);
  const [approvalId] = named;
  if (approvalId === undefined || named.length < numbers.length) return undefined;
  return { approvalId, which: named.length === 1 ? "one" : named };
}

const fullId = /^s\d{1,3}-[A-Za-z0-9_-]{22}$/;
/**
 * The short form of earlier versions has 6 random characters; an ordinary word has no digit, and a capital only at its
 * beginning or throughout.
 */
const shortId = /^(?=.*\d|.+[A-Z].*[a-z]|.*[a-z].*[A-Z])[A-Za-z0-9_-]{6}$/;
/** Characters of a whole id with a call's number. Patterns are not tried on longer words. */
const longestId = 32;
/** Whether a word is an id, also of a decided card, and not the beginning of a reason. */
export const isId = (word: string | undefined): boolean => {
  if (word === undefined || word.length > longestId) return false;
  const id = word.replace(/\.\d{1,2}$/, "");
  return fullId.test(id) || isDisplayId(id.toUpperCase()) || shortId.test(id);
};
/** The shortest prefix of an id that counts. Characters. */
const shortestPrefix = 3;
/** Whether a text only lists calls of a card. */
export const isNumber = (text: string): boolean => namedCalls(text)?.rest === "";

export type ReadTarget =
  | {
      readonly type: "target";
      readonly target: DecisionTarget;
      /** The text after it. */
      readonly rest: string;
    }
  /** The card has no call of that number. */
  | { readonly type: "no-call"; readonly typed: string }
  /** The first word matches no pending card. */
  | { readonly type: "unknown" };

/**
 * Parses the words after `/approve`, `/deny` or `/edit`: `[id[.n] | n | all]
 * [n]`, and returns the rest. An id is a card's display id, or the beginning of
 * its whole id, as earlier versions showed it; `n` is the number of a call on the card, or several (`1, 2 and 3`).
 * `n` without an id and `all` require that only one card is pending.
 * Case-insensitive. Pure.
 */
export function readTarget(words: readonly string[], cards: readonly WaitingCard[]): ReadTarget {
  const [first = "", ...others] = words;
  const calls = isId(first) ? undefined : namedCalls(words.join(" "));
  if (calls !== undefined) {
    const [only] = cards;
    return only === undefined || cards.length > 1 ? { type: "unknown" } : onCard(only, calls);
  }
  const [, prefix = "", dotted = ""] = /^([\w-]+)(?:\.(\d{1,2}))?$/.exec(first) ?? [];
  const named = /^all$/i.test(prefix) ? [...cards] : cards.filter((card) => isNamed(card, prefix));
  const [card] = named;
  const rest = others.join(" ");
  const callsOfCard = namedCalls(`${dotted} ${rest}`);
  if (card === undefined || named.length > 1)
    return fullId.test(first) && callsOfCard === undefined ? one(first, rest) : { type: "unknown" };
  if (callsOfCard !== undefined) return onCard(card, callsOfCard);
  if (fullId.test(first)) return one(first, rest);
  const target = { approvalId: card.ids[0], which: "all" } as const;
  return { type: "target", target, rest };
}

const one = (approvalId: string, rest: string): ReadTarget => ({
  type: "target",
  target: { approvalId, which: "one" },
  rest,
});

/** A whole id names the card that asks for its call. */
function isNamed({ ids }: WaitingCard, word: string): boolean {
  const [first] = ids;
  const start = word.toLowerCase();
  const random = first.slice(first.indexOf("-") + 1);
  return (
    ids.includes(word) ||
    shortApprovalId(first) === word.toUpperCase() ||
    (word.length >= shortestPrefix &&
      [first, random].some((id) => id.toLowerCase().startsWith(start)))
  );
}

function onCard(card: WaitingCard, { numbers, typed, rest }: NamedCalls): ReadTarget {
  const target = targetOn(card, numbers);
  return target ? { type: "target", target, rest } : { type: "no-call", typed };
}
