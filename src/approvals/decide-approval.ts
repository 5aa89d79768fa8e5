import { createHash, randomBytes } from "node:crypto";
import type { Approval, ApprovalView } from "../core/approval.ts";
import type { AuditLog } from "../core/audit.ts";
import { unreachable } from "../core/errors.ts";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { outcomeEntry, type OutboxEntry } from "../core/outbox.ts";
import { rememberTool } from "../core/tool.ts";
import type { ApprovalStore, Decided } from "../store/approvals/approvals.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import type { Access } from "../access/access.ts";
import type { Role } from "../core/roles.ts";
import type { Attempt, AttemptOutcome, DecisionRequest, Which } from "./attempt.ts";
import { together } from "./together.ts";
import { decisionNote, refusalNote, writeNotes, type AuditNote } from "./audit-approval.ts";
import { alreadyText, isOfAnotherMessage, isSameChat, mayDecide, whoMay } from "./may-decide.ts";

export type { Attempt, AttemptOutcome } from "./attempt.ts";

/** The result of an attempt and its audit lines. */
interface DecisionResult {
  readonly outcome: AttemptOutcome;
  readonly notes: readonly AuditNote[];
}

type Say = Locale["decisions"];

/** Addressed to the person who made the attempt. */
const toPerson = ({ person }: Attempt): Say => localeFor(person.language, person.id).decisions;

/** To the chat that was asked. */
const toChat = ({ requester }: Approval): Say =>
  localeFor(requester.language, requester.id).decisions;

const refused = (text: string, ...notes: readonly AuditNote[]): DecisionResult => ({
  outcome: { type: "refused", text },
  notes,
});

interface Judging {
  readonly approvals: ApprovalStore;
  /** The person's role that counts for this approval. */
  readonly roleFor: (approval: Approval, attempt: DecisionRequest) => Promise<Role>;
  /** Whether the first approver, by id, has lost the right to approve. */
  readonly isVoid: (approval: Approval, firstId: string) => Promise<boolean>;
}

/**
 * One person's attempt to decide an approval. Chat, message and person are checked here; the
 * store's compare-and-set checks that it is pending and not expired. A refusal is a sentence for
 * this person alone.
 */
async function tryOne(
  { approvals, isVoid, roleFor }: Judging,
  attempt: Attempt,
): Promise<DecisionResult> {
  const say = toPerson(attempt);
  const view = await approvals.find(attempt.approvalId);
  if (view === undefined) return refused(say.otherChat);
  const { approval, approvedFirst } = view;
  const isHere = isSameChat(approval.chat, attempt.chat);
  if (!isHere && approval.elsewhere !== true)
    return refused(say.otherChat, refusalNote(approval, { ...attempt, why: "another chat" }));
  if (isHere && isOfAnotherMessage(view, attempt.messageId))
    return { outcome: ofAnotherMessage(say, view), notes: [] };
  const role = await roleFor(approval, attempt);
  if (!mayDecide(approval, { person: attempt.person, role }))
    return refused(
      say.notAllowed(whoMay(say, approval)),
      refusalNote(approval, { ...attempt, why: "not entitled" }),
    );
  const { status, reason, edit, person, notAfterMs } = attempt;
  const voidFirstId =
    approvedFirst && (await isVoid(approval, approvedFirst.id)) ? approvedFirst.id : undefined;
  const decided = await approvals.decide(view, {
    ...nameOf(attempt),
    status,
    ...(voidFirstId === undefined ? {} : { voidFirstId }),
    decidedBy: person.name,
    decidedById: person.id,
    ...(reason === undefined ? {} : { reason }),
    ...(edit === undefined ? {} : { edit }),
    ...(notAfterMs === undefined ? {} : { notAfterMs }),
    told: resolution(approval, decidedText(toChat(approval), attempt)),
    toldExpired: resolution(approval, toChat(approval).undecided),
    toldFirst: firstOfTwo(approval),
  });
  return tried(view, attempt, decided);
}

/**
 * A repeated event after a crash gets the same result again, and its audit line
 * if that is missing.
 */
function nameOf({ eventId, person, status }: Attempt): { attempt?: string } {
  if (eventId === undefined) return {};
  const attempt = createHash("sha256")
    .update(JSON.stringify([eventId, person.id, status]))
    .digest("base64url")
    .slice(0, attemptLength);
  return { attempt };
}

/** Length of an attempt's id, unique per approval. Characters. */
const attemptLength = 12;

const ofAnotherMessage = (
  say: Say,
  { status, decidedBy = "", approvedFirst }: ApprovalView,
): AttemptOutcome =>
  status === "pending"
    ? { type: "refused", text: say.otherMessage }
    : {
        type: "refused",
        text: alreadyText(say, {
          status,
          decidedBy,
          approvedFirst: approvedFirst?.name,
        }),
        isStale: true,
      };

