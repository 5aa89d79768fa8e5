import { createHash } from "node:crypto";
import { editApproval, editQuestion } from "../approvals/edit-approval.ts";
import type { Approval } from "../core/approval.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { chatKey, parseChatKey, type Person } from "../core/chat.ts";
import type { InboundMessage, InboundTap } from "../core/inbound.ts";
import { spokenIn } from "../core/outbox.ts";
import { sleep } from "../util/sleep.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

/*
 * Changing a call's arguments where no form can be opened: a tap on Edit asks the person for a
 * reply, and their reply to that message is the change. If it can't be one, they are asked again.
 * States of each question, of which a person may get several about an approval: posted → sent.
 */

/**
 * How long an answer waits until the message id of what is being sent is stored. Other messages of
 * the chat wait as long. Milliseconds.
 */
const receiptWaitMs = 500;
const receiptPollMs = 20;

/** Looks until it is enough, or has lasted too long. */
export async function waitForReceipt<Found>(
  look: () => Promise<Found>,
  isEnough: (found: Found) => boolean,
): Promise<Found> {
  const untilMs = performance.now() + receiptWaitMs;
  for (;;) {
    const found = await look();
    if (isEnough(found) || performance.now() >= untilMs) return found;
    await sleep(receiptPollMs);
  }
}

/** Names the question. An erased person's id must not be left in the name of a key. */
function questionOf({ id }: Approval, person: Person): string {
  const hash = createHash("sha256").update(person.id).digest("base64url").slice(0, 12);
  return `edit-${id}-${hash}`;
}

/** A tap on Edit: asks for the new value, if this person may decide the call. */
export async function askForChange(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
  attempt: DecisionRequest,
): Promise<Outcome> {
  const tooMany = arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const question = await editQuestion(deps, attempt);
  if (question.type === "refused") return { type: "refused", text: question.text };
  return await ask(deps, arrived, { ...question, eventId: `edit:${arrived.inbound.id}` });
}

/** Asks once per event. */
async function ask(
  deps: AcceptDeps,
  { inbound: { person, direct, messageId } }: Arrived<InboundTap | InboundMessage>,
  {
    approval,
    text,
    eventId,
  }: { readonly approval: Approval; readonly text: string; readonly eventId: string },
): Promise<Outcome> {
  // A tap on an inaccessible message doesn't contain the topic; the approval does.
  const chat = chatKey(parseChatKey(approval.chat));
  if (!(await deps.inbox.hasSeen(chat, eventId))) {
    const id = await deps.approvals.expectReply(chat, questionOf(approval, person));
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
  arrived: Arrived<InboundMessage>,
  replyToId: string,
): Promise<Outcome | undefined> {
  const approval = await askedAboutIn(deps, arrived, replyToId);
  if (approval === undefined) return undefined;
  const { inbound, chat } = arrived;
  const { id: eventId, person } = inbound;
  const attempt = {
    approvalId: approval.id,
    eventId,
    person,
    role: await arrived.chatRole(),
    chat,
  };
  const outcome = await editApproval(deps, attempt, { type: "reply", text: inbound.text });
  const tooMany = arrived.pace.refusalOf(arrived);
  // A change that was made is always reported: there is one for each question.
  if (tooMany && outcome.type === "refused") return tooMany;
  const { text } = outcome;
  const isInvalid = outcome.type === "refused" && outcome.isInvalid;
  return isInvalid
    ? await ask(deps, arrived, { approval, text, eventId })
    : { type: "reply", text };
}

/**
 * What this message asks the person about. It is visible before its id is stored: a quick reply
 * waits for that, however many questions there are.
 */
async function askedAboutIn(
  { approvals }: AcceptDeps,
  { inbound: { person }, chat }: Arrived<InboundMessage>,
  messageId: string,
): Promise<Approval | undefined> {
  const { asked } = await approvals.askedOf(chat);
  const found = await waitForReceipt(
    async () => {
      let isOneBeingSent = false;
      for (const { approval } of asked) {
        const { ids, isBeingSent } = await approvals.askedIn(chat, questionOf(approval, person));
        if (ids.includes(messageId)) return { approval, isOneBeingSent: false };
        isOneBeingSent ||= isBeingSent;
      }
      return { approval: undefined, isOneBeingSent };
    },
    ({ isOneBeingSent }) => !isOneBeingSent,
  );
  return found.approval;
}
