import type { Approval } from "../core/approval.ts";
import {
  decideAndWake,
  type Attempt,
  type AttemptOutcome,
  type DecidingDeps,
} from "./decide-approval.ts";
import { isOfAnotherMessage, isSameChat, mayDecide } from "./may-decide.ts";

/** One person's attempt to act on a pending approval. */
export type DecisionRequest = Omit<Attempt, "status" | "reason" | "edit">;

export type Refusal = AttemptOutcome & { readonly type: "refused" };

/**
 * The pending approval if this person may decide it; else the reason why not,
 * phrased for them. Changes nothing.
 */
export async function pendingFor(
  deps: DecidingDeps,
  attempt: DecisionRequest,
): Promise<{ readonly type: "pending"; readonly approval: Approval } | Refusal> {
  const view = await deps.approvals.find(attempt.approvalId);
  const isTheirs =
    view?.status === "pending" &&
    isSameChat(view.approval.chat, attempt.chat) &&
    !isOfAnotherMessage(view, attempt.messageId) &&
    mayDecide(view.approval, attempt);
  if (isTheirs) return { type: "pending", approval: view.approval };
  // Produces the reason. It is too late in any case: this attempt can't decide
  // anything.
  const outcome = await decideAndWake(deps, { ...attempt, status: "denied", notAfterMs: 0 }, "one");
  if (outcome.type === "refused") return outcome;
  throw new TypeError("a late decision was accepted");
}
