import { parseChatKey, type ChatAddress } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { Draft } from "../core/outbox.ts";
import type { Chunk, FleetingDrafts, SendOutcome } from "../core/ports.ts";
import type { Decoration } from "../core/refusal.ts";
import type { Ledger } from "../store/turns/outbox.ts";
import type { DeliverySession, Receipt } from "../store/turns/receipt.ts";
import type { DeliveryDeps, DeliveryResult } from "./deps.ts";
import { leftOut, withDropped } from "./dropped.ts";
import { shownHead } from "./long-answer.ts";
import { chunkDigest, lostAgeMs, nonceOf, recognises } from "./send-chunks.ts";
import type { SendRateLimiter } from "./send-rate-limiter.ts";

/** A draft in one taking of the outbox. */
export interface DraftJob {
  readonly session: DeliverySession;
  readonly rateLimiter: SendRateLimiter;
  readonly draft: Draft;
  readonly ledger: Ledger;
  /** The owner before may have shown a draft without writing it down. */
  readonly interrupted: boolean;
  /** How long ago, at most. */
  readonly doubtAgeMs: number;
}

/**
 * Brings the growing answer to its newest text: one message, edited at the platform's pace, never
 * with unchanged text. Its failures cost nothing but the preview; only a rate limit is obeyed like
 * any other.
 */
export async function showDraft(deps: DeliveryDeps, job: DraftJob): Promise<DeliveryResult> {
  const { draft, ledger, rateLimiter } = job;
  const address = parseChatKey(job.session.chat);
  const nowMs = deps.now();
  if (ledger.has("done")) return await release(deps, job, {});
  const chunk = await firstChunk(deps, job);
  const fleeting = ledger.has("m0") ? undefined : fleetingIn(deps, address);
  const goesAtMs = shownAtMs(ledger, nowMs) + (fleeting?.showAgainMs ?? 0);
  const isGoing = fleeting !== undefined && nowMs >= goesAtMs;
  const isShown = chunk && ledger.get("shown") === chunkDigest(chunk);
  if (chunk === undefined || (isShown && !isGoing)) {
    if ((await rateLimiter.pass("preview")) === 0) await deps.sender.typing(address);
    return await release(deps, job, {});
  }
  const dueMs = Math.max(
    shownAtMs(ledger, nowMs) + deps.sender.editIntervalMs(address),
    waitsUntilMs(ledger, nowMs),
  );
  if (nowMs < dueMs) return await wait(deps, job, dueMs - nowMs, {});
  if (fleeting) return await showFleeting(deps, job, { fleeting, chunk });
  const doubt = doubtOf(deps, job);
  // A preview that can't be edited may be shown: don't send another one; the
  // answer says that it may be a repetition.
  if (doubt.isUncertain && !recognises(deps.sender, address, doubt.ageMs))
    return await release(deps, job, { fields: doubt.lost, interrupted: false });
  const waitMs = await rateLimiter.pass("preview");
  if (waitMs > 0) {
    return await wait(deps, job, waitMs, waitFields(nowMs, waitMs));
  }
  const messageId = ledger.get("m0");
  const options = { final: false, ...leftOut(ledger, 0) };
  const outcome =
    messageId === undefined
      ? await deps.sender.send(address, chunk, {
          nonce: nonceOf(job.session.chat, draft.id, 0),
          ...options,
          ...(draft.replyTo === undefined ? {} : { replyTo: draft.replyTo }),
        })
      : await deps.sender.edit(address, messageId, chunk, options);
  return await writeDown(deps, job, { chunk, doubt, outcome });
}

/**
 * When it was last shown. A time in the future is ignored: an earlier version's clock wrote it, or
 * Redis' clock before it was set.
 */
function shownAtMs(ledger: Ledger, nowMs: number): number {
  const atMs = Number(ledger.get("at") ?? 0);
  return atMs > nowMs ? 0 : atMs;
}

/** Recorded when the bot's rate limit delays it: until when, and since when. */
const waitFields = (nowMs: number, waitMs: number): Receipt["fields"] => ({
  wait: String(nowMs + waitMs),
  waitFrom: String(nowMs),
});

/**
 * Until when it waits. A wait that has not begun yet was written by another clock; one that asks
 * too early waits again.
 */
const waitsUntilMs = (ledger: Ledger, nowMs: number): number =>
  Number(ledger.get("waitFrom") ?? Infinity) <= nowMs ? Number(ledger.get("wait") ?? 0) : 0;

const fleetingIn = ({ sender }: DeliveryDeps, address: ChatAddress): FleetingDrafts | undefined =>
  sender.fleeting?.has(address) ? sender.fleeting : undefined;

