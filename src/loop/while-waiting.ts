import type { MessageEntry } from "../core/history.ts";
import type { LoopDeps } from "./deps.ts";
import { isErasure } from "./forget.ts";
import { stopTurn } from "./finish.ts";
import type { TurnResult } from "./run-turn.ts";
import type { TurnSession } from "./turn-session.ts";

/**
 * A turn that waits for a person: applies what was decided; a newer message of the requester supersedes the open
 * calls, somebody else's does so when its patience has run out. Returns when there is still nothing to do but wait;
 * the turn is then given back. @throws TurnLeft
 */
export async function whileWaiting(
  deps: LoopDeps,
  session: TurnSession,
): Promise<TurnResult | undefined> {
  for (const { approval, status } of session.begun.approvals) {
    if (status === "pending") continue;
    session.record({
      type: "approval-decided",
      approvalId: approval.id,
      status,
    });
  }
  const known = new Set(
    session.begun.approvals.map(({ approval }) => approval.id),
  );
  for (const { status, approvalId } of session.state.calls) {
    // Records outlive their expiry: one that is gone has expired long ago.
    if (status === "awaiting" && approvalId && !known.has(approvalId))
      session.record({
        type: "approval-decided",
        approvalId,
        status: "expired",
      });
  }
  if (session.interruption === "stopped") {
    stopTurn(session, {
      reason: "cancelled",
      text: "",
      failure: "cancelled",
    });
    return undefined;
  }
  if (session.state.phase !== "waiting") return undefined;

  const messages = session.begun.inbox.flatMap(({ entry }) =>
    entry.kind === "message" ? [entry] : [],
  );
  const askedAtMs = Math.max(
    0,
    ...session.pendingApprovals.map((approval) => approval.askedAtMs ?? 0),
  );
  const { requester } = session.state;
  // What was written before the question is no answer to it: it waits its turn, and its patience begins with the question.
  // An erasure waits no longer than somebody else's message does.
  const oldest = session.begun.inbox
    .map(({ entry }) => entry)
    .find(
      (entry) =>
        isErasure(entry) ||
        (entry.kind === "message" && entry.person.id !== requester.id),
    );
  const dueMs = oldest && Math.max(oldest.atMs, askedAtMs) + deps.patienceMs;
  const isOverdue = dueMs !== undefined && deps.clock.wall() >= dueMs;
  if (
    isOverdue ||
    messages.some(
      ({ person, atMs }) => person.id === requester.id && atMs >= askedAtMs,
    )
  ) {
    stopTurn(session, {
      reason: "superseded",
      text: "",
      failure: "superseded",
    });
    return undefined;
  }
  tellOthers(deps, session, messages);
  const { again } = await session.commit({
    release: {
      left: session.begun.inbox.length,
      ...(dueMs === undefined ? {} : { wakeAtMs: dueMs }),
    },
  });
  if (again) return { type: "again" };
  return dueMs === undefined
    ? { type: "done" }
    : { type: "later", atMs: dueMs };
}

/** One notice for everybody else who writes meanwhile: whose tap is awaited, and until when. */
function tellOthers(
  deps: LoopDeps,
  session: TurnSession,
  messages: readonly MessageEntry[],
): void {
  const first = messages.find(
    ({ person }) => person.id !== session.state.requester.id,
  );
  if (first === undefined || session.state.noticed !== undefined) return;
  const minutes = Math.max(1, Math.round(deps.patienceMs / 60_000));
  const admins = session.pendingApprovals.every(
    ({ approvers }) => approvers === "admins",
  );
  const awaited = admins ? "an admin" : session.state.requester.name;
  const { id, messageId } = first;
  session.post({
    kind: "notice",
    v: 1,
    id: `wait-${session.state.turn}-${id}`,
    ...(messageId === undefined ? {} : { replyTo: messageId }),
    text: `I am waiting for ${awaited} to approve or deny something. I will come to your message after that, in ${minutes} minutes at the latest.`,
    silent: true,
  });
  session.noticed([id]);
}
