import {
  entitles,
  type Approval,
  type ApprovalStatus,
  type ApprovalView,
} from "../core/approval.ts";
import { parseChatKey, type Person } from "../core/chat.ts";
import type { Role } from "../core/roles.ts";
import { bothOf, deciders } from "../locales/deciders.ts";
import type { Locale } from "../locales/locale.ts";

type Say = Locale["decisions"];

/**
 * Whether a person may decide this, with their current role. Anonymous senders
 * decide nothing. Pure.
 */
export const mayDecide = (
  { approvers, requester }: Pick<Approval, "approvers" | "requester">,
  { person, role }: { readonly person: Person; readonly role: Role },
): boolean =>
  !person.anonymous && entitles(approvers, { role, isRequester: person.id === requester.id });

/** `Ann or an admin`. Pure. */
export const whoMay = (say: Say, approval: Approval): string =>
  deciders(say, approval, approval.requester.name);

/** Without the topic: a tap on an inaccessible message doesn't contain it. Pure. */
export function isSameChat(asked: string, tapped: string): boolean {
  const [one, other] = [parseChatKey(asked), parseChatKey(tapped)];
  return one.platform === other.platform && one.bot === other.bot && one.chat === other.chat;
}

/** Pure. */
export const isOfAnotherMessage = (
  { cardMessageId }: ApprovalView,
  messageId: string | undefined,
): boolean =>
  // The card's id is stored after sending: a fast tap may come earlier, and the approval's id is
  // unguessable anyway.
  cardMessageId !== undefined && messageId !== undefined && cardMessageId !== messageId;

/** For a closed approval. Pure. */
export function alreadyText(
  say: Say,
  closed: {
    readonly status: ApprovalStatus;
    /** Empty: no one, or unknown. */
    readonly decidedBy: string;
    readonly approvedFirst?: string | undefined;
  },
): string {
  const { status, decidedBy, approvedFirst } = closed;
  if (decidedBy === "") return say.already[status];
  if (status === "approved") return say.alreadyApprovedBy(bothOf(say, approvedFirst, decidedBy));
  if (status === "denied") return say.alreadyDeniedBy(decidedBy);
  if (status === "changed") return say.alreadyChangedBy(decidedBy);
  return say.already[status];
}
