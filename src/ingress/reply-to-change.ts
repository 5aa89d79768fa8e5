import { createHash } from "node:crypto";
import { editApproval, editQuestion } from "../approvals/edit-approval.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { chatKey, parseChatKey } from "../core/chat.ts";
import type { InboundMessage, InboundTap } from "../core/inbound.ts";
import { spokenIn } from "../core/outbox.ts";
import { sleep } from "../util/sleep.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

/*
 * Changing a call's arguments where no form can be opened: a tap on Edit asks the person for a
 * reply, and their reply to that message is the change. States of the question, for each person and
 * approval: not asked → posted → sent; another tap asks again.
 */

/** How long a reply waits until the id of a question that is being sent is stored. Milliseconds. */
const receiptWaitMs = 500;
const receiptPollMs = 20;

/** The outbox id of the question. An erased person's id must not be left in the name of a key. */
function questionId(approvalId: string, personId: string): string {
  const hash = createHash("sha256").update(personId).digest("base64url").slice(0, 12);
  return `edit-${approvalId}-${hash}`;
}

/** A tap on Edit: asks for the new value, if this person may decide the call. */
export async function askForChange(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
  attempt: DecisionRequest,
): Promise<Outcome> {
  const tooMany = arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const { person, direct, messageId } = arrived.inbound;
  const question = await editQuestion(deps, attempt);
  if (question.type === "refused") return { type: "refused", text: question.text };
  const { approval, text } = question;
  // A tap on an inaccessible message doesn't contain the topic; the approval does.
  const chat = chatKey(parseChatKey(approval.chat));
  const id = questionId(approval.id, person.id);
  const eventId = `edit:${arrived.inbound.id}`;
  if (!(await deps.inbox.hasSeen(chat, eventId))) {
    await deps.approvals.expectReply(chat, id);
    await deps.inbox.answer(chat, eventId, {
      kind: "notice",
      v: 1,
      id,
      ...spokenIn(person.language),
      ...(direct ? {} : { person: person.id }),
      ...(messageId === undefined ? {} : { replyTo: messageId }),
      text,
      replyFrom: { id: person.id, name: person.name },
    });
  }
  await deps.wakeDelivery(chat);
  // The question is all there is to say.
  return { type: "answered", text: "", isPrivate: true };
}

/** The outcome of a message that answers such a question; undefined: it answers none. */
export async function changeByReply(
  deps: AcceptDeps,
  { inbound, chat, chatRole }: Arrived<InboundMessage>,
  replyToId: string,
): Promise<string | undefined> {
  const { id: eventId, person, text } = inbound;
  const { asked } = await deps.approvals.askedOf(chat);
  for (const { approval } of asked) {
    const question = questionId(approval.id, person.id);
    if ((await messageOf(deps, chat, question)) !== replyToId) continue;
    const attempt = { approvalId: approval.id, eventId, person, role: await chatRole(), chat };
    return (await editApproval(deps, attempt, { type: "reply", text })).text;
  }
  return undefined;
}

/** The question is visible before its message id is stored: a quick reply waits for that. */
async function messageOf(
  { approvals }: AcceptDeps,
  ...where: Parameters<AcceptDeps["approvals"]["replyExpected"]>
): Promise<string | undefined> {
  const untilMs = performance.now() + receiptWaitMs;
  for (;;) {
    const found = await approvals.replyExpected(...where);
    if (found !== "posted" || performance.now() >= untilMs) return found;
    await sleep(receiptPollMs);
  }
}
