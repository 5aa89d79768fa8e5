import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  DiscordAPIError,
  REST,
  SlashCommandBuilder,
  type ChatInputCommandInteraction,
  type Client,
  type Interaction,
  type Message,
} from "discord.js";
import type { DiscordServer } from "./discord-server.ts";

export const ask = new SlashCommandBuilder()
  .setName("ask")
  .setDescription("Ask the bot")
  .addStringOption((option) => option.setName("question").setDescription("What").setRequired(true))
  .addStringOption((option) =>
    option.setName("model").setDescription("Which").setAutocomplete(true),
  )
  .toJSON();

export const buttons = new ActionRowBuilder<ButtonBuilder>().addComponents(
  new ButtonBuilder().setCustomId("approve:1").setLabel("Approve").setStyle(ButtonStyle.Success),
  new ButtonBuilder().setCustomId("deny:1").setLabel("Deny").setStyle(ButtonStyle.Danger),
);

/** A guild with Ann and Ben in a channel, and a ready client. */
export function scene(discord: DiscordServer) {
  const ann = discord.user({ username: "ann", globalName: "Ann" });
  const ben = discord.user({ username: "ben" });
  const guild = discord.guild({ name: "Home", owner: ben, members: [ann] });
  return {
    ann,
    ben,
    guild,
    channel: guild.textChannel("general"),
    direct: discord.directMessage(ann),
  };
}

/** Answers every message and collects what goes wrong. */
export function onMessage(
  client: Client,
  handle: (message: Message) => Promise<unknown>,
): unknown[] {
  const errors: unknown[] = [];
  client.on("messageCreate", (message) => {
    if (message.author.id === client.user?.id) return;
    handle(message).catch((error: unknown) => errors.push(error));
  });
  return errors;
}

export function onInteraction(
  client: Client,
  handle: (interaction: Interaction) => Promise<unknown>,
): unknown[] {
  const errors: unknown[] = [];
  client.on("interactionCreate", (interaction) => {
    handle(interaction).catch((error: unknown) => errors.push(error));
  });
  return errors;
}

export function onSlash(
  client: Client,
  handle: (interaction: ChatInputCommandInteraction) => Promise<unknown>,
): unknown[] {
  return onInteraction(client, async (interaction) => {
    if (interaction.isChatInputCommand()) await handle(interaction);
  });
}

/** Sends a body straight to REST, as discord.js would not let a caller do. */
export function rest(discord: DiscordServer): REST {
  return new REST({ api: discord.apiRoot, retries: 0 }).setToken(discord.token);
}

export async function failure(promise: Promise<unknown>): Promise<DiscordAPIError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DiscordAPIError) return error;
  throw new Error("Discord did not refuse it", { cause: error });
}
