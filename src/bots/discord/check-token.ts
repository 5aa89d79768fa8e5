import { DiscordAPIError, Routes } from "discord.js";
import { z } from "zod";
import { messageOf } from "../../core/errors.ts";
import { createRest } from "./rest.ts";

export type DiscordCheck =
  | { readonly state: "works"; readonly name: string; readonly applicationId: string }
  | { readonly state: "refused" }
  | { readonly state: "unreachable"; readonly message: string };

const applicationSchema = z.object({ id: z.string(), name: z.string() });

/** Asks Discord once whose token this is. Never rejects, and never repeats the token. */
export async function checkDiscordToken(options: {
  readonly token: string;
  readonly apiRoot: string;
}): Promise<DiscordCheck> {
  using connection = createRest({ ...options, graceMs: 0 });
  try {
    const answer = await connection.rest.get(Routes.currentApplication());
    const { id, name } = applicationSchema.parse(answer);
    return { state: "works", name, applicationId: id };
  } catch (error) {
    return error instanceof DiscordAPIError && error.status === 401
      ? { state: "refused" }
      : { state: "unreachable", message: messageOf(error).replaceAll(options.token, "***") };
  }
}

/**
 * View Channels, Send Messages, Send Messages in Threads, Create Public Threads, Attach Files, Read
 * Message History.
 */
const permissions = "309237746688";

/** The address at which the bot is added to a server, with what it needs there. */
export const inviteLink = (applicationId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`;
