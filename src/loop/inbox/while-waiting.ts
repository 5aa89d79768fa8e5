import { unreached, type ApprovalView, type ApproverPolicy } from "../../core/approval.ts";
import type { Person } from "../../core/chat.ts";
import type { InboxEntry, MessageEntry } from "../../core/history.ts";
import type { BegunTurn } from "../../core/ports.ts";
import { spokenIn } from "../../core/outbox.ts";
import { journalKey } from "../../core/turn.ts";
import { askAgain, noteOvertaken } from "../tools/changed-calls.ts";
import { decide } from "../machine/decide.ts";
import { effective } from "../model/effective-settings.ts";
import { isErasure } from "./forget.ts";
import { piecesOf } from "./news.ts";
import { stopTurn } from "../session/finish.ts";
import type { TurnResult } from "../turn-result.ts";
import { deniedBecause, nobodyAsked } from "../sentences.ts";
import type { TurnSession } from "../session/turn-session.ts";
import { localeFor } from "../../locales/locale-for.ts";
import { cutText } from "../view/cut-text.ts";
import type { TurnContext } from "../turn-context.ts";

/**
 * A turn that waits for a decision: applies decisions and asks again about
 * changed calls. A newer message of the requester supersedes the open calls;
 * another person's, or another's words that the requester forwards, do so
 * after a timeout. Returns when it still has to wait;
 * the turn is then released.
 * @throws TurnLeft
 */
export async function whileWaiting(context: TurnContext): Promise<TurnResult | undefined> {
  const { session } = context;
  const changed = session.begun.approvals.filter(({ status }) => status === "changed");
  for (const view of session.begun.approvals) {
    const { approval, status } = view;
    if (status === "pending" || status === "changed") continue;
    if (status === "denied") tellReason(session, view);
    if (status === "expired") tellIfUnreached(session, view);
    session.record({
      type: "approval-decided",
      approvalId: approval.id,
      status,
    });
  }
  const known = new Set(session.begun.approvals.map(({ approval }) => approval.id));
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
    noteOvertaken(context, changed);
    stopTurn(session, {
      reason: "cancelled",
      text: "",
      failure: "cancelled",
    });
    return undefined;
  }
  if (decide(session.state, effective(context).policy).type !== "wait") return undefined;

  const { requester } = session.state;
  const asked = session.begun.approvals.filter(
    ({ status }) => status === "pending" || status === "changed",
  );
  const pieces = new Set<InboxEntry>(
    piecesOf(
      session,
      session.begun.inbox.map(({ entry }) => entry),
    ),
  );
  // What was written before the question is no answer to it: it waits its turn.
  const isSuperseded = session.begun.inbox.some(
    (waiting) =>
      waiting.entry.kind === "message" &&
      !waiting.entry.stopped &&
      !pieces.has(waiting.entry) &&
      waiting.entry.forwarded !== true &&
      // The platform asks for it, not the person.
      waiting.entry.sampleOf === undefined &&
      waiting.entry.schedule === undefined &&
      waiting.entry.person.id === requester.id &&
      asked.every((view) => isBehind(waiting, view)),
  );
  const leftMs = timeLeftMs(context, asked, pieces);
  if (isSuperseded || (leftMs !== undefined && leftMs <= 0)) {
    noteOvertaken(context, changed);
    stopTurn(session, {
      reason: "superseded",
      text: "",
      failure: "superseded",
    });
    return undefined;
  }
  for (const view of changed) askAgain(context, view);
  if (decide(session.state, effective(context).policy).type !== "wait") return undefined;
  notifyOthers(context);
  const { again } = await session.commit({
    release: {
      left: session.begun.inbox.length,
      ...(leftMs === undefined ? {} : { wakeInMs: leftMs }),
    },
  });
  if (again) return { type: "again" };
  return leftMs === undefined ? { type: "done" } : { type: "later", inMs: leftMs };
}

type Waiting = BegunTurn["inbox"][number];

/**
 * Whether it was written after the question. Clocks decide that only where an earlier version has
 * asked.
 */
