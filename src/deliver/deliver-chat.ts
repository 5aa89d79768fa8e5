import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { Sender } from "../core/ports.ts";
import type {
  DeliverySession,
  Ledger,
  OpenedOutbox,
  OutboxStore,
  Receipt,
} from "../store/outbox.ts";
import type { Blobs } from "../store/blobs.ts";
import { showDraft } from "./show-draft.ts";
import { sendChunk, type ChunkResult } from "./send-chunks.ts";
import { sendingOf, withoutFile } from "./sending-of.ts";

export interface DeliveryDeps {
  readonly outbox: OutboxStore;
  readonly sender: Sender;
  readonly blobs: Pick<Blobs, "get" | "remove">;
  /** A third of the lease, or less. */
  readonly heartbeatMs: number;
  readonly now: () => number;
  readonly log: Logger;
}

export type DeliveryResult =
  | { readonly type: "done" }
  | { readonly type: "again" }
  | { readonly type: "later"; readonly atMs: number };

/** After this many failed attempts in a row an entry is given up; with the back-off below that is about a day. */
const maxTries = 1_440;
const maxBackoffMs = 60_000;

/**
 * Sends what is in one chat's outbox, in order, then the draft. Every chunk that arrived is written down before the
 * next is sent, so that whoever comes after a crash goes on at the next chunk.
 *
 * @param signal aborts when the process stops: the outbox is given back after the request under way.
 */
