import type { Approval } from "../core/approval.ts";
import type { DecisionRequest } from "./attempt.ts";
import {
  decideAndWake,
  roleFor,
  type AttemptOutcome,
  type DecidingDeps,
} from "./decide-approval.ts";
import { isOfAnotherMessage, isSameChat, mayDecide } from "./may-decide.ts";

export type { DecisionRequest } from "./attempt.ts";

export type Refusal = AttemptOutcome & { readonly type: "refused" };

/**
 * The pending approval if this person may decide it; else the reason why not,
 * phrased for them. Changes nothing.
 * @param options.isCopyEnough the copy of a card in another chat will do.
 */
export async function pendingFor(
  deps: DecidingDeps,
  attempt: DecisionRequest,
  { isCopyEnough = false }: { readonly isCopyEnough?: boolean } = {},
): Promise<{ readonly type: "pending"; readonly approval: Approval } | Refusal> {
  const view = await deps.approvals.find(attempt.approvalId);
  const isTheirs =
    view?.status === "pending" &&
    (isSameChat(view.approval.chat, attempt.chat)
      ? !isOfAnotherMessage(view, attempt.messageId)
      : isCopyEnough && view.approval.elsewhere === true) &&
    mayDecide(view.approval, {
      person: attempt.person,
      role: await roleFor(deps.access, view.approval, attempt),
    });
  if (isTheirs) return { type: "pending", approval: view.approval };
  // Produces the reason. It is too late in any case: this attempt can't decide
  // anything.
  const outcome = await decideAndWake(deps, { ...attempt, status: "denied", notAfterMs: 0 }, "one");
  if (outcome.type === "refused") return outcome;
  throw new TypeError("a late decision was accepted");
}
