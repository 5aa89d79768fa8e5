import {
  decideAndWake,
  type AttemptOutcome,
} from "../access/decide-approval.ts";
import { editApproval } from "../access/edit-approval.ts";
import { looksLikeEdit } from "../access/edit-input.ts";
import type { Try } from "../access/pending-for.ts";
import {
  targetOn,
  waitingCards,
  type WaitingCard,
} from "../access/waiting-cards.ts";
import type { Acceptance, InboundMessage } from "../core/inbound.ts";
import { answerOnce } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { spokenDecision, spokenEdit } from "./spoken-words.ts";

/**
 * Yes or no in answer to a card that waits here: it decides as a tap does. Other arguments, as `name=value` or JSON, are asked
 * about instead. Undefined for every other message: whoever answers anything else than a card, or says more than yes, talks
 * to the model.
 */
export async function acceptSpokenDecision(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance | undefined> {
  const { inbound: message, chat } = arrived;
  const { replyToId, attachments = [] } = message;
  if (replyToId === undefined || attachments.length > 0) return undefined;
  const said = spokenDecision(message.text);
  const edit = said ? undefined : spokenEdit(message.text, looksLikeEdit);
  if (said === undefined && edit === undefined) return undefined;
  const { approvals } = deps.commandDeps;
  const cards = waitingCards(await approvals.shownOf(chat));
  const card = cards.find(({ messageId }) => messageId === replyToId);
  if (card === undefined) return undefined;
  const attempt = {
    eventId: message.id,
    person: message.person,
    role: await arrived.chatRole(),
    chat,
    messageId: replyToId,
  };
  const outcome =
    said === undefined
      ? await change(deps, arrived, attempt, { card, ...edit })
      : await decide(deps, attempt, { card, said });
  if (outcome === undefined) return undefined;
  return (
    (await arrived.pace.refusalOf(arrived)) ??
    (await answerOnce(deps, arrived, { text: outcome.text }))
  );
}

type Person = Omit<Try, "approvalId">;

async function decide(
  { commandDeps }: AcceptDeps,
  attempt: Person,
  {
    card,
    said,
  }: {
    readonly card: WaitingCard;
    readonly said: NonNullable<ReturnType<typeof spokenDecision>>;
  },
): Promise<AttemptOutcome | undefined> {
  const target = targetOn(card, said.number);
  if (target === undefined) return undefined;
  const { status, reason } = said;
  const { approvalId, which } = target;
  return await decideAndWake(
    commandDeps,
    { ...attempt, approvalId, status, reason },
    which,
  );
}

/** Of a card of several calls one has to be named. */
async function change(
  { commandDeps }: AcceptDeps,
  { words }: Arrived<InboundMessage>,
  attempt: Person,
  edit: {
    readonly card: WaitingCard;
    readonly number?: number | undefined;
    readonly text?: string;
  },
): Promise<Pick<AttemptOutcome, "text"> | undefined> {
  const { card, number, text = "" } = edit;
  if (number === undefined && card.ids.length > 1)
    return { text: words.edits.which };
  const target = targetOn(card, number ?? 1);
  if (target === undefined) return { text: words.edits.which };
  const { approvalId } = target;
  return await editApproval(
    commandDeps,
    { ...attempt, approvalId },
    { type: "text", text },
  );
}
