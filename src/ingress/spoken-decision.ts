import { decideAndWake, type AttemptOutcome } from "../approvals/decide-approval.ts";
import { editApproval } from "../approvals/edit-approval.ts";
import { looksLikeEdit } from "../approvals/edit-input.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { targetOn, waitingCards, type WaitingCard } from "../approvals/waiting-cards.ts";
import { shortApprovalId } from "../core/approval.ts";
import type { ChatKey } from "../core/chat.ts";
import { spokenDecision, spokenEdit } from "../text/decision-words.ts";
import type { InboundMessage } from "../core/inbound.ts";
import type { Asked } from "../store/approvals/approvals.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";
import { ownFiles } from "./pointed-at.ts";
import { changeByReply, waitForReceipt } from "./reply-to-change.ts";

/**
 * A yes or no that decides a card like a tap: as a reply to the card, or in a direct chat alone if
 * exactly one card waits. Changed arguments in a reply, as `name=value` or JSON, are asked about
 * instead. Undefined for every other message: the model answers it.
 */
export async function decideInWords(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Outcome | undefined> {
  const { isForwarded, replyToId } = arrived.inbound;
  if (ownFiles(arrived.inbound).length > 0 || isForwarded) return undefined;
  const changed =
    replyToId === undefined ? undefined : await changeByReply(deps, arrived, replyToId);
  if (changed !== undefined) return changed;
  const outcome =
    replyToId === undefined
      ? await decideByItself(deps, arrived)
      : await answerCard(deps, arrived, replyToId);
  if (outcome === undefined) return undefined;
  const tooMany = arrived.pace.refusalOf(arrived);
  // What was decided is always reported: a person decides each call once.
  if (tooMany && outcome.type === "refused") return tooMany;
  return { type: "reply", text: outcome.text };
}

async function answerCard(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
  replyToId: string,
): Promise<AttemptOutcome | undefined> {
  const { text } = arrived.inbound;
  const said = spokenDecision(text);
  const edit = said ? undefined : spokenEdit(text, looksLikeEdit);
  if (said === undefined && edit === undefined) return undefined;
  const cardIn = ({ asked }: Asked) =>
    waitingCards(asked).find(({ messageId }) => messageId === replyToId);
  const isKnown = (found: Asked) =>
    cardIn(found) !== undefined ||
    [found.otherQuestionId, ...waitingCards(found.asked).map(({ messageId }) => messageId)].some(
      (known) => isBelow(known, replyToId),
    );
  const card = cardIn(await askedAndShown(deps, arrived.chat, isKnown));
  if (card === undefined) return undefined;
  const attempt = { ...(await attemptOf(arrived)), messageId: replyToId };
  return said === undefined
    ? await change(deps, arrived, attempt, { card, ...edit })
    : await decide(deps, attempt, { card, said });
}

/**
 * In a direct chat a plain yes or no counts without replying to the card, if exactly one card waits
 * and the message is below it in the chat. If several wait, or another question was asked since,
 * nothing is decided. A no with more words goes to the model.
 */
async function decideByItself(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<AttemptOutcome | undefined> {
  const { direct, messageId, quote, text } = arrived.inbound;
  if (!direct || messageId === undefined || quote !== undefined) return undefined;
  const said = spokenDecision(text);
  if (said === undefined || said.reason !== undefined) return undefined;
  const { asked, otherQuestionId } = await askedAndShown(deps, arrived.chat);
  const open = waitingCards(asked.filter(({ status }) => status === "pending"));
  // No card waits, but the turn has not continued yet: the last decision answers.
  const cards = open.length > 0 ? open : waitingCards(asked).slice(-1);
  if (!cards.some((card) => isBelow(messageId, card.messageId))) return undefined;
  const [card, ...others] = cards;
  if (
    card?.messageId === undefined ||
    others.length > 0 ||
    isBelow(otherQuestionId, card.messageId)
  )
    return { type: "refused", text: arrived.locale.decisions.whichCard };
  return await decide(deps, await attemptOf(arrived), { card, said });
}

/**
 * A card is visible before its message id is stored: a quick yes waits for that.
 * @param isEnough ends the wait early, e.g. since the message is older than a stored card.
 */
const askedAndShown = (
  { approvals }: AcceptDeps,
  chat: ChatKey,
  isEnough: (found: Asked) => boolean = () => false,
): Promise<Asked> =>
  waitForReceipt(
    () => approvals.askedOf(chat),
    (found) =>
      isEnough(found) ||
      found.asked.every(
        ({ status, cardMessageId }) => status !== "pending" || cardMessageId !== undefined,
      ),
  );

/**
 * Both platforms number a chat's messages in order; an id that isn't a number is below nothing.
 * Pure.
 */
const isBelow = (messageId: string | undefined, cardId: string | undefined): boolean =>
  messageId !== undefined &&
  cardId !== undefined &&
  [messageId, cardId].every((id) => /^\d{1,20}$/.test(id)) &&
  BigInt(messageId) > BigInt(cardId);

async function attemptOf({
  inbound: { id: eventId, person },
  chat,
  chatRole,
}: Arrived<InboundMessage>): Promise<Person> {
  return { eventId, person, role: await chatRole(), chat };
}

type Person = Omit<DecisionRequest, "approvalId">;
type Said = NonNullable<ReturnType<typeof spokenDecision>>;

async function decide(
  deps: AcceptDeps,
  attempt: Person,
  { card, said }: { readonly card: WaitingCard; readonly said: Said },
): Promise<AttemptOutcome | undefined> {
  const target = targetOn(card, said.numbers);
  if (target === undefined) return undefined;
  const { status, reason } = said;
  const { approvalId, which } = target;
  const decision = { ...attempt, approvalId, status, reason };
  return await decideAndWake(deps, decision, which);
}

/** On a card of several calls, one has to be named. */
async function change(
  deps: AcceptDeps,
  { locale }: Arrived<InboundMessage>,
  attempt: Person,
  edit: {
    readonly card: WaitingCard;
    readonly number?: number | undefined;
    readonly text?: string;
  },
): Promise<AttemptOutcome> {
  const { card, number, text = "" } = edit;
  const isVague = number === undefined && card.ids.length > 1;
  const target = isVague ? undefined : targetOn(card, [number ?? 1]);
  if (target === undefined) {
    const { whichOne, how } = locale.edits;
    return { type: "refused", text: `${whichOne} ${how(`${shortApprovalId(card.ids[0])}.1`)}` };
  }
  const request = { ...attempt, approvalId: target.approvalId };
  return await editApproval(deps, request, { type: "text", text });
}
