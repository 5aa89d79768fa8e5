import { DiscordAPIError, GatewayCloseCodes } from "discord.js";
import type { PlatformFailureKind } from "../../../core/outage.ts";
import { messageOf, PermanentError } from "../../../core/errors.ts";

const badToken = "DISCORD_TOKEN is not accepted by Discord: it was reset or mistyped";

/**
 * What an operator must fix before another connection with the same settings
 * can succeed, by close code.
 */
const sentences: ReadonlyMap<number, string> = new Map([
  [GatewayCloseCodes.AuthenticationFailed, badToken],
  [
    GatewayCloseCodes.DisallowedIntents,
    "Discord refuses the message content intent: switch it on for the bot at https://discord.com/developers/applications, or set discord.messageContent to false",
  ],
  [
    GatewayCloseCodes.ShardingRequired,
    "Discord wants more connections than discord.shards allows: expected auto, or a greater number",
  ],
]);

/** Why Discord ended a connection for good. */
export function endOf(code: number): Error {
  const sentence = sentences.get(code);
  return sentence === undefined
    ? new Error(`Discord closed the connection with code ${code}`)
    : new PermanentError(sentence);
}

/** Pure. */
export const refusedKind = ({ message }: PermanentError): PlatformFailureKind =>
  message === badToken ? "auth" : "invalid-request";

/** Classifies a failed request for the gateway's address. Never names the token. */
export function requestFailure(failure: unknown): Error {
  return failure instanceof DiscordAPIError && failure.status === 401
    ? new PermanentError(badToken)
    : new Error(messageOf(failure), { cause: failure });
}
