import { GrammyError, HttpError } from "grammy";
import type { SendOutcome } from "../../../core/ports.ts";
import type { Decoration } from "../../../core/refusal.ts";
import { describe, networkFailure } from "./describe.ts";
import { aboutRefusal, isPassing } from "./refusal.ts";

export type Operation =
  { readonly type: "send" } | { readonly type: "edit"; readonly messageId: string };

/** Milliseconds, where Telegram does not say. */
const retryAfterMs = 2_000;
/** Milliseconds, until an operator has fixed the token. */
const retryTokenAfterMs = 60_000;

const retry = (cause: string, afterMs: number = retryAfterMs): SendOutcome & { type: "retry" } => ({
  type: "retry",
  retryAfterMs: afterMs,
  cause,
});

/**
 * Classifies a failed request. A failed edit can always be repeated: it ends in the same message.
 * @param has what the request contained besides words.
 */
export function outcomeOf(
  thrown: unknown,
  operation: Operation,
  has: ReadonlySet<Decoration> = new Set(),
): SendOutcome {
  const cause = describe(thrown);
  if (thrown instanceof GrammyError) return refusalOf(thrown, operation, { cause, has });
  if (thrown instanceof HttpError && networkFailure(thrown).beforeRequest) return retry(cause);
  return operation.type === "edit" ? retry(cause) : { type: "unknown", cause };
}

function refusalOf(
  error: GrammyError,
  operation: Operation,
  { cause, has }: { readonly cause: string; readonly has: ReadonlySet<Decoration> },
): SendOutcome {
  const { error_code: code, description, parameters } = error;
  if (code === 429 || code === 420)
    return {
      ...retry(
        cause,
        parameters.retry_after === undefined ? retryAfterMs : parameters.retry_after * 1000,
      ),
      throttled: true,
    };
  if (code >= 500) return operation.type === "edit" ? retry(cause) : { type: "unknown", cause };
  if (isPassing(code, description)) return retry(cause);
  const about = aboutRefusal(code, description, has);
  // The token was revoked, or the server is another one: nothing is wrong with the message.
  if (code === 401 || (code === 404 && !about.about)) return retry(cause, retryTokenAfterMs);
  if (parameters.migrate_to_chat_id !== undefined)
    return {
      type: "refused",
      cause: `${cause}; its new id is ${parameters.migrate_to_chat_id}`,
    };
  if (operation.type === "edit") {
    if (/message is not modified/i.test(description))
      return { type: "sent", messageId: operation.messageId };
    if (isGone(description)) return { type: "gone", cause };
  }
  // Every 403 is about the bot's place in a chat. Other refusals, as of missing rights, may end.
  const { reason } = about;
  const isChatDead = code === 403 || reason === "gone" || reason === "blocked";
  return { type: "refused", cause, ...about, ...(isChatDead && { isChatDead }) };
}

const isGone = (description: string): boolean =>
  /message to edit not found|message can't be edited|MESSAGE_ID_INVALID|MESSAGE_EDIT_TIME_EXPIRED|there is no text in the message/i.test(
    description,
  );
