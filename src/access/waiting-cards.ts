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
/** Fewer characters of an id name nothing. */
const shortestPrefix = 3;

/**
 * What somebody means who types `word`: a whole id, the beginning of a card's id, either of them with `.2` for a call of the
 * card, a call's number, or `all`; the latter two only where one card waits. Case does not matter. Pure.
 */
export function targetOf(
  word: string,
  cards: readonly WaitingCard[],
): DecisionTarget | undefined {
  if (fullId.test(word)) return { approvalId: word, which: "one" };
  const [only, ...others] = cards;
  const single = others.length === 0 ? only : undefined;
  if (single && /^all$/i.test(word)) return targetOn(single, undefined);
  if (/^\d{1,2}$/.test(word)) return single && targetOn(single, Number(word));
  const [, prefix = "", number] = /^([\w-]+)(?:\.(\d{1,2}))?$/.exec(word) ?? [];
  if (prefix.length < shortestPrefix) return undefined;
  const meant = cards.filter(({ ids: [first] }) =>
    [first, shortApprovalId(first)].some((id) =>
      id.toLowerCase().startsWith(prefix.toLowerCase()),
    ),
  );
  const [card] = meant;
  return card && meant.length === 1
    ? targetOn(card, number === undefined ? undefined : Number(number))
    : undefined;
}
