import type {
  Approval,
  ApprovalStatus,
  ApprovalView,
} from "../core/approval.ts";
import { unreachable } from "../core/errors.ts";
import {
  chatKey,
  parseChatKey,
  type ChatKey,
  type Person,
} from "../core/chat.ts";
import { outcomeEntry, type OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals.ts";
import { wordsFor } from "../words/words-for.ts";
import type { Words } from "../words/words.ts";
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

type Say = Words["decisions"];

/** To whoever tries. */
const toPerson = ({ person }: Attempt): Say =>
  wordsFor(person.language).decisions;

/** To the chat that was asked. */
const toChat = ({ requester }: Approval): Say =>
  wordsFor(requester.language).decisions;

const refused = (text: string) => ({ type: "refused", text }) as const;

/**
 * One person's try to decide an approval. Chat, message and person are checked here, that it is pending and not
 * expired by the store's compare-and-set. What is refused is a sentence for this person alone.
 */
export async function decideApproval(
  approvals: ApprovalStore,
  attempt: Attempt,
): Promise<AttemptOutcome> {
  const say = toPerson(attempt);
  const view = await approvals.find(attempt.approvalId);
  if (view === undefined || !isSameChat(view.approval.chat, attempt.chat))
    return refused(say.otherChat);
  if (isOfAnotherMessage(view, attempt.messageId)) {
    const { status, decidedBy = "" } = view;
    return status === "pending"
      ? refused(say.otherMessage)
      : { ...refused(alreadyText(say, status, decidedBy)), isStale: true };
  }
  if (!mayDecide(view.approval, attempt))
    return refused(say.notAllowed(whoMay(say, view.approval)));
  const { approval } = view;
  const { reason } = attempt;
  const decided = await approvals.decide(view, {
    status: attempt.status,
    decidedBy: attempt.person.name,
    ...(reason === undefined ? {} : { reason }),
    ...(attempt.notAfterMs === undefined
      ? {}
      : { notAfterMs: attempt.notAfterMs }),
    told: resolution(approval, decidedText(toChat(approval), attempt)),
    toldExpired: resolution(approval, toChat(approval).undecided),
  });
  switch (decided.type) {
    case "decided":
      return decided.status === "expired"
        ? { type: "refused", text: say.expired, expired: approval }
        : { type: "decided", approval, text: say[attempt.status] };
    case "already":
      return refused(alreadyText(say, decided.status, decided.decidedBy));
    case "late":
      return refused(say.tooLate);
    case "unknown":
    case "early":
      return refused(say.tooOld);
    default:
      return unreachable(decided);
  }
}

/**
 * One person's try to decide all that still wait of a card, one by one: each is decided once, whoever else decides
 * meanwhile.
 */
export async function decideTogether(
  approvals: ApprovalStore,
  attempt: Attempt,
): Promise<AttemptOutcome> {
  const view = await approvals.find(attempt.approvalId);
  const ids = view?.approval.together ?? [attempt.approvalId];
  const outcomes: AttemptOutcome[] = [];
  for (const approvalId of ids)
    outcomes.push(await decideApproval(approvals, { ...attempt, approvalId }));
  const decided = outcomes.filter(({ type }) => type === "decided");
  const [first = outcomes[0]] = decided;
  if (first === undefined) throw new TypeError("a card asks for something");
  if (ids.length === 1) return first;
  const refusals = outcomes.flatMap(({ type, text }, index) =>
    type === "refused" ? [`${index + 1}: ${text}`] : [],
  );
  if (first.type === "refused") {
    const isSame = outcomes.every(({ text }) => text === first.text);
    const expired = outcomes.find(
      (each) => each.type === "refused" && each.expired !== undefined,
    );
    return {
      ...first,
      ...expired,
      text: isSame ? first.text : refusals.join("\n"),
    };
  }
  const say = toPerson(attempt);
  const done =
    attempt.status === "approved"
      ? say.approvedOf(decided.length, ids.length)
      : say.deniedOf(decided.length, ids.length);
  return { ...first, text: [done, ...refusals].join("\n") };
}

export interface DecidingDeps {
  readonly approvals: ApprovalStore;
  readonly wakeTurn: (chat: ChatKey) => Promise<void>;
  readonly wakeDelivery: (chat: ChatKey) => Promise<void>;
}

/** What the person is told at once; the chat that asked is woken where something has changed. */
export async function decideAndWake(
  { approvals, wakeTurn, wakeDelivery }: DecidingDeps,
  attempt: Attempt,
  which: "one" | "all",
): Promise<AttemptOutcome> {
  const decide = which === "one" ? decideApproval : decideTogether;
  const outcome = await decide(approvals, attempt);
  const changed =
    outcome.type === "decided" ? outcome.approval : outcome.expired;
  if (changed !== undefined) {
    // A tap on a message that has become inaccessible does not tell its topic: the approval does.
    const asked = chatKey(parseChatKey(changed.chat));
    await Promise.all([wakeTurn(asked), wakeDelivery(asked)]);
  }
  return outcome;
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
  const told = resolution(view.approval, toChat(view.approval).undecided);
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
  // Whoever asked may have lost their access since.
  const isLetIn = role === "admin" || role === "member";
  if (person.anonymous || !isLetIn) return false;
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

function whoMay(say: Say, { approvers, requester }: Approval): string {
  switch (approvers) {
    case "requester-or-admins":
      return say.orAnAdmin(requester.name);
    case "requester":
      return requester.name;
    case "admins":
      return say.anAdmin;
    default:
      return unreachable(approvers);
  }
}

function alreadyText(
  say: Say,
  status: ApprovalStatus,
  decidedBy: string,
): string {
  if (decidedBy !== "" && status === "approved")
    return say.alreadyApprovedBy(decidedBy);
  if (decidedBy !== "" && status === "denied")
    return say.alreadyDeniedBy(decidedBy);
  return say.already[status];
}

/** What the chat reads of a decision. */
function decidedText(say: Say, { status, person, reason }: Attempt): string {
  if (status === "approved") return say.approvedBy(person.name);
  return reason === undefined
    ? say.deniedBy(person.name)
    : say.deniedBecause(person.name, reason);
}

const resolution = (approval: Approval, text: string): OutboxEntry =>
  outcomeEntry(approval, { id: `decided-${approval.id}`, text });
