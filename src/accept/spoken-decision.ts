import { decideAndWake } from "../access/decide-approval.ts";
import { targetOn, waitingCards } from "../access/waiting-cards.ts";
import type { Acceptance, InboundMessage } from "../core/inbound.ts";
import { answerOnce } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { spokenDecision } from "./spoken-words.ts";

/**
 * Yes or no in answer to a card that waits here: it decides as a tap does. Undefined for every other message: whoever
 * answers anything else than a card, or says more than yes, talks to the model.
 */
export async function acceptSpokenDecision(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance | undefined> {
  const { inbound: message, chat, role } = arrived;
  const { commandDeps } = deps;
  const { replyToId, attachments = [] } = message;
  if (replyToId === undefined || attachments.length > 0) return undefined;
  const said = spokenDecision(message.text);
  if (said === undefined) return undefined;
  const cards = waitingCards(await commandDeps.approvals.shownOf(chat));
  const card = cards.find(({ messageId }) => messageId === replyToId);
  const target = card && targetOn(card, said.number);
  if (target === undefined) return undefined;
  const outcome = await decideAndWake(
    commandDeps,
    {
      approvalId: target.approvalId,
      status: said.status,
      person: message.person,
      role,
      chat,
      messageId: replyToId,
      reason: said.reason,
    },
    target.which,
  );
  return await answerOnce(deps, arrived, { text: outcome.text });
}
