import {
  ButtonStyle,
  ComponentType,
  GatewayIntentBits,
  MessageFlags,
  PermissionFlagsBits,
} from "discord.js";
import { describe, expect, test } from "vitest";
import type { InboundMessage } from "../../../src/core/inbound.ts";
import type { AppMessage } from "../../emulators/discord/app-message.ts";
import { eventually, started, type Started } from "./harness.ts";

/** A bot that may read everything. */
const withIntent = {
  server: { privilegedIntents: [GatewayIntentBits.MessageContent] },
  deps: { settings: { messageContent: true, shards: 1 } },
} as const;

const alert: AppMessage = {
  embeds: [
    {
      title: "Alert",
      url: "https://alerts.example/1",
      author: { name: "monit", url: "https://monit.example" },
      fields: [
        { name: "Host", value: "prod-app-1" },
        { name: "Severity", value: "critical" },
      ],
      footer: { text: "eu-west" },
    },
  ],
};
const alertWords =
  "[monit](https://monit.example)\n[Alert](https://alerts.example/1)\nHost: prod-app-1\nSeverity: critical\neu-west";

const build: AppMessage = {
  flags: MessageFlags.IsComponentsV2,
  components: [
    {
      type: ComponentType.Container,
      components: [
        { type: ComponentType.TextDisplay, content: "# Build 42 failed" },
        {
          type: ComponentType.Section,
          components: [{ type: ComponentType.TextDisplay, content: "Step lint, exit 2" }],
          accessory: {
            type: ComponentType.Button,
            style: ButtonStyle.Link,
            label: "Log",
            url: "https://ci.example/42",
          },
        },
      ],
    },
  ],
};
const buildWords = "# Build 42 failed\nStep lint, exit 2\n[Log](https://ci.example/42)";

const kinds = [
  ["an embed", alert, alertWords],
  ["Components V2", build, buildWords],
] as const;

const messages = ({ ingress }: Started) =>
  ingress.arrived.filter((each): each is InboundMessage => each.type === "message");
const addressed = (here: Started) =>
  messages(here).filter(({ isAddressed }) => isAddressed !== false);

const asksFor = ({ discord }: Started, id: string) =>
  discord.calls.filter(({ path, method }) => method === "GET" && path.endsWith(`/messages/${id}`));

const openingOf = async (here: Started, at = 0) => {
  await eventually(() => addressed(here).length).toBeGreaterThan(at);
  return await addressed(here)[at]?.opening?.();
};

describe.each(kinds)("the words of %s", (_, content, text) => {
  test("are read in a reply, a forward and a menu", async () => {
    await using here = await started(withIntent);
    const { ann, channel, direct, discord } = here;
    const app = discord.sendAsWebhook(channel, "monit", "", content);
    ann.send(channel, "what does this say?", { replyTo: app.id, mentionsBot: true });
    await eventually(() => addressed(here)).toHaveLength(1);
    expect(addressed(here)[0]).toMatchObject({ quote: { author: "monit", text } });
    ann.forward(direct, app.id);
    await eventually(() => addressed(here)).toHaveLength(2);
    expect(addressed(here)[1]).toMatchObject({ text, isForwarded: true });
    const chosen = ann.menu(channel, "Ask about this", app.id);
    await chosen.acknowledged();
    await ann.fillIn(channel, chosen, { question: "Why?" }).response("> Why?");
    expect(addressed(here)[2]).toMatchObject({ text: "Why?", quote: { text } });
    expect(discord.violations).toEqual([]);
  });
});

test("a poll that a reply points at has its answers and votes", async () => {
  await using here = await started(withIntent);
  const { ann, ben, channel } = here;
  const poll = ben.send(channel, "", {
    poll: { question: "Lunch?", answers: ["Pizza", "Soup"], votes: [3, 0], hasEnded: true },
  });
  ann.send(channel, "so?", { replyTo: poll.id, mentionsBot: true });
  await eventually(() => addressed(here)).toHaveLength(1);
  expect(addressed(here)[0]?.quote?.text).toBe(
    "[poll: Lunch?]\n- Pizza: 3 votes\n- Soup: 0 votes\n[the poll has ended]",
  );
});

test("a sticker next to nothing but a mention gets the sentence about stickers", async () => {
  await using here = await started();
  const { ann, channel } = here;
  ann.send(channel, "", { mentionsBot: true, stickers: ["Wave"] });
  await eventually(() => addressed(here)).toHaveLength(1);
  const [sticker] = addressed(here)[0]?.attachments ?? [];
  const fetching = sticker?.fetch({ maxBytes: 1, signal: new AbortController().signal });
  await expect(fetching).rejects.toThrow("I can't see stickers");
});

test("a forward's archive doesn't hide its words", async () => {
  await using here = await started();
  const { ann, ben, channel, direct } = here;
  const zip = { name: "all.zip", bytes: Buffer.from("x"), contentType: "application/zip" };
  ann.forward(direct, ben.send(channel, "The logs", { attachments: [zip] }).id);
  ann.forward(direct, ben.send(channel, "", { attachments: [zip] }).id);
  await eventually(() => addressed(here)).toHaveLength(2);
  expect(addressed(here)[0]).toMatchObject({ text: "The logs\n[file: all.zip]" });
  expect(addressed(here)[0]?.attachments).toBeUndefined();
  // Nothing else is in it: the sentence about archives.
  expect(addressed(here)[1]?.attachments).toHaveLength(1);
});

