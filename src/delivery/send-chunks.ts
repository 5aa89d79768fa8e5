import { createHash } from "node:crypto";
import type { ChatAddress, ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { spokenIn } from "../core/outbox.ts";
import type { Chunk, OutgoingFile, Sender, SendOptions, SendOutcome } from "../core/ports.ts";
import type { Ledger } from "../store/turns/outbox.ts";
import { leftOut } from "./dropped.ts";

/**
 * One entry in delivery, chunk by chunk. Its ledger: `m<n>` the message id of
 * chunk n · `done` how many chunks are final · `shown` digest of what `m0`
 * shows as a draft · `seen` `1` once a fleeting draft was, or may have been,
 * shown: never deleted · `tries` failed attempts since the last success, `throws`
 * those in which our own handling failed, `since` when the first of them was,
 * ms by Redis' clock · `queued` since when it waits for the bot's rate limit, ms ·
 * `at` when the draft was last changed, `wait` until when the bot has no slot
 * for it, ms · `lost` `1` while a first message with an unknown id may exist,
 * `lostAt` since when, ms · `unknown` how often the next chunk was sent with an
 * unknown outcome · `doubt` why a chunk's outcome is unknown · `refused` what
 * the platform said · `without` what it refused of the entry, see `dropped.ts` ·
 * `threaded` `1` where only replies keep the chunks in one thread.
 */
export interface Sending {
  readonly chat: ChatKey;
  readonly address: ChatAddress;
  readonly sender: Sender;
  readonly entryId: string;
  readonly chunks: readonly Chunk[];
  /** Sent instead of the last chunk, which becomes its caption. */
  readonly file?: OutgoingFile | undefined;
  /** All chunks of a long answer, if the platform refuses its file. */
  readonly withoutFile?: () => Promise<readonly Chunk[]>;
  readonly ledger: Ledger;
  readonly replyTo: string | undefined;
  /** BCP 47 tag of the recipient. */
  readonly language: string | undefined;
  readonly silent: boolean;
  /** A card of calls that are all decided by now. */
  readonly isFinal?: boolean;
  /** On the last chunk. */
  readonly buttons: SendOptions["buttons"];
  readonly replyFrom?: SendOptions["replyFrom"];
  /** The owner before may have sent the next chunk already. */
  readonly interrupted: boolean;
  /**
   * How long ago that request, or a first message with an unknown id, may have
   * been sent.
   */
  readonly doubtAgeMs: number;
  /** The first chunk may already be shown as a draft with another text. */
  readonly hadDraft: boolean;
}

export type ChunkResult =
  | (SendOutcome & { readonly type: "sent" })
  | {
      readonly type: "retry";
      readonly retryAfterMs: number;
      readonly cause: string;
      readonly ambiguous: boolean;
      /** The bot may send nothing for that time. */
      readonly wholeBot?: true;
      /** The bot makes more requests than the platform takes. */
      readonly throttled?: true;
      /**
       * The number of unknown outcomes so far, where a repetition creates
       * another message.
       */
      readonly unknown?: number;
    }
  /**
   * It was sent five times, all but the first with a label, and it is unknown
   * whether any arrived.
   */
  | { readonly type: "given-up"; readonly cause: string }
  | (SendOutcome & { readonly type: "refused" });

/**
 * Delays before a chunk with an unknown outcome is sent again, in ms: the
 * first, the second and so on. After the last it is given up.
 */
const doubtsMs = [1_000, 30_000, 60_000, 120_000];

/**
 * Sends chunk `index`, or turns the existing draft into it. Never throws for
 * the platform's failure.
 */
export async function sendChunk(sending: Sending, index: number): Promise<ChunkResult> {
  const { sender, address, chunks, file, ledger } = sending;
  const chunk = chunks[index];
  if (!chunk) throw new TypeError(`no chunk ${index}`);
  const isLast = index === chunks.length - 1;
  const isFile = file !== undefined && isLast;
  // A text may be sent instead of a file: that is another message.
  const name = isFile && index > 0 ? `${sending.entryId} file` : sending.entryId;
  const more = {
    ...(isLast && sending.buttons ? { buttons: sending.buttons } : {}),
    ...leftOut(ledger, index),
  };
  const edit = (messageId: string) =>
    sender.edit(address, messageId, chunk, { final: true, ...more });
  const draftId = index === 0 ? ledger.get("m0") : undefined;
  if (draftId !== undefined) {
    // After an interruption, a newer draft than the recorded one may be shown.
    const isShown =
      ledger.get("shown") === chunkDigest(chunk) && !sending.interrupted && !sender.endsDrafts;
    if (isShown && !sending.buttons) return { type: "sent", messageId: draftId };
    const outcome = await edit(draftId);
    if (outcome.type !== "gone") return resultOf(outcome, "edit");
  }
  const isUncertain = sending.interrupted || (index === 0 && ledger.get("lost") === "1");
  const isRecognised = recognises(sender, address, sending.doubtAgeMs);
  const isRepeated = isUncertain && !isRecognised;
  const options: SendOptions = {
    // A nonce that the platform may or may not know would make one message of two that differ.
    nonce: nonceOf(sending.chat, isRepeated ? `${name} again` : name, index),
    final: true,
    // An answer rings once.
    silent: sending.silent || index > 0,
    ...answered(sending, index),
    ...(isRepeated ? { repeated: true, ...spokenIn(sending.language) } : {}),
    ...more,
    ...(sending.replyFrom === undefined ? {} : { replyFrom: sending.replyFrom }),
  };
  const outcome = await (isFile
    ? sender.sendFile(address, file, options)
    : sender.send(address, chunk, options));
  // A platform that deduplicates has answered with the first message of this nonce: perhaps a
  // draft.
  if (outcome.type === "sent" && isUncertain && isRecognised && index === 0 && sending.hadDraft)
    return resultOf(await edit(outcome.messageId), "edit");
  if (outcome.type === "unknown" && (isRepeated || !deduplicates(sender, address)))
    return inDoubt(ledger, isUncertain, outcome.cause);
  return resultOf(outcome, "send");
}

/** The first chunk answers the person; where only that keeps a thread together, each the one before. */
function answered({ ledger, replyTo }: Sending, index: number): { readonly replyTo?: string } {
  if (index > 0 && ledger.get("threaded") !== "1") return {};
  const message = index === 0 ? replyTo : (ledger.get(`m${index - 1}`) ?? replyTo);
  return message === undefined ? {} : { replyTo: message };
}

/**
 * Every repetition may be one more copy, so that there are few; but an outage of the platform is
 * longer than the moment between two tries. What was interrupted may have been sent without being
 * counted.
 */
function inDoubt(ledger: Ledger, wasUncertain: boolean, cause: string): ChunkResult {
  const counted = Number(ledger.get("unknown") ?? 0);
  const unknown = Math.max(counted, wasUncertain ? 1 : 0) + 1;
  const retryAfterMs = doubtsMs[unknown - 1];
  if (retryAfterMs === undefined) return { type: "given-up", cause };
  return { type: "retry", retryAfterMs, cause, ambiguous: true, unknown };
}

function resultOf(outcome: SendOutcome, did: "send" | "edit"): ChunkResult {
  switch (outcome.type) {
    case "sent":
    case "refused":
      return outcome;
    case "retry":
      return { ...outcome, ambiguous: false };
    case "unknown":
      // An edit can be repeated without harm.
      return {
        type: "retry",
        retryAfterMs: 1_000,
        cause: outcome.cause,
        ambiguous: did === "send",
      };
    case "gone":
      return { type: "refused", cause: outcome.cause };
    default:
      return unreachable(outcome);
  }
}

/** Whether the platform still remembers the nonce of an attempt that old. */
export const recognises = (sender: Sender, address: ChatAddress, ageMs: number): boolean =>
  deduplicates(sender, address) && ageMs < (sender.deduplicatesForMs ?? Infinity);

const deduplicates = (sender: Sender, address: ChatAddress): boolean =>
  sender.deduplicates && (sender.deduplicatesIn?.(address) ?? true);

/**
 * How long ago a first message with an unknown id may have been shown. A time
 * in the future was written by another clock and is ignored.
 */
export function lostAgeMs(nowMs: number, ledger: Ledger): number {
  const ageMs = nowMs - Number(ledger.get("lostAt") ?? 0);
  return ageMs < 0 ? Infinity : ageMs;
}

/** The same for every attempt at the same chunk; 22 characters. */
export const nonceOf = (chat: ChatKey, entryId: string, index: number): string =>
  createHash("sha256").update(`${chat}\n${entryId}\n${index}`).digest("base64url").slice(0, 22);

export const chunkDigest = (chunk: Chunk): string =>
  createHash("sha256")
    .update(JSON.stringify([chunk.text, chunk.markup]))
    .digest("base64url")
    .slice(0, 22);
