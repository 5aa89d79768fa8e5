import { messageOf, PermanentError } from "../../../core/errors.ts";

/** What discord.js says when the platform will never let this bot in (401 on `/gateway/bot`, close codes 4004 and 4014). */
const sentences: ReadonlyMap<string, string> = new Map([
  [
    "TokenInvalid",
    "DISCORD_TOKEN is not accepted by Discord: it was reset or mistyped",
  ],
  [
    "Authentication failed",
    "DISCORD_TOKEN is not accepted by Discord: it was reset or mistyped",
  ],
  [
    "Used disallowed intents",
    "Discord refuses the message content intent: switch it on for the bot at https://discord.com/developers/applications, or set discord.messageContent to false",
  ],
]);

/** A `PermanentError` where another login with the same settings cannot help; else undefined. Never names the token. */
export function permanentLoginFailure(
  failure: unknown,
): PermanentError | undefined {
  const code =
    failure instanceof Error && "code" in failure ? String(failure.code) : "";
  const sentence = sentences.get(code) ?? sentences.get(messageOf(failure));
  return sentence === undefined ? undefined : new PermanentError(sentence);
}