/** @param view the state before the decision. */
function tried(
  { approval, approvedFirst }: ApprovalView,
  attempt: Attempt,
  decided: Decided,
): DecisionResult {
  const say = toPerson(attempt);
  const { status, person } = attempt;
  switch (decided.type) {
    case "decided":
      return decided.status === "expired"
        ? {
            outcome: { type: "refused", text: say.expired, expired: approval },
            notes: [decisionNote(approval, "expired", undefined)],
          }
        : {
            outcome: { type: "decided", approval, text: doneText(say, approval, status) },
            // A change is audited where it is applied.
            notes:
              status === "changed"
                ? []
                : [decisionNote(approval, status, person, approvedFirst?.id)],
          };
    case "counted":
      return {
        outcome: { type: "counted", approval, text: say.counted },
        notes: [decisionNote(approval, "approved 1 of 2", person)],
      };
    case "same":
      return refused(say.countedBefore);
    case "already":
      return refused(alreadyText(say, decided));
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
 * One person's attempt to decide all pending calls of a card, one by one: each
 * is decided once, even if others decide at the same time.
 */
async function trySeveral(
  judging: Judging,
  attempt: Attempt,
  which: Exclude<Which, "one">,
): Promise<DecisionResult> {
  const view = await judging.approvals.find(attempt.approvalId);
  const ids = view?.approval.together ?? [attempt.approvalId];
  const all: (DecisionResult | undefined)[] = [];
  for (const approvalId of ids)
    all.push(
      which === "all" || which.includes(approvalId)
        ? await tryOne(judging, { ...attempt, approvalId })
        : undefined,
    );
  const outcome = together(
    attempt,
    all.map((each) => each?.outcome),
  );
  return { outcome, notes: all.flatMap((each) => each?.notes ?? []) };
}

export interface DecidingDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly access: Pick<Access, "roleOf" | "roleNow" | "trustsGroupAdmins">;
  readonly wakeTurn: (chat: ChatKey) => Promise<void>;
  readonly wakeDelivery: (chat: ChatKey) => Promise<void>;
}

/**
 * The immediate reply to the person; wakes the chat that asked if anything
 * changed.
 */
export async function decideAndWake(
  { approvals, audit, access, wakeTurn, wakeDelivery }: DecidingDeps,
  attempt: Attempt,
  which: Which,
): Promise<AttemptOutcome> {
  const isVoid = async (approval: Approval, id: string): Promise<boolean> => {
    const person = { id, name: id };
    const role = await access.roleOf(person);
    // Whether a group's own administrator still is one can't be checked here.
    return access.trustsGroupAdmins ? role === "banned" : !mayDecide(approval, { person, role });
  };
  const judging = {
    approvals,
    isVoid,
    roleFor: (approval: Approval, request: DecisionRequest) => roleFor(access, approval, request),
  };
  const { outcome, notes } =
    which === "one" ? await tryOne(judging, attempt) : await trySeveral(judging, attempt, which);
  const changed = outcome.type === "refused" ? outcome.expired : outcome.approval;
  // A tap on an inaccessible message doesn't contain the topic; the approval does.
  const asked = changed && chatKey(parseChatKey(changed.chat));
  await Promise.all([
    writeNotes(audit, notes),
    ...(asked === undefined ? [] : [wakeTurn(asked), wakeDelivery(asked)]),
  ]);
  return outcome;
}

/**
 * Where a call is decided elsewhere, a role in one chat says nothing about another: the stored role counts, as
 * it is now.
 */
export const roleFor = async (
  access: Pick<Access, "roleNow">,
  { elsewhere }: Approval,
  { person, role }: DecisionRequest,
): Promise<Role> => (elsewhere === true ? await access.roleNow(person) : role);

function doneText(say: Say, { tool }: Approval, status: Attempt["status"]): string {
  if (tool !== rememberTool || status === "changed") return say[status];
  return status === "approved" ? say.kept : say.notKept;
}

/** The decision as its chat is shown it. */
function decidedText(say: Say, { status, person, reason }: Attempt): string {
  if (status === "approved") return say.approvedBy(person.name);
  if (status === "changed") return say.changedBy(person.name);
  return reason === undefined ? say.deniedBy(person.name) : say.deniedBecause(person.name, reason);
}

const resolution = (approval: Approval, text: string): OutboxEntry =>
  outcomeEntry(approval, { id: `decided-${approval.id}`, text });

/**
 * The card names the first approver; if that person was erased since, another entry reports the new
 * state.
 */
const firstOfTwo = (approval: Approval): OutboxEntry =>
  outcomeEntry(approval, {
    id: `first-${approval.id}-${randomBytes(3).toString("hex")}`,
    text: "",
  });
