import type { Approval } from "../core/approval.ts";
import {
  decideAndWake,
  type Attempt,
  type AttemptOutcome,
  type DecidingDeps,
} from "./decide-approval.ts";
import { isOfAnotherMessage, isSameChat, mayDecide } from "./may-decide.ts";

/** One person's try to do something with what waits for an approval. */
export type DecisionRequest = Omit<Attempt, "status" | "reason" | "edit">;

export type Refusal = AttemptOutcome & { readonly type: "refused" };

/** What waits and is this person's to decide; else why not, as whoever decides is told it, and nothing has changed. */
export async function pendingFor(
  deps: DecidingDeps,
  attempt: DecisionRequest,
): Promise<
  { readonly type: "pending"; readonly approval: Approval } | Refusal
> {
  const view = await deps.approvals.find(attempt.approvalId);
  const isTheirs =
    view?.status === "pending" &&
    isSameChat(view.approval.chat, attempt.chat) &&
    !isOfAnotherMessage(view, attempt.messageId) &&
    mayDecide(view.approval, attempt);
  if (isTheirs) return { type: "pending", approval: view.approval };
  // Whoever decides is told why not. It comes too late in any case: nothing can be decided by it.
  const outcome = await decideAndWake(
    deps,
    { ...attempt, status: "denied", notAfterMs: 0 },
    "one",
  );
  if (outcome.type === "refused") return outcome;
  throw new TypeError("what came too late was decided");
}
