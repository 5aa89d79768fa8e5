import { shortApprovalId, type Approval } from "../core/approval.ts";
import type { AuditEntry, AuditLog } from "../core/audit.ts";
import type { Person } from "../core/chat.ts";

/** A line of the audit log, and its id, by which it is written once. */
export interface AuditNote {
  readonly id: string;
  readonly entry: Omit<AuditEntry, "v" | "atMs">;
}

const identity = ({ id, name }: Person) => ({ id, name });

/**
 * The audit line of a decision, without arguments and reasons.
 * @param by undefined: the approval expired.
 * @param first the id of the first approver, where two are required.
 */
export const decisionNote = (
  approval: Approval,
  outcome: "approved" | "denied" | "expired" | "approved 1 of 2",
  by: Person | undefined,
  first?: string,
): AuditNote => ({
  id: `${approval.id} ${outcome}`,
  entry: {
    action: "approval-decided",
    ...(by === undefined ? {} : { by: identity(by) }),
    chat: approval.chat,
    target: approval.tool,
    outcome,
    details: {
      approval: shortApprovalId(approval.id),
      requester: approval.requester.id,
      approvers: approval.approvers,
      ...(approval.persona === undefined ? {} : { persona: approval.persona }),
      ...(approval.policy === undefined ? {} : { policy: approval.policy }),
      ...(first === undefined ? {} : { first }),
    },
  },
});

/**
 * A refused attempt to decide: one line per person and approval, however often
 * they tap.
 */
export const refusalNote = (
  { id, tool }: Approval,
  {
    person,
    chat,
    why,
  }: {
    readonly person: Person;
    /** The chat of the attempt. */
    readonly chat: string;
    readonly why: "not entitled" | "another chat";
  },
): AuditNote => ({
  id: `${id} ${why}`,
  entry: {
    action: "attempt-denied",
    by: identity(person),
    chat,
    target: tool,
    outcome: why,
    details: { approval: shortApprovalId(id) },
  },
});

export async function writeNotes(audit: AuditLog, notes: readonly AuditNote[]): Promise<void> {
  await Promise.all(notes.map(({ id, entry }) => audit.write(id, entry)));
}
