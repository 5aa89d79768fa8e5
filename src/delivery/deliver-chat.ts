import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, RetryableError } from "../core/errors.ts";
import type { OpenedEntry, OpenedOutbox } from "../store/turns/outbox.ts";
import { isOutOfMemory, isOutOfReach, isPassingRefusal } from "../store/redis/refusals.ts";
import type { DeliveryDeps, DeliveryResult } from "./deps.ts";
import {
  asksOf,
  countEnd,
  mayHaveBeenSent,
  takenAtMs,
  type EntryJob,
  type EntryResult,
} from "./entry-progress.ts";
import { buried } from "./leave-entry.ts";
import { releaseOutbox } from "./release-outbox.ts";
import { sendEntry } from "./send-entry.ts";
import { showDraft } from "./show-draft.ts";
import { SendRateLimiter } from "./send-rate-limiter.ts";

/**
 * Most failures in handling an entry, after which it is abandoned, so that it doesn't block its
 * chat.
 */
const maxThrows = 3;
const retryThrownMs = 2_000;

/**
 * Sends what is in one chat's outbox, in order, then the draft. Each chunk's
 * receipt is stored before the next chunk is sent, so that after a crash the
 * next worker continues at the next chunk.
 *
 * @param signal aborts when the process stops: the outbox is released after the
 * current request.
 */
export async function deliverChat(
  deps: DeliveryDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const rateLimiter = new SendRateLimiter(deps, parseChatKey(chat));
  const opening = deps.outbox.open(chat);
  rateLimiter.prepare();
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    const opened = await opening;
    if (opened.type === "nothing") return { type: "done" };
    if (opened.type === "later") return { type: "later", inMs: opened.againInMs };
    if (opened.isTakenOver) deps.metrics.leaseTakenOver();
    let isFenced = false;
    const beat = async (): Promise<void> => {
      const receipt = { id: "", fields: {} };
      const written = await deps.outbox.write(opened.session, receipt);
      isFenced ||= written === undefined;
    };
    heartbeat = setInterval(() => {
      beat().catch((error: unknown) => deps.log.warn({ error, chat }, "heartbeat failed"));
    }, deps.heartbeatMs);
    const isOver = (): boolean => isFenced || signal.aborted;
    return await drain(deps, { opened, rateLimiter, isOver });
  } finally {
    clearInterval(heartbeat);
    await rateLimiter.close();
  }
}

/** One taking of the outbox. */
interface Drain {
  readonly opened: OpenedOutbox;
  readonly rateLimiter: SendRateLimiter;
  /**
   * Whether this session must not send any more: the process stops, or another
   * session owns the outbox.
   */
  readonly isOver: () => boolean;
}

async function drain(
  deps: DeliveryDeps,
  { opened, rateLimiter, isOver }: Drain,
): Promise<DeliveryResult> {
  const { session, entries, interrupted, doubtAgeMs } = opened;
  // Entries in the outbox supersede the draft, unless the draft belongs to a
  // later answer.
  const draft = entries.some(({ id }) => id === opened.draft?.draft.id) ? undefined : opened.draft;
  for (const [index, opened] of entries.entries()) {
    const ledger = new Map(opened.entry && opened.ledger);
    const job: EntryJob = {
      session,
      rateLimiter,
      isOver,
      interrupted: interrupted === opened.id,
      isOutdated: isOutdated(opened, entries.slice(index + 1)),
      doubtAgeMs,
      next: entries[index + 1]?.id ?? draft?.draft.id,
      ledger,
      isUnderWay: false,
      takenAtMs: takenAtMs(ledger, deps.now()),
    };
    const result = await handled(deps, job, opened, () => {
      if (opened.entry === undefined) throw opened.problem;
      return sendEntry(deps, job, opened.entry);
    });
    if (result.type !== "next") return result;
  }
  if (draft && !isOver())
    return await showDraft(deps, {
      ...draft,
      session,
      rateLimiter,
      interrupted: interrupted === draft.draft.id,
      doubtAgeMs,
    });
  return await releaseOutbox(deps, session);
}

/**
 * A card of several calls is rendered in their current state: of several such entries only the last
 * is sent.
 */
const isOutdated = ({ entry }: OpenedEntry, later: readonly OpenedEntry[]): boolean =>
  entry?.kind === "cards-outcome" &&
  later.some((each) => each.entry?.kind === "cards-outcome" && each.entry.of === entry.of);

/** The entry itself is not at fault: a newer version wrote it, or the store is unavailable. */
const isPassing = (error: unknown): boolean =>
  error instanceof RetryableError ||
  isPassingRefusal(error) ||
  isOutOfMemory(error) ||
  isOutOfReach(error);

/** An entry that can't be handled here is postponed and, if that repeats, abandoned. */
async function handled(
  deps: DeliveryDeps,
  job: EntryJob,
  { id, entry }: OpenedEntry,
  send: () => Promise<EntryResult>,
): Promise<EntryResult> {
  const { chat } = job.session;
  try {
    return await send();
  } catch (error) {
    const isOurs = !isPassing(error);
    deps.log[isOurs ? "error" : "warn"](
      { error, chat, entry: id },
      isOurs ? "an entry could not be handled" : "an entry must wait",
    );
    const delayMs = error instanceof RetryableError ? error.retryAfterMs : retryThrownMs;
    const dead = {
      why: "failed-here" as const,
      cause: messageOf(error),
      doubtful: mayHaveBeenSent(job),
      ...asksOf(entry),
    };
    // If it was the store that failed, this fails too, and the lease runs out.
    const written = await deps.outbox.write(job.session, {
      id,
      fields: {},
      ...(job.isUnderWay ? { interrupted: true } : {}),
      ...(isOurs
        ? {
            failed: { counter: "throws", atLeast: maxThrows, forMs: 0 },
            dead,
          }
        : {}),
      release: { delayMs },
    });
    if (written?.isDead) {
      countEnd(deps, job, { outcome: "failed" });
      deps.log.error({ chat, entry: id }, "undeliverable: it was given up");
      await buried(deps, { session: job.session, ...(entry ? { entry } : {}) }, { written, dead });
      return { type: written.hasMore ? "again" : "done" };
    }
    return written === undefined ? { type: "done" } : { type: "later", inMs: delayMs };
  }
}
