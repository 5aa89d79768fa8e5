import { unreachable } from "../core/errors.ts";
import { isForElsewhere, type OutboxEntry } from "../core/outbox.ts";
import type { DeliveryDeps } from "./deps.ts";
import { withDropped } from "./dropped.ts";
import {
  asksOf,
  isLowPriority,
  mayHaveBeenSent,
  type Ending,
  type EntryJob,
  type EntryResult,
  type Progress,
} from "./entry-progress.ts";
import { releaseOutbox } from "./release-outbox.ts";
import { finish, postpone, queue } from "./leave-entry.ts";
import { lostAgeMs, sendChunk, type ChunkResult, type Sending } from "./send-chunks.ts";
import { sendingOf } from "./sending-of.ts";

const maxCauseLength = 200;

/** With nothing to send, nothing can have been under way either. */
const nothingToSend: Ending = { fields: {}, interrupted: false };

/**
 * Sends one entry, or the rest of it. `next`: it is done and this session still
 * owns the outbox.
 * @throws what our own handling of it throws.
 */
export async function sendEntry(
  deps: DeliveryDeps,
  job: EntryJob,
  entry: OutboxEntry,
): Promise<EntryResult> {
  const progress: Progress = Object.assign(job, { entry });
  const { ledger } = progress;
  const { chat } = job.session;
  if (isForElsewhere(entry) && !ledger.has("done")) await deps.relay(entry);
  const prepared = async (interrupted: boolean): Promise<Sending | undefined> => {
    const doubtAgeMs = doubtAgeOf(deps, job);
    return job.isOutdated
      ? undefined
      : await sendingOf(deps, { chat, entry, interrupted, doubtAgeMs }, ledger);
  };
  let sending = await prepared(job.interrupted);
  if (sending === undefined) return await finish(deps, progress, nothingToSend);
  let index = Number(ledger.get("done") ?? 0);
  while (index < sending.chunks.length) {
    if (job.isOver()) return await releaseOutbox(deps, job.session);
    const hasWaited = ledger.delete("queued");
    const kind = isLowPriority(entry) ? "preview" : "final";
    const waitMs = await job.rateLimiter.pass(kind, {
      hasWaited,
      person: entry.person,
    });
    if (waitMs > 0) return await queue(deps, progress, waitMs);
    const result = await request(job, sending, index);
    switch (result.type) {
      case "sent":
      case "given-up": {
        const receipt = receiptOf(deps, progress, index, result);
        if (index === sending.chunks.length - 1) {
          const fields = { ...receipt.fields, ...(sending.isFinal ? { final: "1" } : {}) };
          return await finish(deps, progress, {
            ...receipt,
            fields,
            ...cardOf(entry, result),
          });
        }
        if (!(await goOn(deps, progress, receipt))) return { type: "done" };
        sending = { ...sending, interrupted: false };
        index += 1;
        break;
      }
      case "retry":
        return await postpone(deps, progress, result);
      case "refused": {
        const dropped = dropping(progress, sending, { index, result });
        if (dropped === undefined) {
          deps.log.error(
            { chat, entry: entry.id, cause: result.cause },
            "undeliverable: the platform refused it",
          );
          return await finish(deps, progress, refusal(progress, result));
        }
        const { without } = dropped;
        deps.log.warn(
          { chat, entry: entry.id, cause: result.cause, without },
          "the platform refused a part of a message; sending it without",
        );
        // Certainly not sent: an earlier attempt stays as doubtful as it was.
        if (!(await goOn(deps, progress, { fields: dropped }))) return { type: "done" };
        ledger.set("without", without);
        sending = await prepared(sending.interrupted);
        if (sending === undefined) return await finish(deps, progress, nothingToSend);
        break;
      }
      default:
        unreachable(result);
    }
  }
  // Every chunk had been sent before a crash; only the last receipt was missing.
  return await finish(deps, progress, nothingToSend);
}

