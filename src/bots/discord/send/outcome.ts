import { DiscordAPIError, HTTPError, RateLimitError, RESTJSONErrorCodes } from "discord.js";
import { messageOf } from "../../../core/errors.ts";
import type { SendOutcome } from "../../../core/ports.ts";
import type { Decoration } from "../../../core/refusal.ts";
import { aboutRefusal } from "./refusal.ts";

export type Operation = "send" | "edit";

/** Waits where Discord names none. */
const unreachableRetryMs = 5_000;
const brokenRetryMs = 2_000;
const unauthorisedRetryMs = 60_000;
const oldEditRetryMs = 60_000;

/** The connection was never made, so nothing was asked of Discord. */
const neverSent: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

/** Codes that mean: this message will never be edited again, but another may be sent. */
const goneCodes: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.UnknownMessage,
  RESTJSONErrorCodes.CannotEditMessageAuthoredByAnotherUser,
  RESTJSONErrorCodes.InvalidActionOnArchivedThread,
]);

/** Codes that mean: nothing can be sent to this channel, thread or person any more. */
const deadChatCodes: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.UnknownChannel,
  RESTJSONErrorCodes.UnknownGuild,
  RESTJSONErrorCodes.UnknownUser,
  RESTJSONErrorCodes.MissingAccess,
  RESTJSONErrorCodes.CannotSendMessagesToThisUser,
  RESTJSONErrorCodes.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
]);

/** Codes of 4xx that are about a limit of the bot's or the channel's, and pass after a while. */
const limitCodes: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.ActionCannotBePerformedDueToSlowmodeRateLimit,
  RESTJSONErrorCodes.AnnouncementEditLimitExceeded,
  RESTJSONErrorCodes.ChannelWriteRateLimit,
  RESTJSONErrorCodes.ServerWriteRateLimit,
  RESTJSONErrorCodes.MaximumNumberOfEditsToMessagesOlderThanOneHourReached,
  RESTJSONErrorCodes.OpeningDirectMessagesTooFast,
  RESTJSONErrorCodes.SendMessagesHasBeenTemporarilyDisabled,
  RESTJSONErrorCodes.FeatureTemporarilyDisabledServerSide,
  RESTJSONErrorCodes.ServiceResourceIsBeingRateLimited,
  RESTJSONErrorCodes.APIResourceOverloaded,
]);

/**
 * Codes of 4xx that say nothing about the request. 40333, "internal network error", is Cloudflare's
 * refusal as JSON (discord/discord-api-docs#6473). 200002: AutoMod itself failed.
 */
const passingCodes: ReadonlySet<unknown> = new Set([
  RESTJSONErrorCodes.CloudflareIsBlockingYourRequest,
  RESTJSONErrorCodes.IndexNotYetAvailable,
  RESTJSONErrorCodes.ApplicationNotYetAvailable,
  200_002,
]);

/**
 * What a failed request means for the message. Pure. After an ambiguous failure a send is `unknown`
 * (its nonce makes another harmless for some minutes), while an edit is simply made again.
 * @param has what the request contained besides words.
 */
export function outcomeOf(
  failure: unknown,
  operation: Operation,
  has: ReadonlySet<Decoration> = new Set(),
): SendOutcome {
  if (failure instanceof RateLimitError) {
    const cause = failure.global ? "rate limited, globally" : "rate limited";
    const retryAfterMs = Math.max(failure.retryAfter, failure.sublimitTimeout, 1);
    return {
      ...retry(retryAfterMs, cause),
      throttled: true,
      ...(failure.global ? { wholeBot: true } : {}),
    };
  }
  if (failure instanceof DiscordAPIError) return refusalOf(failure, operation, has);
  if (failure instanceof HTTPError)
    return ambiguous(operation, `${failure.status} ${failure.message}`);
  const cause = messageOf(failure) || "the connection failed";
  return neverSent.has(codeOf(failure))
    ? retry(unreachableRetryMs, cause)
    : ambiguous(operation, cause);
}

function refusalOf(
  failure: DiscordAPIError,
  operation: Operation,
  has: ReadonlySet<Decoration>,
): SendOutcome {
  const { code, status, message } = failure;
  const cause = `${status} ${code ?? ""} ${message}`;
  if (status === 401) return retry(unauthorisedRetryMs, cause);
  // Not Discord's own words: a proxy or a gateway in front of it.
  if (typeof code !== "number") return retry(brokenRetryMs, cause);
  if (status === 429) return { ...retry(oldEditRetryMs, cause), throttled: true };
  if (limitCodes.has(code)) return retry(oldEditRetryMs, cause);
  if (passingCodes.has(code)) return retry(brokenRetryMs, cause);
  if (status >= 500) return ambiguous(operation, cause);
  if (operation === "edit" && goneCodes.has(code)) return { type: "gone", cause };
  return {
    type: "refused",
    cause,
    ...aboutRefusal(failure, has),
    ...(deadChatCodes.has(code) && { isChatDead: true }),
  };
}

const ambiguous = (operation: Operation, cause: string): SendOutcome =>
  operation === "send" ? { type: "unknown", cause } : retry(brokenRetryMs, cause);

const retry = (retryAfterMs: number, cause: string): SendOutcome & { type: "retry" } => ({
  type: "retry",
  retryAfterMs,
  cause,
});

function codeOf(failure: unknown): string {
  if (!(failure instanceof Error)) return "";
  if ("code" in failure && typeof failure.code === "string") return failure.code;
  return codeOf(failure.cause);
}