const isBehind = (
  { position, entry }: Waiting,
  { askedAtPosition, approval }: ApprovalView,
): boolean =>
  askedAtPosition === undefined
    ? entry.atMs >= (approval.askedAtMs ?? 0)
    : position > askedAtPosition;

/**
 * How long the oldest message of another person, or forwarded by the requester, still waits for the
 * decision; undefined: there is none. The timeout starts with the question at the
 * earliest. An erasure waits no longer than such a message.
 */
function timeLeftMs(
  { deps: { clock, timeoutMs }, session: { begun, state } }: TurnContext,
  asked: readonly ApprovalView[],
  pieces: ReadonlySet<InboxEntry>,
): number | undefined {
  const oldest = begun.inbox.find(
    ({ entry }) =>
      isErasure(entry) ||
      (entry.kind === "message" &&
        !entry.stopped &&
        entry.schedule === undefined &&
        (entry.person.id !== state.requester.id || entry.forwarded === true) &&
        !pieces.has(entry)),
  );
  if (oldest === undefined) return undefined;
  const nowMs = clock.wall();
  const fromMs = Math.max(
    oldest.entry.atMs,
    ...asked.map(({ approval }) => approval.askedAtMs ?? 0),
  );
  // Processes of an earlier version write times by clocks of their own: none of them is later than
  // now.
  return Math.min(fromMs, nowMs) + timeoutMs - nowMs;
}

/** Characters of a reason that the model reads. */
const maxReasonLength = 500;

/**
 * A denial may include a reason, which the model reads as the call's result.
 */
function tellReason(session: TurnSession, { approval, reason, decidedById }: ApprovalView): void {
  if (reason === undefined) return;
  const { turn, round, index } = approval;
  session.write(journalKey(turn, round, index), {
    v: 1,
    text: deniedBecause(cutText(reason, maxReasonLength)),
    failure: "confirmation-denied",
    ...(decidedById === undefined ? {} : { reasonBy: decidedById }),
  });
}

/** Where the card could be posted nowhere, the model reads that instead of an expiry. */
function tellIfUnreached(session: TurnSession, { approval, reason }: ApprovalView): void {
  if (reason !== unreached) return;
  const { turn, round, index } = approval;
  session.write(journalKey(turn, round, index), {
    v: 1,
    text: nobodyAsked,
    failure: "confirmation-expired",
  });
}

/** One notice for each other person who writes: whose tap the turn waits for, and until when. */
function notifyOthers({ deps, session }: TurnContext): void {
  const first = session.begun.inbox
    .map(({ entry }) => entry)
    .find(
      (entry): entry is MessageEntry =>
        entry.kind === "message" &&
        entry.schedule === undefined &&
        entry.person.id !== session.state.requester.id,
    );
  if (first === undefined || session.state.noticed !== undefined) return;
  const minutes = Math.max(1, Math.round(deps.timeoutMs / 60_000));
  const { id, messageId } = first;
  session.post({
    kind: "notice",
    v: 1,
    id: `wait-${session.state.turn}-${id}`,
    ...spokenIn(first.person.language),
    ...(messageId === undefined ? {} : { replyTo: messageId }),
    text: whoIsAwaited(session, minutes, first.person),
    silent: true,
  });
  session.noticed([id]);
}

function whoIsAwaited(
  { pendingApprovals, state }: TurnSession,
  minutes: number,
  { language, id }: Person,
): string {
  const { turn } = localeFor(language, id);
  const isAnyOf = (...sets: readonly ApproverPolicy[]): boolean =>
    pendingApprovals.every(({ approvers }) => sets.includes(approvers));
  if (isAnyOf("admins", "owners")) return turn.awaitsAdmin(minutes);
  const isOne = pendingApprovals.every(({ persons }) => persons === undefined);
  return isOne && isAnyOf("requester", "requester-or-admins")
    ? turn.awaits(state.requester.name, minutes)
    : turn.awaitsDecision(minutes);
}