/** What the ledger says once the refused part is left out; undefined: nothing can be. */
function dropping(
  { ledger }: Progress,
  { chunks, file }: Sending,
  {
    index,
    result: { about },
  }: { readonly index: number; readonly result: ChunkResult & { type: "refused" } },
): { readonly without: string } | undefined {
  // Files may need a permission of their own: words are tried after any refusal.
  const isFile = file !== undefined && index === chunks.length - 1;
  const part = about ?? (isFile ? "file" : undefined);
  return part && withDropped(ledger, index, part);
}

function doubtAgeOf({ now }: DeliveryDeps, { ledger, interrupted, doubtAgeMs }: EntryJob): number {
  const isLost = ledger.get("lost") === "1";
  return Math.max(interrupted ? doubtAgeMs : 0, isLost ? lostAgeMs(now(), ledger) : 0);
}

async function request(job: EntryJob, sending: Sending, index: number): Promise<ChunkResult> {
  job.isUnderWay = true;
  const result = await sendChunk(sending, index);
  job.isUnderWay = result.type === "retry" ? result.ambiguous : result.type !== "refused";
  return result;
}

/** The receipt of a finished chunk; its earlier failures no longer count. */
function receiptOf(
  deps: DeliveryDeps,
  { session, entry, ledger }: Progress,
  index: number,
  result: ChunkResult & { type: "sent" | "given-up" },
): Ending {
  const failures = ["tries", "throws", "since", "queued", "unknown"];
  const fields = {
    done: String(index + 1),
    ...Object.fromEntries(failures.map((name) => [name, ""])),
  };
  for (const name of failures) ledger.delete(name);
  if (result.type === "given-up") {
    deps.log.error(
      { chat: session.chat, entry: entry.id, cause: result.cause },
      "it is unknown whether this arrived, though it was sent five times",
    );
    const doubt = result.cause.slice(0, maxCauseLength) || "unknown";
    ledger.set("doubt", doubt);
    return { fields: { ...fields, doubt }, interrupted: false };
  }
  const { messageId, threadedByReply } = result;
  ledger.set(`m${index}`, messageId);
  const threaded = threadedByReply ? { threaded: "1" } : {};
  if (threadedByReply) ledger.set("threaded", "1");
  return {
    fields: { [`m${index}`]: messageId, ...threaded, ...fields },
    interrupted: false,
  };
}

/**
 * The id of the message with an approval's card or another question, for those who answer it. Only
 * the last message has buttons: a tap may arrive before that id is stored, and the id of an earlier
 * message would refuse it.
 */
function cardOf(
  entry: OutboxEntry,
  result: ChunkResult & { type: "sent" | "given-up" },
): Pick<Ending, "askedBy" | "card" | "copy"> {
  if (result.type === "given-up") return {};
  const { messageId } = result;
  switch (entry.kind) {
    case "card":
      return { card: { approvalIds: [entry.card.approvalId], messageId } };
    case "cards":
    case "cards-outcome":
      if (entry.heading !== undefined)
        return { copy: { approvalId: entry.approvals[0] ?? "", messageId } };
      return { card: { approvalIds: entry.approvals, messageId } };
    case "notice":
      return entry.buttons === undefined ? {} : { askedBy: messageId };
    default:
      return {};
  }
}

const refusal = (
  progress: Progress,
  { cause, reason, isChatDead }: ChunkResult & { type: "refused" },
): Ending => ({
  fields: { refused: cause.slice(0, maxCauseLength) },
  interrupted: false,
  dead: {
    why: "refused",
    cause,
    ...(reason === undefined ? {} : { reason }),
    doubtful: mayHaveBeenSent(progress),
    ...(isChatDead && { isChatDead }),
    ...asksOf(progress.entry),
  },
});

/** False when the session is fenced. */
async function goOn(deps: DeliveryDeps, job: Progress, receipt: Ending): Promise<boolean> {
  const writing = deps.outbox.write(job.session, {
    id: job.entry.id,
    ...receipt,
  });
  job.rateLimiter.prepare();
  if ((await writing) === undefined) return false;
  job.isUnderWay = false;
  return true;
}