describe("a reply whose message Discord leaves out", () => {
  test("is asked for once, in order", async () => {
    await using here = await started(withIntent);
    const { ann, ben, channel } = here;
    const asked = ben.send(channel, "The meeting is at nine", {
      attachments: [{ name: "plan.txt", bytes: Buffer.from("plan") }],
    });
    ann.send(channel, "where?", { replyTo: asked.id, mentionsBot: true, leavesOutAnswered: true });
    ann.send(channel, "and then?", { mentionsBot: true });
    await eventually(() => addressed(here)).toHaveLength(2);
    expect(addressed(here)).toMatchObject([
      {
        text: "where?",
        quote: { author: "ben", text: "The meeting is at nine\n[file: plan.txt]" },
        attachments: [{ name: "plan.txt" }],
      },
      { text: "and then?" },
    ]);
    expect(asksFor(here, asked.id)).toHaveLength(1);
  });

  test.each(["may not be read", "is gone", "is not answered for"])(
    "and that %s is said to be unreadable",
    async (why) => {
      await using here = await started(withIntent);
      const { ann, ben, channel, guild, discord } = here;
      const asked = ben.send(channel, "The meeting is at nine");
      const path = /\/messages\/\d+$/;
      if (why === "may not be read") guild.denyBot(channel, PermissionFlagsBits.ReadMessageHistory);
      else if (why === "is gone")
        discord.inject({ path, times: 99, kind: { type: "status", code: 404 } });
      else discord.inject({ path, times: 99, kind: { type: "hang" } });
      ann.send(channel, "where?", {
        replyTo: asked.id,
        leavesOutAnswered: true,
        mentionsBot: true,
      });
      await eventually(() => addressed(here)).toHaveLength(1);
      expect(addressed(here)[0]).toMatchObject({
        text: "where?",
        quote: { text: "[a message that can't be read]" },
      });
    },
  );

  test("is not asked for where no one asks the bot", async () => {
    await using here = await started(withIntent);
    const { ann, ben, channel } = here;
    const asked = ben.send(channel, "The meeting is at nine");
    ann.send(channel, "where?", { replyTo: asked.id, leavesOutAnswered: true });
    await eventually(() => messages(here)).toHaveLength(2);
    expect(messages(here)[1]?.quote).toBeUndefined();
    expect(asksFor(here, asked.id)).toEqual([]);
  });
});

describe("how a thread began is read", () => {
  test("for one that was started from a message", async () => {
    await using here = await started(withIntent);
    const { ann, ben, channel, guild, discord } = here;
    const picture = { name: "disk.png", bytes: Buffer.from("x"), contentType: "image/png" };
    const starter = ben.send(channel, "The disk is full", { attachments: [picture] });
    const thread = guild.threadFrom(starter, "Disk");
    ann.send(thread, "what could be the reason?", { mentionsBot: true });
    expect(await openingOf(here)).toMatchObject({
      title: "Disk",
      quote: {
        author: "ben",
        authorId: `discord:${ben.id}`,
        text: "The disk is full\n[file: disk.png]",
      },
      attachments: [{ name: "disk.png" }],
    });
    expect(discord.violations).toEqual([]);
  });

  test.each([false, true])(
    "for a post with its title and tags; media channel: %s",
    async (isMedia) => {
      await using here = await started(withIntent);
      const { ann, ben, guild } = here;
      const forum = guild.forum("help", { tags: ["ops", "web"], isMedia });
      const post = { title: "Disk full", content: "since nine", tags: ["ops"] };
      const thread = guild.post(forum, ben, post);
      ann.send(thread, "what could be the reason?", { mentionsBot: true });
      expect(await openingOf(here)).toMatchObject({
        title: "Disk full",
        tags: ["ops"],
        quote: { author: "ben", text: "since nine" },
        attachments: [],
      });
    },
  );

  test("for a post that asks the bot itself: its title", async () => {
    await using here = await started(withIntent);
    const { ann, guild, discord } = here;
    const forum = guild.forum("help");
    guild.post(forum, ann, { title: "Disk full", content: `${discord.botMention} why?` });
    expect(await openingOf(here)).toEqual({ title: "Disk full", attachments: [] });
  });

  test("as far as the bot may: without the history, or the intent, its title", async () => {
    await using here = await started(withIntent);
    const { ann, ben, channel, guild } = here;
    const thread = guild.threadFrom(ben.send(channel, "The disk is full"), "Disk");
    guild.denyBot(channel, PermissionFlagsBits.ReadMessageHistory);
    ann.send(thread, "why?", { mentionsBot: true });
    expect(await openingOf(here)).toEqual({ title: "Disk", attachments: [] });
    await using blind = await started();
    const starter = blind.ben.send(blind.channel, "The disk is full");
    const hidden = blind.guild.threadFrom(starter, "Disk");
    blind.ann.send(hidden, "why?", { mentionsBot: true });
    expect(await openingOf(blind)).toEqual({ title: "Disk", attachments: [] });
  });

  test("for /ask there, too, and for nothing outside of threads", async () => {
    await using here = await started(withIntent);
    const { ann, ben, channel, direct, guild } = here;
    const thread = guild.threadFrom(ben.send(channel, "The disk is full"), "Disk");
    await ann.slash(thread, "ask", { question: "why?" }).acknowledged();
    expect(await openingOf(here)).toMatchObject({ title: "Disk", quote: { author: "ben" } });
    ann.send(channel, "here?", { mentionsBot: true });
    ann.send(direct, "here?");
    await eventually(() => addressed(here)).toHaveLength(3);
    for (const message of addressed(here).slice(1)) expect(message).not.toHaveProperty("opening");
  });
});
