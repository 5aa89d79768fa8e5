import { shortApprovalId, type ApprovalView } from "../core/approval.ts";

/** A card that waits for somebody: all that it asked for, in its order, decided or not. */
export interface WaitingCard {
  readonly ids: readonly [string, ...string[]];
  /** The platform's id of its message. */
  readonly messageId: string | undefined;
}

/** Which of its calls a decision is about. */
export interface DecisionTarget {
  readonly approvalId: string;
  readonly which: "one" | "all";
}

/** The cards of what waits in a chat and was shown to people, in the order in which it was asked. Pure. */
export function waitingCards(
  shown: readonly ApprovalView[],
): readonly WaitingCard[] {
  const cards = new Map<string, WaitingCard>();
  for (const { approval, cardMessageId } of shown) {
    const [first = approval.id, ...others] = approval.together ?? [];
    if (!cards.has(first))
      cards.set(first, { ids: [first, ...others], messageId: cardMessageId });
  }
  return [...cards.values()];
}

/** @param number of the call, from 1; undefined: all of them. */
export function targetOn(
  { ids }: WaitingCard,
  number: number | undefined,
): DecisionTarget | undefined {
  if (number === undefined) return { approvalId: ids[0], which: "all" };
  const approvalId = ids[number - 1];
  return approvalId === undefined ? undefined : { approvalId, which: "one" };
}

const fullId = /^s\d{1,3}-[A-Za-z0-9_-]{22}$/;
/** The short form has 6 random characters; an ordinary word has no digit, and a capital only at its beginning or throughout. */
const shortId = /^(?=.*\d|.+[A-Z].*[a-z]|.*[a-z].*[A-Z])[A-Za-z0-9_-]{6}$/;
/** Whether a word is an id rather than the beginning of a reason, also the id of a card that is decided already. */
export const isId = (word: string | undefined): boolean => {
  if (word === undefined) return false;
  const id = word.replace(/\.\d{1,2}$/, "");
  return fullId.test(id) || shortId.test(id);
};
/** Fewer characters of an id name nothing. */
const shortestPrefix = 3;
/** One or several of a card's calls, as people write it: `2`, `#2`, `2:`, `1,2`. */
const numbers = /^#?\d{1,2}(?:[,;]#?\d{1,2})*[.,:;)]?$/;
export const isNumber = (word: string): boolean => numbers.test(word);

export type ReadTarget =
  | {
      readonly type: "target";
      readonly target: DecisionTarget;
      /** What is written after it. */
      readonly rest: readonly string[];
    }
  /** The number names no call of that card, or there are several numbers. */
  | { readonly type: "no-call"; readonly typed: string }
  /** The first word names nothing that waits. */
  | { readonly type: "unknown" };

/**
 * What `words` name that follow `/approve`, `/deny` or `/edit`: `[id[.n] | n | all] [n]`, and what is left of them. An id is
 * a whole one or the beginning of a card's; a number is that of a call on the card, and stands alone only where one card waits,
 * as `all` does. Case does not matter. Pure.
 */
export function readTarget(
  words: readonly string[],
  cards: readonly WaitingCard[],
): ReadTarget {
  const [first = "", second = "", third = ""] = words;
  const [only, ...others] = cards;
  if (isNumber(first)) {
    if (only === undefined || others.length > 0) return { type: "unknown" };
    return onCard(only, [first, second], words.slice(1));
  }
  const [, prefix = "", dotted] =
    /^([\w-]+)(?:\.(\d{1,2}))?$/.exec(first) ?? [];
  const named = /^all$/i.test(prefix)
    ? [...cards]
    : cards.filter((card) => isNamed(card, prefix));
  const [card] = named;
  if (card === undefined || named.length > 1)
    return fullId.test(first) && !isNumber(second)
      ? one(first, words.slice(1))
      : { type: "unknown" };
  if (dotted !== undefined)
    return onCard(card, [dotted, second], words.slice(1));
  if (isNumber(second)) return onCard(card, [second, third], words.slice(2));
  if (fullId.test(first)) return one(first, words.slice(1));
  const target = { approvalId: card.ids[0], which: "all" } as const;
  return { type: "target", target, rest: words.slice(1) };
}

const one = (approvalId: string, rest: readonly string[]): ReadTarget => ({
  type: "target",
  target: { approvalId, which: "one" },
  rest,
});

/** A whole id names the card that asks for its call. */
function isNamed({ ids }: WaitingCard, word: string): boolean {
  const [first] = ids;
  const start = word.toLowerCase();
  return (
    ids.includes(word) ||
    (word.length >= shortestPrefix &&
      [first, shortApprovalId(first)].some((id) =>
        id.toLowerCase().startsWith(start),
      ))
  );
}

/** @param next is not a number, too: one call is decided at a time. */
function onCard(
  card: WaitingCard,
  [typed, next]: readonly [string, string],
  rest: readonly string[],
): ReadTarget {
  const number = /^#?(\d{1,2})[.,:;)]?$/.exec(typed)?.[1];
  const target = number && targetOn(card, Number(number));
  return target && !isNumber(next)
    ? { type: "target", target, rest }
    : {
        type: "no-call",
        typed: isNumber(next) ? `${typed} ${next}` : typed,
      };
}
