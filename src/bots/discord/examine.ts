import { DiscordAPIError, PermissionFlagsBits, Routes, type REST } from "discord.js";
import { z } from "zod";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { botIdOf } from "./identity.ts";
import { createRest } from "./rest.ts";

/** What the invitation of docs/discord.md asks for, by the names in Discord's settings. */
const needed: Readonly<Record<string, bigint>> = {
  "View Channels": PermissionFlagsBits.ViewChannel,
  "Send Messages": PermissionFlagsBits.SendMessages,
  "Send Messages in Threads": PermissionFlagsBits.SendMessagesInThreads,
  "Create Public Threads": PermissionFlagsBits.CreatePublicThreads,
  "Attach Files": PermissionFlagsBits.AttachFiles,
  "Read Message History": PermissionFlagsBits.ReadMessageHistory,
};
const allNeeded = Object.values(needed).reduce((sum, bit) => sum | bit, 0n);

/** The link that adds the bot to a server, with every permission that it uses. Pure. */
export const inviteLink = (applicationId: string): string =>
  `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${allNeeded}`;

export interface DiscordFacts {
  readonly applicationId: string;
  readonly username: string;
  /** Whether the portal grants the message content intent. */
  readonly hasMessageContent: boolean;
  readonly commands: number;
  readonly servers: readonly { readonly name: string; readonly lacks: readonly string[] }[];
}

export type DiscordExamined =
  | { readonly type: "refused"; readonly reason: string }
  | { readonly type: "unreachable"; readonly reason: string }
  | { readonly type: "answered"; readonly facts: DiscordFacts };

/** Asks Discord about the bot; opens no gateway connection. Never rejects. */
export async function examineDiscord(given: {
  readonly token: string;
  readonly apiRoot: string;
}): Promise<DiscordExamined> {
  try {
    botIdOf(given.token);
    using connection = createRest(given);
    return { type: "answered", facts: await factsFrom(connection.rest) };
  } catch (error) {
    const isRefused =
      error instanceof PermanentError || (error instanceof DiscordAPIError && error.status === 401);
    return { type: isRefused ? "refused" : "unreachable", reason: messageOf(error) };
  }
}

async function factsFrom(rest: REST): Promise<DiscordFacts> {
  const [application, guilds] = await Promise.all([
    rest.get(Routes.currentApplication()),
    rest.get(Routes.userGuilds()),
  ]);
  const { id, name, flags } = applicationSchema.parse(application);
  const commands = z.array(z.unknown()).parse(await rest.get(Routes.applicationCommands(id)));
  return {
    applicationId: id,
    username: name,
    hasMessageContent: (flags & messageContentFlags) !== 0,
    commands: commands.length,
    servers: guildsSchema.parse(guilds).map((guild) => ({
      name: guild.name,
      lacks: lackingOf(BigInt(guild.permissions)),
    })),
  };
}

/** Names of needed permissions that are missing. */
const lackingOf = (has: bigint): readonly string[] =>
  (has & PermissionFlagsBits.Administrator) !== 0n
    ? []
    : Object.entries(needed).flatMap(([name, bit]) => ((has & bit) === 0n ? [name] : []));

/** Application flags: GATEWAY_MESSAGE_CONTENT and GATEWAY_MESSAGE_CONTENT_LIMITED. */
const messageContentFlags = (1 << 18) | (1 << 19);

const applicationSchema = z.object({
  id: z.string(),
  name: z.string(),
  flags: z.number().default(0),
});
const guildsSchema = z.array(z.object({ name: z.string(), permissions: z.string() }));
