import { PermanentError } from "../../core/errors.ts";

/** A snowflake: 64 bits in decimal. */
const snowflake = /^\d{15,21}$/;

/**
 * The bot's user id. A token is `<id in base64>.<time>.<signature>`, so chat keys exist before the
 * login.
 * @throws PermanentError when the token cannot be one; the message does not repeat it.
 */
export function botIdOf(token: string): string {
  const [first = "", ...rest] = token.split(".");
  const id = Buffer.from(first, "base64").toString("latin1");
  if (rest.length !== 2 || rest.includes("") || !snowflake.test(id))
    throw new PermanentError(
      "DISCORD_TOKEN is not a Discord bot token: copy it from the Bot page of https://discord.com/developers/applications",
    );
  return id;
}
