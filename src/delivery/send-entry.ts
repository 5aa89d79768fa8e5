import { unreachable } from "../core/errors.ts";
import { isForElsewhere, type OutboxEntry } from "../core/outbox.ts";
import type { DeliveryDeps } from "./deps.ts";
import {
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
import { sendingOf, withoutFile } from "./sending-of.ts";

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
  let sending = job.isOutdated
    ? undefined
    : await sendingOf(
        deps,
        {
          chat,
          entry,
          interrupted: job.interrupted,
          doubtAgeMs: doubtAgeOf(deps, job),
        },
        ledger,
      );
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
        if (index === sending.chunks.length - 1)
          return await finish(deps, progress, {
            ...receipt,
            ...cardOf(entry, result),
          });
        if (!(await goOn(deps, progress, receipt))) return { type: "done" };
        sending = { ...sending, interrupted: false };
        index += 1;
        break;
      }
      case "retry":
        return await postpone(deps, progress, result);
      case "refused":
        deps.log.error(
          { chat, entry: entry.id, cause: result.cause },
          "undeliverable: the platform refused it",
        );
        if (sending.file) {
          sending = await withoutFile(sending);
          break;
        }
        return await finish(deps, progress, refusal(progress, result));
      default:
        unreachable(result);
    }
  }
  // Every chunk had been sent before a crash; only the last receipt was missing.
  return await finish(deps, progress, nothingToSend);
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
  const { messageId } = result;
  ledger.set(`m${index}`, messageId);
  return {
    fields: { [`m${index}`]: messageId, ...fields },
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
): Pick<Ending, "askedBy" | "card"> {
  if (result.type === "given-up") return {};
  const { messageId } = result;
  switch (entry.kind) {
    case "card":
      return { card: { approvalIds: [entry.card.approvalId], messageId } };
    case "cards":
    case "cards-outcome":
      if (entry.heading !== undefined) return {};
      return { card: { approvalIds: entry.approvals, messageId } };
    case "notice":
      return entry.buttons === undefined ? {} : { askedBy: messageId };
    default:
      return {};
  }
}

const refusal = (
  progress: Progress,
  { cause, isChatDead }: ChunkResult & { type: "refused" },
): Ending => ({
  fields: { refused: cause.slice(0, maxCauseLength) },
  interrupted: false,
  dead: {
    why: "refused",
    cause,
    doubtful: mayHaveBeenSent(progress),
    ...(isChatDead && { isChatDead }),
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
