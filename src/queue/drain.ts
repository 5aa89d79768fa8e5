import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import { messageOf, RetryableError } from "../core/errors.ts";

/** The result of one pass over a chat's mailbox. */
export type DrainResult =
  | { readonly type: "done" }
  | { readonly type: "again" }
  | { readonly type: "later"; readonly inMs: number };

/**
 * Does the due work of one chat. The signal aborts when the process stops or
 * loses the chat.
 */
export type Drain = (chat: ChatKey, signal: AbortSignal) => Promise<DrainResult>;

/**
 * Never rejects: a chat that cannot be drained now stays in the wake index, and the sweeper tries
 * again.
 */
export async function drainSafely(
  { drain, log }: { readonly drain: Drain; readonly log: Logger },
  chat: ChatKey,
  signal: AbortSignal,
): Promise<DrainResult> {
  try {
    return await drain(chat, signal);
  } catch (error) {
    // A process that stops may have lost its connection; the next one takes the chat.
    const level = signal.aborted ? "warn" : "error";
    log[level]({ error, chat, cause: messageOf(error) }, "a chat could not be drained");
    if (error instanceof RetryableError) return { type: "later", inMs: error.retryAfterMs };
    return { type: "done" };
  }
}
