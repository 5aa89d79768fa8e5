import type { Approval, ApprovalView } from "../core/approval.ts";
import { unreachable } from "../core/errors.ts";
import { parseChatKey, type Person } from "../core/chat.ts";
import { cardEntryId, cardOf, type OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals.ts";
import type { Role } from "./access.ts";

export interface Attempt {
  readonly approvalId: string;
  readonly status: "approved" | "denied";
  readonly person: Person;
  readonly role: Role;
  /** The chat in which the person did it. */
  readonly chat: string;
  /** The platform's id of the message whose button was tapped; absent when typed. */
  readonly messageId?: string | undefined;
  readonly reason?: string | undefined;
  /** Milliseconds since the epoch: the person has been told by then that it did not count. */
  readonly notAfterMs?: number | undefined;
}

export type AttemptOutcome =
  | {
      readonly type: "decided";
      readonly approval: Approval;
      readonly text: string;
    }
  /** `expired`: it turned out to have expired just now, which its chat does not know yet. */
  | {
      readonly type: "refused";
      readonly text: string;
      readonly expired?: Approval;
      /** It was decided before, on another card than the tapped one. */
      readonly isStale?: true;
    };

const refused = (text: string) => ({ type: "refused", text }) as const;

/**
 * One person's try to decide an approval. Chat, message and person are checked here, that it is pending and not
 * expired by the store's compare-and-set. What is refused is a sentence for this person alone.
 */
export async function decideApproval(
  approvals: ApprovalStore,
  attempt: Attempt,
): Promise<AttemptOutcome> {
  const view = await approvals.find(attempt.approvalId);
  if (view === undefined || !isSameChat(view.approval.chat, attempt.chat))
    return refused("This button is not of this chat, or too old.");
  if (isOfAnotherMessage(view, attempt.messageId)) {
    const { status, decidedBy = "" } = view;
    return status === "pending"
      ? refused("This button is not of this message.")
      : { ...refused(alreadyText(status, decidedBy)), isStale: true };
  }
  if (!mayDecide(view.approval, attempt))
    return refused(
      `You are not allowed to decide this: ${whoMay(view.approval)} may.`,
    );
  const { approval } = view;
  const verb = attempt.status === "approved" ? "Approved" : "Denied";
  const decided = await approvals.decide(view, {
    status: attempt.status,
    decidedBy: attempt.person.name,
    ...(attempt.reason === undefined ? {} : { reason: attempt.reason }),
    ...(attempt.notAfterMs === undefined
      ? {}
      : { notAfterMs: attempt.notAfterMs }),
    told: resolution(approval, `${verb} by ${attempt.person.name}.`),
    toldExpired: resolution(
      approval,
      "Expired: nobody decided in time, so it was denied.",
    ),
  });
  switch (decided.type) {
    case "decided":
      return decided.status === "expired"
        ? { type: "refused", text: "This has expired.", expired: approval }
        : { type: "decided", approval, text: `${verb}.` };
    case "already":
      return refused(alreadyText(decided.status, decided.decidedBy));
    case "late":
      return refused(
        "That took too long and does not count. Please tap again.",
      );
    case "unknown":
    case "early":
      return refused("This button is too old.");
    default:
      return unreachable(decided);
  }
}

/** Denies an approval whose time is over. Undefined: there was nothing to expire. */
export async function expireApproval(
  approvals: ApprovalStore,
  id: string,
): Promise<Approval | undefined> {
  const view = await approvals.find(id);
  if (view === undefined) {
    await approvals.forget(id);
    return undefined;
  }
  const told = resolution(
    view.approval,
    "Expired: nobody decided in time, so it was denied.",
  );
  const decided = await approvals.decide(view, {
    status: "expired",
    decidedBy: "",
    told,
    toldExpired: told,
  });
  return decided.type === "decided" ? view.approval : undefined;
}

/** The topic is left out: a tap on a message that has become inaccessible does not tell it. */
function isSameChat(asked: string, tapped: string): boolean {
  const [one, other] = [parseChatKey(asked), parseChatKey(tapped)];
  return (
    one.platform === other.platform &&
    one.bot === other.bot &&
    one.chat === other.chat
  );
}

function isOfAnotherMessage(
  { cardMessageId }: ApprovalView,
  messageId: string | undefined,
): boolean {
  // The card's id is written behind its sending: a fast tap may come before it, and its id is unguessable anyway.
  return (
    cardMessageId !== undefined &&
    messageId !== undefined &&
    cardMessageId !== messageId
  );
}

function mayDecide(
  { approvers, requester }: Approval,
  { person, role }: Attempt,
): boolean {
  if (person.anonymous || role === "banned") return false;
  const isRequester = person.id === requester.id;
  switch (approvers) {
    case "requester-or-admins":
      return isRequester || role === "admin";
    case "requester":
      return isRequester;
    case "admins":
      return role === "admin";
    default:
      return unreachable(approvers);
  }
}

function whoMay({ approvers, requester }: Approval): string {
  switch (approvers) {
    case "requester-or-admins":
      return `${requester.name} or an admin`;
    case "requester":
      return requester.name;
    case "admins":
      return "an admin";
    default:
      return unreachable(approvers);
  }
}

function alreadyText(status: string, decidedBy: string): string {
  if (status === "expired") return "This has expired.";
  return decidedBy === ""
    ? `This is already ${status}.`
    : `This is already ${status} by ${decidedBy}.`;
}

const resolution = (approval: Approval, text: string): OutboxEntry => ({
  kind: "resolution",
  v: 1,
  id: `decided-${approval.id}`,
  of: cardEntryId(approval.id),
  text,
  card: cardOf(approval),
});
