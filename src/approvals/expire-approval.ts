import type { Approval, unreached } from "../core/approval.ts";
import type { AuditLog } from "../core/audit.ts";
import { outcomeEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import { localeFor } from "../locales/locale-for.ts";
import { decisionNote, writeNotes } from "./audit-approval.ts";

/**
 * Denies an expired approval, or before its time one that could be shown to no one. Undefined: there was
 * nothing to expire.
 */
export async function expireApproval(
  { approvals, audit }: { readonly approvals: ApprovalStore; readonly audit: AuditLog },
  id: string,
  reason?: typeof unreached,
): Promise<Approval | undefined> {
  const view = await approvals.find(id);
  if (view === undefined) {
    await approvals.forget(id);
    return undefined;
  }
  const { approval } = view;
  const { undecided } = localeFor(approval.requester.language, approval.requester.id).decisions;
  const told = outcomeEntry(approval, { id: `decided-${id}`, text: undecided });
  const decided = await approvals.decide(view, {
    status: "expired",
    ...(reason === undefined ? {} : { reason }),
    decidedBy: "",
    told,
    toldExpired: told,
  });
  if (decided.type !== "decided") return undefined;
  await writeNotes(audit, [decisionNote(approval, "expired", undefined)]);
  return approval;
}
