import type { Approval } from "../core/approval.ts";
import type { CallRequest, EndReason } from "../core/history.ts";
import { PermanentError } from "../core/errors.ts";
import type { LoopDeps } from "./deps.ts";
import type { PreparedCall } from "./prepare-call.ts";
import type { TurnSession } from "./turn-session.ts";

/** The approval of one prepared call: for exactly these arguments, decided once, by somebody entitled. */
export function approvalFor(
  deps: LoopDeps,
  session: TurnSession,
  request: CallRequest,
  prepared: PreparedCall & { type: "ready" },
): Approval {
  if (prepared.verdict.type !== "confirm")
    throw new PermanentError(`${prepared.tool.name} needs no approval`);
  const { turn, round, requester } = session.state;
  return {
    v: 1,
    id: deps.store.newApprovalId(session.chat),
    chat: session.chat,
    turn,
    round,
    index: request.index,
    tool: prepared.tool.name,
    arguments: prepared.canonical,
    digest: prepared.digest,
    requester,
    approvers: prepared.verdict.approvers,
    askedAtMs: deps.clock.wall(),
    expiresAtMs: deps.clock.wall() + deps.approvalTtlMs,
  };
}

/** Closes every approval that the open round still waits for; its card says why. */
export function closeApprovals(session: TurnSession, reason: EndReason): void {
  for (const approval of session.pendingApprovals) {
    if (reason === "superseded")
      session.close(
        approval,
        "superseded",
        "Not run: superseded by a newer message.",
      );
    else session.close(approval, "cancelled", "Not run: stopped.");
  }
}
