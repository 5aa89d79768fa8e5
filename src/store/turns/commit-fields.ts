import type { Commit, Session } from "../../core/ports.ts";
import { terminalStatuses } from "../../core/turn.ts";
import { approvalAfterlifeMs } from "../approvals/approval-view.ts";
import { serialiseIn, serialiseOut } from "./inbox.ts";
import { chatKeys } from "../keys.ts";
import { indexAfterMs, memoryMember } from "../memory/windows.ts";
import type { Store } from "../redis/redis.ts";
import type { ScriptFields } from "../redis/script-fields.ts";
import { endFields } from "./schedules.ts";
import { spendingPairs } from "./usage.ts";

/**
 * A chat is remembered at least this long: when it is forgotten its turn
 * numbers restart, and the ledgers of the old turns (48 h) must not be mistaken
 * for the new ones.
 */
export const minRetentionMs = 72 * 3_600_000;

export interface CommitCall {
  readonly session: Session;
  readonly revision: number;
  readonly commit: Commit;
}

/** A person may go on after `/new` at once: nothing is summarised before this. Milliseconds. */
const idleAfterMs = 60_000;

/** The arguments of the script `commit`; its head explains every field. */
export function commitFields(
  options: {
    readonly store: Pick<Store, "clock">;
    readonly leaseMs: number;
    readonly isSummarised?: boolean;
    readonly retentionMs: number;
    readonly isIndexed?: boolean;
  },
  { session, revision, commit }: CommitCall,
): ScriptFields {
  const { state, append = [], usage, release } = commit;
  const { outbox = [], journal = {}, ask = [], close = [], enqueue = [] } = commit;
  const calls = state?.calls ?? [];
  return {
    token: session.token,
    revision,
    turn: commit.turn,
    state: state && JSON.stringify(state),
    isProgress: commit.isProgress,
    leaseMs: options.leaseMs,
    retentionMs: Math.max(options.retentionMs, minRetentionMs),
    approvalAfterlifeMs,
    chat: session.chat,
    inMember: `in:${session.chat}`,
    outMember: `out:${session.chat}`,
    approvalPrefix: chatKeys(session.chat).approvalPrefix,
    take: commit.take ?? 0,
    log: append.map((entry) => JSON.stringify(entry)),
    outbox: outbox.map(serialiseOut),
    inbox: enqueue.map(serialiseIn),
    journal: Object.entries(journal).map(([call, entry]) => [call, JSON.stringify(entry)]),
    clearsJournal: append.length > 0 && calls.every((call) => terminalStatuses.has(call.status)),
    lastReset: append.findLastIndex((entry) => entry.kind === "reset") + 1,
    idleAfterMs: options.isSummarised ? idleAfterMs : undefined,
    changed: (commit.changed ?? []).map(({ from, to, person }) => ({
      from,
      to,
      person: person && { id: person.id, name: person.name },
    })),
    viewStart: commit.viewStart,
    pending: calls.flatMap((call) =>
      call.status === "awaiting" && call.approvalId ? [call.approvalId] : [],
    ),
    open: ask.map((approval) => ({
      id: approval.id,
      approval: JSON.stringify(approval),
      // A duration: Redis' own clock ends it, whatever clock wrote the times.
      forMs: approval.expiresAtMs - (approval.askedAtMs ?? options.store.clock.now()),
    })),
    close: close.map(({ id, status }) => ({ id, status })),
    usage: {
      turns: usage?.turns,
      modelCalls: usage?.modelCalls,
      inputTokens: usage?.inputTokens,
      outputTokens: usage?.outputTokens,
    },
    spent: spendingPairs(usage?.models ?? {}),
    plan: commit.plan && endFields(commit.plan),
    index:
      options.isIndexed === true
        ? { member: memoryMember(session.chat), afterMs: indexAfterMs }
        : undefined,
    release: release && { left: release.left ?? 0, wakeInMs: release.wakeInMs },
  };
}
