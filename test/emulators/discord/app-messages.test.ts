import { ButtonStyle, ComponentType, MessageFlags, Routes } from "discord.js";
import { PermissionFlagsBits, type APIChannel, type APIMessage } from "discord-api-types/v10";
import { expect, test } from "vitest";
import type { AppMessage } from "./app-message.ts";
import { DiscordServer } from "./discord-server.ts";
import { failure, rest, scene } from "./scene.ts";

const text = (content: string) => ({ type: ComponentType.TextDisplay, content }) as const;
const flags = MessageFlags.IsComponentsV2;
const button = { type: ComponentType.Button, style: ButtonStyle.Link, url: "https://x.example" };

test.each<[string, string, AppMessage]>([
  ["words next to Components V2", "hello", { flags, components: [text("a")] }],
  [
    "embeds next to Components V2",
    "",
    { flags, components: [text("a")], embeds: [{ title: "a" }] },
  ],
  ["Components V2 without components", "", { flags, components: [] }],
  ["a button at the top", "", { flags, components: [button] as never }],
  [
    "texts of Components V2 that are too long",
    "",
    { flags, components: [text("x".repeat(4_001))] },
  ],
  ["Components V2 without their flag", "", { components: [text("a")] }],
])("an app's message is refused with %s", async (_name, content, message) => {
  await using discord = await DiscordServer.start();
  const { channel } = scene(discord);
  expect(() => discord.sendAsWebhook(channel, "app", content, message)).toThrow(
    "Invalid Form Body",
  );
});

test("a forward has no poll", async () => {
  await using discord = await DiscordServer.start();
  const { ann, ben, channel, direct } = scene(discord);
  const poll = ben.send(channel, "", { poll: "Lunch?" });
  expect(() => ann.forward(direct, poll.id)).toThrow("forwards no such message");
});

test("a thread has the id of the message that it was started from, a post that of its first", async () => {
  await using discord = await DiscordServer.start();
  const { ann, ben, channel, guild } = scene(discord);
  const starter = ben.send(channel, "The disk is full");
  const thread = guild.threadFrom(starter, "Disk");
  expect(thread.id).toBe(starter.id);
  const read = async (path: `/${string}`) => await rest(discord).get(path);
  expect(await failure(read(Routes.channelMessage(thread.id, starter.id)))).toMatchObject({
    code: 10_008,
  });
  const forum = guild.forum("help", { tags: ["ops"] });
  const post = guild.post(forum, ann, { title: "Full", content: "since nine", tags: ["ops"] });
  const first = (await read(Routes.channelMessage(post.id, post.id))) as APIMessage;
  expect(first.id).toBe(post.id);
  const known = (await read(Routes.channel(forum.id))) as { available_tags: { id: string }[] };
  const shown = (await read(Routes.channel(post.id))) as APIChannel;
  expect(shown).toMatchObject({ applied_tags: known.available_tags.map(({ id }) => id) });
  const written = rest(discord).post(Routes.channelMessages(forum.id), {
    body: { content: "here", allowed_mentions: { parse: [] } },
  });
  expect(await failure(written)).toMatchObject({ code: 50_008 });
  guild.denyBot(channel, PermissionFlagsBits.ReadMessageHistory);
  expect(await failure(read(Routes.channelMessage(channel.id, starter.id)))).toMatchObject({
    status: 403,
  });
});
