import type { OutboxEntry } from "../core/outbox.ts";
import type { Receipt, Written } from "../store/turns/receipt.ts";
import { backoffMs } from "../util/backoff.ts";
import type { DeliveryDeps, DeliveryResult } from "./deps.ts";
import {
  asksOf,
  countEnd,
  isLowPriority,
  mayHaveBeenSent,
  type Ending,
  type EntryResult,
  type Progress,
} from "./entry-progress.ts";
import type { ChunkResult } from "./send-chunks.ts";

/** An entry that can't be sent is abandoned after this many failures, but not before this time. */
const givenUpAfter = { atLeast: 3, forMs: 86_400_000 };
const backoff = { firstMs: 500, maxMs: 60_000 };

/** Finished: sent, refused, or abandoned. */
export async function finish(
  deps: DeliveryDeps,
  job: Progress,
  receipt: Ending,
): Promise<EntryResult> {
  const doubt = job.ledger.get("doubt");
  const unknown = doubt && { why: "unknown" as const, cause: doubt, doubtful: true };
  const dead = receipt.dead ?? (unknown || undefined);
  const writing = deps.outbox.write(job.session, {
    id: job.entry.id,
    ...receipt,
    ...(dead ? { dead } : {}),
    finished: true,
    ...(job.next === undefined ? { release: {} } : { next: job.next }),
  });
  if (job.next !== undefined) job.rateLimiter.prepare();
  const written = await writing;
  if (written === undefined) return { type: "done" };
  job.isUnderWay = false;
  if (!job.isOutdated) countEnd(deps, job, endOf(receipt, doubt));
  if (written.isDead && dead) await buried(deps, job, { written, dead });
  else await dropBlob(deps, job);
  if (job.next !== undefined) return { type: "next" };
  return { type: written.hasMore ? "again" : "done" };
}

/**
 * After the receipt, which has closed the approvals and kept the letter: a crash in between costs
 * the notice only. Never rejects.
 */
export async function buried(
  { onUndelivered, log }: Pick<DeliveryDeps, "onUndelivered" | "log">,
  { session: { chat }, entry }: Pick<Progress, "session"> & { readonly entry?: OutboxEntry },
  {
    written: { closed = [] },
    dead: { doubtful: isDoubtful, reason },
  }: { readonly written: Written; readonly dead: NonNullable<Receipt["dead"]> },
): Promise<void> {
  try {
    await onUndelivered?.({ chat, entry, isDoubtful, reason, closed });
  } catch (error) {
    log.warn({ error, chat }, "no one was told of an undelivered message");
  }
}

function endOf({ dead }: Ending, doubt: string | undefined): Parameters<typeof countEnd>[2] {
  if (dead === undefined) return { outcome: doubt === undefined ? "sent" : "unknown" };
  const { reason } = dead;
  return { outcome: "refused", ...(reason === undefined ? {} : { reason }) };
}

/**
 * After the receipt, since a repetition would need it. It expires anyway: nothing depends on this.
 */
async function dropBlob(
  { blobs, log }: DeliveryDeps,
  { session: { chat }, entry }: Progress,
): Promise<void> {
  if (entry.kind !== "file") return;
  try {
    await blobs.remove(chat, entry.blob);
  } catch (error) {
    log.warn({ error, chat }, "a file that was sent stays until it expires");
  }
}

/** The bot has no slot for it now. That is no failure. */
export async function queue(
  deps: DeliveryDeps,
  { session, entry, takenAtMs }: Progress,
  waitMs: number,
): Promise<DeliveryResult> {
  const yields = isLowPriority(entry);
  deps.log.debug({ chat: session.chat, waitMs }, "waiting for the bot's pace");
  await deps.outbox.write(session, {
    id: entry.id,
    fields: { queued: String(takenAtMs) },
    release: { delayMs: waitMs, yields },
  });
  return { type: "later", inMs: waitMs };
}

/** An attempt has failed and may be made again; or it was the last one. */
export async function postpone(
  deps: DeliveryDeps,
  job: Progress,
  result: ChunkResult & { type: "retry" },
): Promise<DeliveryResult> {
  const { session, entry, ledger, rateLimiter } = job;
  const { cause, ambiguous } = result;
  const tries = Number(ledger.get("tries") ?? 0) + 1;
  const delayMs = Math.max(result.retryAfterMs, backoffMs(tries, backoff));
  const dead: NonNullable<Receipt["dead"]> = {
    why: "tried-for-long",
    cause,
    doubtful: mayHaveBeenSent(job),
    ...asksOf(entry),
  };
  const [written] = await Promise.all([
    deps.outbox.write(session, {
      id: entry.id,
      fields: {
        queued: "",
        ...(result.unknown === undefined ? {} : { unknown: String(result.unknown) }),
      },
      failed: { counter: "tries", ...givenUpAfter },
      dead,
      // A certain failure of this attempt says nothing about an earlier one.
      ...(ambiguous ? { interrupted: true } : {}),
      release: { delayMs },
    }),
    rateLimiter.refused(result),
  ]);
  const isOver = written?.isDead ?? false;
  deps.log[isOver ? "error" : "warn"](
    { chat: session.chat, entry: entry.id, cause, tries },
    isOver ? "undeliverable: it was given up" : "not delivered yet",
  );
  if (written?.isDead) {
    countEnd(deps, job, { outcome: "failed" });
    await buried(deps, job, { written, dead });
    return { type: written.hasMore ? "again" : "done" };
  }
  return { type: "later", inMs: delayMs };
}
