import { once } from "node:events";
import { ActionRowBuilder, GatewayIntentBits, type Message, type ButtonBuilder } from "discord.js";
import { describe, expect, test } from "vitest";
import { TestClient } from "./client.ts";
import { DiscordServer } from "./discord-server.ts";
import { buttons, scene, onMessage, rest, failure } from "./scene.ts";

describe("messages", () => {
  test("a direct message reaches the bot and its reply comes back", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const errors = onMessage(bot.client, async (message) => {
      if (message.channel.isSendable()) await message.channel.sendTyping();
      const sent = await message.reply(`you said ${message.content}`);
      await sent.edit("edited");
    });
    const asked = ann.send(direct, "hello");
    const reply = await discord.waitForMessage(direct, "edited");
    expect(reply).toMatchObject({
      referenceId: asked.id,
      editCount: 1,
      authorId: discord.botUserId,
    });
    expect(reply.history.map((version) => version.content)).toEqual(["you said hello", "edited"]);
    expect(discord.typing.map((typing) => typing.channelId)).toEqual([direct.id]);
    expect(discord.violations).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("without the content intent a guild message is empty unless it mentions or answers the bot", async () => {
    await using discord = await DiscordServer.start();
    const { ann, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    const heard: string[] = [];
    onMessage(bot.client, async (message) => heard.push(message.content));
    ann.send(channel, "secret");
    ann.send(channel, `${discord.botMention} hi`);
    const target = bot.client.channels.cache.get(channel.id);
    if (!target?.isSendable()) throw new Error("no channel");
    const own = await target.send("mine");
    ann.send(channel, "an answer", { replyTo: own.id });
    await expect.poll(() => heard).toEqual(["", `${discord.botMention} hi`, "an answer"]);
    const fetched = await target.messages.fetch({ limit: 10, cache: false });
    expect(fetched.map((message) => message.content)).toEqual([
      "an answer",
      "mine",
      `${discord.botMention} hi`,
      "",
    ]);
  });

  test("with the content intent everything can be read", async () => {
    await using discord = await DiscordServer.start({
      privilegedIntents: [GatewayIntentBits.MessageContent],
    });
    const { ann, channel } = scene(discord);
    const { Guilds, GuildMessages, MessageContent } = GatewayIntentBits;
    await using bot = await TestClient.start(discord, {
      intents: [Guilds, GuildMessages, MessageContent],
    });
    const heard = once(bot.client, "messageCreate");
    ann.send(channel, "open");
    const [message] = (await heard) as [Message];
    expect([message.content, message.member?.displayName]).toEqual(["open", "Ann"]);
  });

  test("refuses what Discord refuses", async () => {
    await using discord = await DiscordServer.start();
    const { ann, guild, channel, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const target = await bot.client.channels.fetch(channel.id);
    if (!target?.isSendable()) throw new Error("no channel");

    const long = await failure(target.send("😀".repeat(2_001)));
    expect([long.status, long.code]).toEqual([400, 50035]);
    expect(long.rawError).toMatchObject({
      errors: { content: { _errors: [{ code: "BASE_TYPE_MAX_LENGTH" }] } },
    });
    await expect(target.send("😀".repeat(2_000))).resolves.toBeDefined();
    expect(await failure(target.send("  "))).toMatchObject({ code: 50006 });
    const [approve] = buttons.components;
    const twins = new ActionRowBuilder<ButtonBuilder>().addComponents(
      [approve, approve].filter((button) => button !== undefined),
    );
    const duplicate = await failure(target.send({ content: "x", components: [twins] }));
    expect(JSON.stringify(duplicate.rawError)).toContain("COMPONENT_CUSTOM_ID_DUPLICATED");
    const embeds = [{ description: "a".repeat(4_000) }, { description: "b".repeat(2_001) }];
    expect(JSON.stringify((await failure(target.send({ embeds }))).rawError)).toContain(
      "MAX_EMBED_SIZE_EXCEEDED",
    );
    expect(await failure(target.messages.edit(ann.send(channel, "hers").id, "mine"))).toMatchObject(
      { code: 50005 },
    );
    expect(await failure(target.messages.fetch(discord.applicationId))).toMatchObject({
      code: 10008,
    });
    expect(await failure(bot.client.channels.fetch(discord.applicationId))).toMatchObject({
      code: 10003,
    });
    ann.block();
    expect(await failure(bot.client.users.send(ann.id, "hello"))).toMatchObject({
      status: 403,
      code: 50007,
    });
    guild.denyBot(channel, 1n << 10n);
    expect(await failure(target.send("hello"))).toMatchObject({
      status: 403,
      code: 50001,
    });
    expect(discord.messages(direct)).toEqual([]);
  });

  test("a nonce is enforced once and ends with its window", async () => {
    await using discord = await DiscordServer.start();
    const { direct, ann } = scene(discord);
    await using bot = await TestClient.start(discord);
    const send = (nonce: string, content: string) =>
      bot.client.users.send(ann.id, { content, nonce, enforceNonce: true });
    const first = await send("entry-1", "one");
    const second = await send("entry-1", "two");
    const third = await send("entry-2", "three");
    expect(second.id).toBe(first.id);
    expect(third.id).not.toBe(first.id);
    expect(discord.messages(direct).map((message) => message.content)).toEqual(["one", "three"]);
    expect(await failure(send("n".repeat(26), "four"))).toMatchObject({
      code: 50035,
    });

    await using forgetful = await DiscordServer.start({ nonceWindowMs: 0 });
    const other = forgetful.user({ username: "cleo" });
    await using late = await TestClient.start(forgetful);
    for (const content of ["one", "two"])
      await late.client.users.send(other.id, {
        content,
        nonce: "entry-1",
        enforceNonce: true,
      });
    expect(forgetful.messages(forgetful.directMessage(other))).toHaveLength(2);
  });

  test("files go both ways with their bytes", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const errors = onMessage(bot.client, async (message) => {
      const [file] = message.attachments.values();
      const bytes = Buffer.from(await (await fetch(file?.url ?? "")).arrayBuffer());
      const attachment = Buffer.concat([bytes, Buffer.from(" back")]);
      await message.reply({
        content: "here",
        files: [{ attachment, name: "an answer.md", description: "why" }],
      });
    });
    ann.send(direct, "read this", {
      attachments: [
        {
          name: "note.txt",
          bytes: Buffer.from("there"),
          contentType: "text/plain",
        },
      ],
    });
    const { attachments } = await discord.waitForMessage(direct, "here").catch((late: unknown) => {
      expect(errors).toEqual([]);
      throw late;
    });
    expect(attachments).toMatchObject([{ name: "an_answer.md", description: "why" }]);
    expect(Buffer.from(attachments[0]?.bytes ?? []).toString()).toBe("there back");
    expect(errors).toEqual([]);
  });

  test("records a message that could ping, and an unknown route", async () => {
    await using discord = await DiscordServer.start();
    const { direct } = scene(discord);
    await rest(discord).post(`/channels/${direct.id}/messages`, {
      body: { content: "hi" },
    });
    await rest(discord).post(`/channels/${direct.id}/messages`, {
      body: { content: "hi", allowed_mentions: { parse: [] } },
    });
    expect(await failure(rest(discord).get("/voice/regions"))).toMatchObject({
      status: 404,
    });
    expect(discord.violations).toEqual([
      `POST /channels/${direct.id}/messages without allowed_mentions { parse: [] }`,
      "GET /voice/regions is no route of the emulator",
    ]);
  });

  test("pages, threads, reactions, webhooks and other bots", async () => {
    await using discord = await DiscordServer.start();
    const { ann, guild, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    const target = bot.client.channels.cache.get(channel.id);
    if (!target?.isSendable() || !("threads" in target)) throw new Error("no channel");
    const sent = await Promise.all(
      [1, 2, 3, 4].map((index) => target.send(`${discord.botMention} ${index}`)),
    );
    const ids = sent.map((message) => message.id).sort();
    const fetch = async (query: object) =>
      [...(await target.messages.fetch({ ...query, cache: false })).keys()].sort();
    expect(await fetch({ before: ids[2], limit: 1 })).toEqual([ids[1]]);
    expect(await fetch({ after: ids[0], limit: 2 })).toEqual([ids[1], ids[2]]);
    expect(await fetch({ around: ids[1], limit: 3 })).toEqual(ids.slice(0, 3));

    const thread = await target.threads.create({
      name: "side",
      startMessage: ids[0] ?? "",
    });
    expect(thread.id).toBe(ids[0]);
    await thread.send("in the thread");
    expect(discord.messages(thread.id)).toMatchObject([{ content: "in the thread" }]);
    await sent[0]?.react("👍");
    expect(discord.messages(channel).find(({ id }) => id === sent[0]?.id)?.reactions).toEqual({
      "👍": [discord.botUserId],
    });

    const heard: Message[] = [];
    onMessage(bot.client, async (message) => heard.push(message));
    const robot = discord.user({ username: "robot", bot: true });
    guild.add(robot);
    robot.send(channel, "beep", { mentionsBot: true });
    discord.sendAsWebhook(channel, "ci", "built");
    ann.send(guild.thread(channel, "other"), "in another thread");
    await expect.poll(() => heard.length).toBe(3);
    expect(
      heard.map((message) => [
        message.author.bot,
        message.webhookId !== null,
        message.channel.isThread(),
      ]),
    ).toEqual([
      [true, false, false],
      [true, true, false],
      [false, false, true],
    ]);
  });
});
