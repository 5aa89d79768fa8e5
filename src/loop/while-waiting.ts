import type { ApprovalView, ApproverPolicy } from "../core/approval.ts";
import type { MessageEntry } from "../core/history.ts";
import { spokenIn } from "../core/outbox.ts";
import { journalKey } from "../core/turn.ts";
import { askAgain, noteOvertaken } from "./changed-calls.ts";
import type { LoopDeps } from "./deps.ts";
import { isErasure } from "./forget.ts";
import { stopTurn } from "./finish.ts";
import type { TurnResult } from "./run-turn.ts";
import { deniedBecause } from "./sentences.ts";
import type { TurnSession } from "./turn-session.ts";
import { wordsFor } from "../words/words-for.ts";
import { cutText } from "./view/cut-text.ts";

/**
 * A turn that waits for a person: applies what was decided, and asks again about what was changed; a newer message of the
 * requester supersedes the open calls, somebody else's does so when its patience has run out. Returns when there is still
 * nothing to do but wait; the turn is then given back. @throws TurnLeft
 */
export async function whileWaiting(
  deps: LoopDeps,
  session: TurnSession,
): Promise<TurnResult | undefined> {
  const changed = session.begun.approvals.filter(
    ({ status }) => status === "changed",
  );
  for (const view of session.begun.approvals) {
    const { approval, status } = view;
    if (status === "pending" || status === "changed") continue;
    if (status === "denied") tellReason(session, view);
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
    noteOvertaken(deps, session, changed);
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
    ...changed.map(({ approval }) => approval.askedAtMs ?? 0),
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
    noteOvertaken(deps, session, changed);
    stopTurn(session, {
      reason: "superseded",
      text: "",
      failure: "superseded",
    });
    return undefined;
  }
  for (const view of changed) askAgain(deps, session, view);
  if (session.state.phase !== "waiting") return undefined;
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

/** Characters of a reason that the model reads. */
const maxReasonLength = 500;

/** Whoever denies may say why: the model reads it as the call's result. */
function tellReason(
  session: TurnSession,
  { approval, reason, decidedById }: ApprovalView,
): void {
  if (reason === undefined) return;
  const { turn, round, index } = approval;
  session.write(journalKey(turn, round, index), {
    v: 1,
    text: deniedBecause(cutText(reason, maxReasonLength)),
    failure: "confirmation-denied",
    ...(decidedById === undefined ? {} : { reasonBy: decidedById }),
  });
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
  const { id, messageId } = first;
  session.post({
    kind: "notice",
    v: 1,
    id: `wait-${session.state.turn}-${id}`,
    ...spokenIn(first.person.language),
    ...(messageId === undefined ? {} : { replyTo: messageId }),
    text: whoIsAwaited(session, minutes, first.person.language),
    silent: true,
  });
  session.noticed([id]);
}

function whoIsAwaited(
  { pendingApprovals, state }: TurnSession,
  minutes: number,
  language: string | undefined,
): string {
  const { turn } = wordsFor(language);
  const isAnyOf = (...sets: readonly ApproverPolicy[]): boolean =>
    pendingApprovals.every(({ approvers }) => sets.includes(approvers));
  if (isAnyOf("admins", "owners")) return turn.awaitsAdmin(minutes);
  const isOne = pendingApprovals.every(({ persons }) => persons === undefined);
  return isOne && isAnyOf("requester", "requester-or-admins")
    ? turn.awaits(state.requester.name, minutes)
    : turn.awaitsDecision(minutes);
}
