import type { Commit, Session } from "../../core/ports.ts";
import { terminalStatuses } from "../../core/turn.ts";
import { approvalAfterlifeMs } from "../approvals/approvals.ts";
import { serialiseIn } from "./inbox.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { spendingValues } from "./usage.ts";

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

/** The order is the script's; its head explains every value. */
export function commitValues(
  options: {
    readonly store: Pick<Store, "clock">;
    readonly leaseMs: number;
    readonly retentionMs: number;
  },
  { session, revision, commit }: CommitCall,
): (string | number)[] {
  const {
    append = [],
    outbox = [],
    journal = {},
    ask = [],
    close = [],
    enqueue = [],
    usage,
  } = commit;
  const journalPairs = Object.entries(journal).flatMap(([key, entry]) => [
    key,
    JSON.stringify(entry),
  ]);
  const spent = spendingValues(usage?.models ?? {});
  const pending =
    commit.state?.calls.flatMap((call) =>
      call.status === "awaiting" && call.approvalId ? [call.approvalId] : [],
    ) ?? [];
  const roundIsClosed =
    commit.state?.calls.every((call) => terminalStatuses.has(call.status)) ??
    true;
  return [
    session.token,
    revision,
    options.leaseMs,
    commit.state ? JSON.stringify(commit.state) : "",
    commit.turn,
    commit.take ?? 0,
    commit.release ? 1 : 0,
    commit.release?.wakeInMs ?? "",
    roundIsClosed && append.length > 0 ? 1 : 0,
    append.findLastIndex((entry) => entry.kind === "reset") + 1,
    pending.join(" "),
    `in:${session.chat}`,
    `out:${session.chat}`,
    chatKeys(session.chat).approvalPrefix,
    Math.max(options.retentionMs, minRetentionMs),
    usage?.turns ?? 0,
    usage?.modelCalls ?? 0,
    usage?.inputTokens ?? 0,
    usage?.outputTokens ?? 0,
    append.length,
    outbox.length,
    journalPairs.length / 2,
    ask.length,
    close.length,
    commit.release?.left ?? 0,
    approvalAfterlifeMs,
    commit.viewStart ?? "",
    enqueue.length,
    spent.length / 2,
    commit.isProgress ? 1 : 0,
    ...append.map((entry) => JSON.stringify(entry)),
    ...outbox.map((entry) => `${entry.id} ${JSON.stringify(entry)}`),
    ...journalPairs,
    ...ask.flatMap((approval) => [
      approval.id,
      JSON.stringify(approval),
      // A span: by whatever clock the times are, Redis' own ends it.
      approval.expiresAtMs - (approval.askedAtMs ?? options.store.clock.now()),
    ]),
    ...close.flatMap(({ id, status }) => [id, status]),
    ...enqueue.map(serialiseIn),
    ...spent,
  ];
}
