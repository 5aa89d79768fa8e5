import { once } from "node:events";
import {
  ApplicationCommandType,
  MessageFlags,
  SlashCommandBuilder,
  type ChatInputCommandInteraction,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { TestClient } from "./client.ts";
import { DiscordServer } from "./discord-server.ts";
import { ask, buttons, scene, onInteraction, onSlash, rest, failure } from "./scene.ts";

describe("commands and interactions", () => {
  test("registration is counted, kept and validated", async () => {
    await using discord = await DiscordServer.start();
    const { ann, guild, channel, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const { commands } = bot.client.application ?? {};
    expect(() => ann.slash(channel, "ask", { question: "?" })).toThrow(/No command ask/);
    await commands?.set([ask]);
    const { id } = discord.commands()[0] ?? {};
    await commands?.set([ask, { name: "Ask about this", type: ApplicationCommandType.Message }]);
    await commands?.set([{ ...ask, name: "only-here" }], guild.id);
    expect(discord.commandWrites).toEqual({
      put: 3,
      post: 0,
      patch: 0,
      delete: 0,
    });
    expect(discord.commands().map((command) => command.name)).toEqual(["ask", "Ask about this"]);
    expect(discord.commands()[0]?.id).toBe(id);
    expect(discord.commands(guild).map((command) => command.name)).toEqual(["only-here"]);
    expect((await commands?.fetch())?.size).toBe(2);
    expect(() => ann.slash(direct, "only-here", { question: "?" })).toThrow(/No command/);
    expect(() => ann.slash(channel, "ask")).toThrow(/needs its option question/);

    const put = (...body: unknown[]) =>
      rest(discord).put(`/applications/${discord.applicationId}/commands`, {
        body,
      });
    const option = { type: 3, name: "a", description: "a" };
    const refused = [
      { name: "Upper", description: "x" },
      { name: "no-description" },
      { name: "spaced out", description: "x" },
      {
        name: "order",
        description: "x",
        options: [option, { ...option, name: "b", required: true }],
      },
      {
        name: "many",
        description: "x",
        options: Array.from({ length: 26 }, (_, index) => ({
          ...option,
          name: `o${index}`,
        })),
      },
      { name: "menu", description: "x", type: ApplicationCommandType.Message },
      {
        name: "big",
        description: "x",
        options: Array.from({ length: 25 }, (_, index) => ({
          ...option,
          name: `o${index}`,
          choices: [1, 2, 3, 4].map((choice) => ({
            name: `${choice}`.repeat(50),
            value: `${choice}`.repeat(50),
          })),
        })),
      },
    ];
    for (const command of refused)
      expect(await failure(put(command)), command.name).toMatchObject({
        code: 50035,
      });
    expect(await failure(put(ask, ask))).toMatchObject({ code: 50035 });
    expect(discord.commands()).toHaveLength(2);
  });

  test("a slash command: deferred, filled, followed up", async () => {
    await using discord = await DiscordServer.start();
    const { ann, ben, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    await bot.client.application?.commands.set([ask]);
    const errors = onSlash(bot.client, async (interaction) => {
      await interaction.deferReply();
      await interaction.editReply(`answer to ${interaction.options.getString("question")}`);
      await interaction.followUp({
        content: "only you",
        flags: MessageFlags.Ephemeral,
      });
      expect((await interaction.fetchReply()).content).toBe("answer to why");
    });
    const handle = ann.slash(channel, "ask", { question: "why" });
    expect(await handle.acknowledged()).toMatchObject({ type: 5 });
    const followUp = await handle.response("only you");
    expect(followUp).toMatchObject({
      ephemeralFor: ann.id,
      interactionId: handle.id,
    });
    expect(handle.responses().map((message) => message.content)).toEqual([
      "answer to why",
      "only you",
    ]);
    expect(ann.messages(channel).map((message) => message.content)).toEqual([
      "answer to why",
      "only you",
    ]);
    expect(ben.messages(channel).map((message) => message.content)).toEqual(["answer to why"]);
    const target = bot.client.channels.cache.get(channel.id);
    if (!target?.isSendable()) throw new Error("no channel");
    expect(await failure(target.messages.fetch(followUp.id))).toMatchObject({
      code: 10008,
    });
    expect(errors).toEqual([]);
    expect(discord.violations).toEqual([]);
    expect(discord.calls.some((call) => call.path.endsWith("/messages/@original"))).toBe(true);
  });

  test("an ephemeral deferral stays ephemeral, and its first followup fills it", async () => {
    await using discord = await DiscordServer.start();
    const { ann, ben, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    await bot.client.application?.commands.set([ask]);
    const errors = onSlash(bot.client, async (interaction) => {
      await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      await interaction.followUp("private");
    });
    const handle = ann.slash(channel, "ask", { question: "why" });
    await handle.response("private");
    expect(handle.responses()).toMatchObject([
      { content: "private", ephemeralFor: ann.id, loading: false },
    ]);
    expect(ben.messages(channel)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test("autocomplete, a message menu and a user option carry what they should", async () => {
    await using discord = await DiscordServer.start();
    const { ann, ben, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    const allow = new SlashCommandBuilder().setName("admin").setDescription("Admin");
    allow.addSubcommand((sub) =>
      sub
        .setName("allow")
        .setDescription("Let in")
        .addUserOption((option) =>
          option.setName("person").setDescription("Who").setRequired(true),
        ),
    );
    await bot.client.application?.commands.set([
      ask,
      allow.toJSON(),
      { name: "Ask about this", type: ApplicationCommandType.Message },
    ]);
    const errors = onInteraction(bot.client, async (interaction) => {
      if (interaction.isAutocomplete()) {
        const { name, value } = interaction.options.getFocused(true);
        await interaction.respond([{ name: `${name} ${value}`, value: "gpt" }]);
      } else if (interaction.isMessageContextMenuCommand()) {
        await interaction.reply(`about ${interaction.targetMessage.content}`);
      } else if (interaction.isChatInputCommand()) {
        const person = interaction.options.getUser("person", true);
        await interaction.reply(
          `${interaction.options.getSubcommand()} ${person.username} ${interaction.memberPermissions?.has("Administrator")}`,
        );
      }
    });
    const typed = ann.autocomplete(channel, "ask", {
      focused: "model",
      value: "gp",
    });
    expect(await typed.acknowledged()).toMatchObject({
      type: 8,
      data: { choices: [{ name: "model gp", value: "gpt" }] },
    });
    const message = ben.send(channel, "unseen text");
    await ann.menu(channel, "Ask about this", message).response("about unseen text");
    await ann
      .slash(channel, "admin", { person: ben }, { subcommand: "allow" })
      .response("allow ben false");
    await ben
      .slash(channel, "admin", { person: ann }, { subcommand: "allow" })
      .response("allow ann true");
    expect(errors).toEqual([]);
  });

  test("a button of an ordinary message: pressed, updated, forged", async () => {
    await using discord = await DiscordServer.start();
    const { ann, ben, channel, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const errors = onInteraction(bot.client, async (interaction) => {
      if (!interaction.isButton()) return;
      if (interaction.customId !== "approve:1")
        await interaction.reply({
          content: "not allowed",
          flags: MessageFlags.Ephemeral,
        });
      else
        await interaction.update({
          content: `approved by ${interaction.user.username}`,
          components: [],
        });
    });
    for (const place of [channel, direct]) {
      const target = await bot.client.channels.fetch(place.id);
      if (!target?.isSendable()) throw new Error("no channel");
      const card = await target.send({
        content: "Run it?",
        components: [buttons],
      });
      const forged = ann.pressForged(place, card.id, "approve:2");
      await forged.response("not allowed");
      expect(() => ann.press(place, card.id, "Maybe")).toThrow(/No button Maybe/);
      const pressed = ann.press(place, card.id, "Approve");
      expect(await pressed.acknowledged()).toMatchObject({ type: 7 });
      await discord.waitForMessage(place, "approved by ann");
      expect(() => ann.press(place, card.id, "Approve")).toThrow(/No button Approve/);
    }
    expect(ben.messages(channel).map((message) => message.content)).toEqual(["approved by ann"]);
    expect(() => ben.messages(direct)).toThrow(/is not in channel/);
    expect(errors).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  test("late, double and expired answers: 10062, 40060, 50027", async () => {
    await using discord = await DiscordServer.start({
      interactionDeadlineMs: 300,
    });
    const { ann, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    await bot.client.application?.commands.set([ask]);
    const arrived = () =>
      once(bot.client, "interactionCreate") as Promise<[ChatInputCommandInteraction]>;

    const lateOne = arrived();
    const missed = ann.slash(channel, "ask", { question: "late" });
    await expect(missed.acknowledged()).rejects.toThrow(/never acknowledged/);
    const [late] = await lateOne;
    expect(await failure(late.reply("too late"))).toMatchObject({
      status: 404,
      code: 10062,
    });
    expect(discord.violations).toEqual([
      `interaction ${missed.id} (ask) not acknowledged within 300 ms`,
    ]);

    const promptOne = arrived();
    const handle = ann.slash(channel, "ask", { question: "prompt" });
    const [prompt] = await promptOne;
    await prompt.reply("in time");
    const again = rest(discord).post(`/interactions/${prompt.id}/${prompt.token}/callback`, {
      body: { type: 5 },
      auth: false,
    });
    expect(await failure(again)).toMatchObject({ status: 400, code: 40060 });
    discord.expireInteraction(handle);
    expect(await failure(prompt.editReply("after 15 minutes"))).toMatchObject({
      status: 401,
      code: 50027,
    });
    expect(handle.responses()).toMatchObject([{ content: "in time" }]);
  });
});