/** It leaves no message, so its delivery can't be in doubt. */
async function showFleeting(
  deps: DeliveryDeps,
  job: DraftJob,
  { fleeting, chunk }: { readonly fleeting: FleetingDrafts; readonly chunk: Chunk },
): Promise<DeliveryResult> {
  const { session, draft, rateLimiter } = job;
  const waitMs = await rateLimiter.pass("preview");
  if (waitMs > 0) {
    return await wait(deps, job, waitMs, waitFields(deps.now(), waitMs));
  }
  const address = parseChatKey(session.chat);
  const outcome = await fleeting.show(address, draft.id, chunk, leftOut(job.ledger, 0).without);
  const at = String(deps.now());
  if (outcome.type === "sent") {
    const fields = { at, shown: chunkDigest(chunk), seen: "1" };
    return await release(deps, job, { fields, interrupted: false });
  }
  deps.log.debug({ chat: session.chat, cause: outcome.cause }, "draft not shown");
  if (outcome.type === "refused" && outcome.about !== undefined)
    return await showWithout(deps, job, outcome.about);
  if (outcome.type !== "retry") {
    const seen: Receipt["fields"] = outcome.type === "unknown" ? { seen: "1" } : {};
    return await release(deps, job, { fields: { at, shown: "", ...seen } });
  }
  await rateLimiter.refused(outcome);
  return await release(deps, job, {
    fields: { at },
    delayMs: outcome.retryAfterMs,
  });
}

interface Doubt {
  /** A first draft with an unknown id may exist. */
  readonly isUncertain: boolean;
  readonly ageMs: number;
  /** The ledger's new content. */
  readonly lost: Readonly<Record<"lost" | "lostAt", string>>;
}

function doubtOf(deps: DeliveryDeps, { ledger, interrupted, doubtAgeMs }: DraftJob): Doubt {
  const isLost = ledger.get("lost") === "1";
  const isUncertain = !ledger.has("m0") && (interrupted || isLost);
  const ageMs = isLost ? lostAgeMs(deps.now(), ledger) : interrupted ? doubtAgeMs : 0;
  return {
    isUncertain,
    ageMs,
    lost: {
      lost: "1",
      lostAt: String(ageMs === Infinity ? 0 : deps.now() - ageMs),
    },
  };
}

async function writeDown(
  deps: DeliveryDeps,
  job: DraftJob,
  {
    chunk,
    doubt,
    outcome,
  }: {
    readonly chunk: Chunk;
    readonly doubt: Doubt;
    readonly outcome: SendOutcome;
  },
): Promise<DeliveryResult> {
  const at = String(deps.now());
  switch (outcome.type) {
    case "sent":
      return await release(deps, job, {
        fields: {
          m0: outcome.messageId,
          // If the first of two sends counts, the shown text may be older.
          shown: doubt.isUncertain ? "" : chunkDigest(chunk),
          at,
          ...(outcome.threadedByReply ? { threaded: "1" } : {}),
          ...(doubt.isUncertain ? { lost: "", lostAt: "" } : {}),
        },
        interrupted: false,
      });
    case "retry":
      await job.rateLimiter.refused(outcome);
      return await release(deps, job, {
        fields: { at },
        delayMs: outcome.retryAfterMs,
      });
    case "unknown":
      return await release(deps, job, {
        fields: job.ledger.has("m0") ? { at, shown: "" } : { at, ...doubt.lost },
      });
    case "gone":
    case "refused":
      deps.log.debug({ chat: job.session.chat, cause: outcome.cause }, "draft not shown");
      return outcome.type === "refused" && outcome.about !== undefined
        ? await showWithout(deps, job, outcome.about)
        : await release(deps, job, { fields: { at } });
    default:
      return unreachable(outcome);
  }
}

/** It is shown without what the platform refused; the answer, which has the same ledger, is too. */
async function showWithout(
  deps: DeliveryDeps,
  job: DraftJob,
  about: Decoration,
): Promise<DeliveryResult> {
  const at = String(deps.now());
  const dropped = withDropped(job.ledger, 0, about);
  if (dropped === undefined) return await release(deps, job, { fields: { at } });
  const inMs = deps.sender.editIntervalMs(parseChatKey(job.session.chat));
  return await wait(deps, job, inMs, { at, ...dropped });
}

/** Releases the outbox; it isn't taken again for `delayMs`. */
async function release(
  deps: DeliveryDeps,
  { session, draft }: DraftJob,
  {
    delayMs,
    fields = {},
    ...receipt
  }: Partial<Pick<Receipt, "fields" | "interrupted">> & {
    readonly delayMs?: number;
  },
): Promise<DeliveryResult> {
  const written = await deps.outbox.write(session, {
    id: draft.id,
    fields,
    ...receipt,
    release: delayMs === undefined ? {} : { delayMs },
  });
  if (delayMs !== undefined) return { type: "later", inMs: delayMs };
  return { type: written?.hasMore ? "again" : "done" };
}

/** Releases the outbox while it waits: no final message waits for a draft. */
async function wait(
  deps: DeliveryDeps,
  job: DraftJob,
  inMs: number,
  fields: Receipt["fields"],
): Promise<DeliveryResult> {
  const result = await release(deps, job, { fields });
  return result.type === "again" ? result : { type: "later", inMs };
}

/** Undefined where there is nothing to show yet, or it cannot be shown. */
async function firstChunk(
  { sender, log }: DeliveryDeps,
  { session, draft: { text } }: DraftJob,
): Promise<Chunk | undefined> {
  try {
    if (text === "") return undefined;
    const [first] = await sender.render(shownHead(text));
    return first;
  } catch (error) {
    log.warn({ error, chat: session.chat }, "a draft could not be rendered");
    return undefined;
  }
}