export async function deliverChat(
  deps: DeliveryDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<DeliveryResult> {
  const opened = await deps.outbox.open(chat);
  if (opened.type === "nothing") return { type: "done" };
  if (opened.type === "later") return { type: "later", atMs: opened.againAtMs };
  const { session } = opened;
  let isFenced = false;
  const beat = async (): Promise<void> => {
    const left = await deps.outbox.write(session, { id: "", fields: {} });
    isFenced ||= left === undefined;
  };
  const heartbeat = setInterval(() => {
    beat().catch((error: unknown) =>
      deps.log.warn({ error, chat }, "heartbeat failed"),
    );
  }, deps.heartbeatMs);
  try {
    return await drain(deps, opened, () => isFenced || signal.aborted);
  } finally {
    clearInterval(heartbeat);
  }
}

async function drain(
  deps: DeliveryDeps,
  opened: OpenedOutbox,
  isOver: () => boolean,
): Promise<DeliveryResult> {
  const { session, entries } = opened;
  // What stands in the outbox outdates the draft, unless the draft is of a later answer.
  const hasDraft =
    opened.draft !== undefined &&
    !entries.some(({ entry }) => entry.id === opened.draft?.draft.id);
  const { interrupted } = opened;
  for (const [index, { entry, ledger }] of entries.entries()) {
    const following = entries[index + 1]?.entry.id;
    const result = await sendEntry(deps, {
      session,
      entry,
      ledger,
      interrupted: interrupted === entry.id,
      isOver,
      next: following ?? (hasDraft ? opened.draft?.draft.id : undefined),
    });
    if (result.type !== "next") return result;
  }
  if (hasDraft && opened.draft && !isOver())
    return await showDraft(deps, session, {
      ...opened.draft,
      interrupted: interrupted === opened.draft.draft.id,
    });
  return await handOver(deps, session);
}

/** Gives the outbox back as it is. */
async function handOver(
  deps: DeliveryDeps,
  session: DeliverySession,
): Promise<DeliveryResult> {
  const left = await deps.outbox.write(session, {
    id: "",
    fields: {},
    release: {},
  });
  return { type: left !== undefined && left > 0 ? "again" : "done" };
}

interface EntryJob {
  readonly session: DeliverySession;
  readonly entry: OutboxEntry;
  readonly ledger: Ledger;
  readonly interrupted: boolean;
  /** Whether this session may send nothing more: the process stops, or somebody else owns the outbox. */
  readonly isOver: () => boolean;
  /** What this session sends behind it; undefined: the outbox is then given back. */
  readonly next: string | undefined;
}

/** `next`: the entry is done and the outbox is still ours. */
async function sendEntry(
  deps: DeliveryDeps,
  job: EntryJob,
): Promise<DeliveryResult | { readonly type: "next" }> {
  const { session, entry } = job;
  const ledger = new Map(job.ledger);
  let sending = await sendingOf(
    deps,
    { chat: session.chat, entry, interrupted: job.interrupted },
    ledger,
  );
  const end = (receipt: Omit<Receipt, "id" | "finished">) =>
    finish(deps, job, receipt);
  // With nothing to send, nothing can have been under way either.
  const nothingToSend = { fields: {}, interrupted: false };
  if (sending === undefined) return await end(nothingToSend);
  let { interrupted } = job;
  let index = Number(ledger.get("done") ?? 0);
  while (index < sending.chunks.length) {
    if (job.isOver()) return await handOver(deps, session);
    const result = await sendChunk({ ...sending, interrupted }, index);
    switch (result.type) {
      case "sent":
      case "given-up": {
        const receipt = receiptOf(deps, job, index, result);
        if (index === sending.chunks.length - 1) return await end(receipt);
        const left = await deps.outbox.write(session, {
          id: entry.id,
          ...receipt,
        });
        if (left === undefined) return { type: "done" };
        interrupted = false;
        index += 1;
        break;
      }
      case "retry":
        return await postpone(deps, job, ledger, result);
      case "refused":
        deps.log.error(
          { chat: session.chat, entry: entry.id, cause: result.cause },
          "undeliverable: the platform refused it",
        );
        if (sending.file) {
          sending = withoutFile(sending);
          break;
        }
        return await end({
          fields: { refused: result.cause.slice(0, 200) },
          interrupted: false,
        });
      default:
        unreachable(result);
    }
  }
  // Every chunk had been sent before a crash; only the last receipt was missing.
  return await end(nothingToSend);
}

/** What is written down about a chunk that is dealt with. */
function receiptOf(
  deps: DeliveryDeps,
  { session, entry }: EntryJob,
  index: number,
  result: ChunkResult & { type: "sent" | "given-up" },
): Omit<Receipt, "id"> {
  const done = { done: String(index + 1), tries: "0" };
  if (result.type === "given-up") {
    deps.log.error(
      { chat: session.chat, entry: entry.id, cause: result.cause },
      "nobody knows whether this arrived, though it was sent twice",
    );
    return { fields: done, interrupted: false };
  }
  const { messageId } = result;
  return {
    fields: { [`m${index}`]: messageId, ...done },
    interrupted: false,
    ...(entry.kind === "card"
      ? { card: { approvalId: entry.card.approvalId, messageId } }
      : {}),
  };
}

async function finish(
  deps: DeliveryDeps,
  job: EntryJob,
  receipt: Omit<Receipt, "id" | "finished">,
): Promise<DeliveryResult | { type: "next" }> {
  const left = await deps.outbox.write(job.session, {
    id: job.entry.id,
    ...receipt,
    finished: true,
    ...(job.next === undefined ? { release: {} } : { next: job.next }),
  });
  if (left === undefined) return { type: "done" };
  await dropBlob(deps, job);
  if (job.next !== undefined) return { type: "next" };
  return { type: left > 0 ? "again" : "done" };
}

/** Behind the receipt, since a repetition would need it. It ends by itself, too: nothing depends on this. */
async function dropBlob(
  { blobs, log }: DeliveryDeps,
  { session: { chat }, entry }: EntryJob,
): Promise<void> {
  if (entry.kind !== "file") return;
  try {
    await blobs.remove(chat, entry.blob);
  } catch (error) {
    log.warn({ error, chat }, "a file that was sent stays until it expires");
  }
}

async function postpone(
  deps: DeliveryDeps,
  { session, entry }: EntryJob,
  ledger: Ledger,
  result: {
    readonly retryAfterMs: number;
    readonly cause: string;
    readonly ambiguous: boolean;
  },
): Promise<DeliveryResult> {
  const tries = Number(ledger.get("tries") ?? 0) + 1;
  const isOver = tries > maxTries;
  const delayMs = Math.max(
    result.retryAfterMs,
    Math.min(maxBackoffMs, 250 * 2 ** Math.min(tries, 10)),
  );
  deps.log.warn(
    { chat: session.chat, entry: entry.id, cause: result.cause, tries, isOver },
    "not delivered yet",
  );
  await deps.outbox.write(session, {
    id: entry.id,
    fields: { tries: String(tries) },
    // What certainly did not happen now says nothing about an attempt before it.
    ...(isOver
      ? { interrupted: false }
      : result.ambiguous
        ? { interrupted: true }
        : {}),
    finished: isOver,
    release: isOver ? {} : { delayMs },
  });
  return isOver
    ? { type: "again" }
    : { type: "later", atMs: deps.now() + delayMs };
}
