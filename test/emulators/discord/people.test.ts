import { once } from "node:events";
import {
  ActionRowBuilder,
  ApplicationCommandType,
  GatewayIntentBits,
  StringSelectMenuBuilder,
  type Guild,
  type Message,
  type MessageReaction,
} from "discord.js";
import { expect, test } from "vitest";
import { TestClient } from "./client.ts";
import { DiscordServer } from "./discord-server.ts";
import { failure, onInteraction, scene } from "./scene.ts";

test("what people do to messages reaches the bot", async () => {
  await using discord = await DiscordServer.start();
  const { ann, direct, channel } = scene(discord);
  await using bot = await TestClient.start(discord);
  const arrived = once(bot.client, "messageCreate");
  const asked = ann.send(direct, "frist");
  await arrived;

  const edited = once(bot.client, "messageUpdate");
  ann.edit(asked, "first");
  const [, after] = (await edited) as [Message, Message];
  expect([after.content, after.editedTimestamp === null]).toEqual(["first", false]);

  const shown = once(bot.client, "messageCreate");
  const link = ann.send(direct, "https://example.org");
  await shown;
  const previewed = once(bot.client, "messageUpdate");
  discord.unfurl(link, { title: "Example" });
  const [, preview] = (await previewed) as [Message, Message];
  expect([preview.embeds[0]?.title, preview.editedTimestamp]).toEqual(["Example", null]);

  const deleted = once(bot.client, "messageDelete");
  ann.delete(asked);
  expect(((await deleted) as [Message])[0].id).toBe(asked.id);
  expect(discord.messages(direct).map((message) => message.content)).toEqual([
    "https://example.org",
  ]);

  const target = bot.client.channels.cache.get(channel.id);
  if (!target?.isSendable()) throw new Error("no channel");
  const sent = await target.send("react to me");
  const reacted = once(bot.client, "messageReactionAdd");
  ann.react(sent.id, "👀");
  expect(((await reacted) as [MessageReaction])[0].emoji.name).toBe("👀");
});

test("select menus and user menus", async () => {
  await using discord = await DiscordServer.start();
  const { ann, ben, channel } = scene(discord);
  await using bot = await TestClient.start(discord);
  await bot.client.application?.commands.set([
    { name: "Greet", type: ApplicationCommandType.User },
  ]);
  const errors = onInteraction(bot.client, async (interaction) => {
    if (interaction.isStringSelectMenu())
      await interaction.reply(`chose ${interaction.values.join()}`);
    if (interaction.isUserContextMenuCommand())
      await interaction.reply(`hello ${interaction.targetUser.username}`);
  });
  const target = bot.client.channels.cache.get(channel.id);
  if (!target?.isSendable()) throw new Error("no channel");
  const menu = new StringSelectMenuBuilder()
    .setCustomId("model")
    .addOptions({ label: "Fast", value: "fast" });
  const row = new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu);
  const sent = await target.send({ content: "Which?", components: [row] });
  await ann
    .select(channel, sent.id, { customId: "model", values: ["fast"] })
    .response("chose fast");
  await ann.userMenu(channel, "Greet", ben).response("hello ben");
  expect(errors).toEqual([]);
  expect(discord.violations).toEqual([]);
});

test("the bot is thrown out, a channel disappears, a guild is joined", async () => {
  await using discord = await DiscordServer.start();
  const { ann, guild, channel } = scene(discord);
  const other = guild.textChannel("other");
  await using bot = await TestClient.start(discord);
  const target = bot.client.channels.cache.get(channel.id);
  const second = bot.client.channels.cache.get(other.id);
  if (!target?.isSendable() || !second?.isSendable()) throw new Error("no channel");

  const vanished = once(bot.client, "channelDelete");
  guild.removeChannel(other);
  await vanished;
  expect(await failure(second.send("hello"))).toMatchObject({ code: 10003 });

  const left = once(bot.client, "guildDelete");
  guild.removeBot();
  expect(((await left) as [Guild])[0].id).toBe(guild.id);
  expect(await failure(target.send("hello"))).toMatchObject({
    status: 403,
    code: 50001,
  });

  const joined = once(bot.client, "guildCreate");
  const home = discord.guild({ name: "New", owner: ann });
  expect(((await joined) as [Guild])[0].id).toBe(home.id);
});

test("shards get their own guilds, direct messages go to shard 0", async () => {
  await using discord = await DiscordServer.start({
    shards: 2,
    maxConcurrency: 2,
  });
  const ann = discord.user({ username: "ann" });
  const guilds = Array.from({ length: 6 }, (_, index) =>
    discord.guild({ name: `G${index}`, owner: ann }),
  );
  await using bot = await TestClient.start(discord, {
    shards: "auto",
    intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages],
  });
  expect(discord.identifies).toBe(2);
  expect(bot.client.guilds.cache.size).toBe(guilds.length);
  for (const guild of bot.client.guilds.cache.values())
    expect(guild.shardId).toBe(Number((BigInt(guild.id) >> 22n) % 2n));
  const heard = once(bot.client, "messageCreate");
  ann.send(discord.directMessage(ann), "hi");
  expect(((await heard) as [Message])[0].content).toBe("hi");
});
