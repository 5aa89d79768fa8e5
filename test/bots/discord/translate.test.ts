import { ChannelType, MessageType, PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { byName } from "../../../src/bots/keyed-queue/priority.ts";
import { interactionSchema, messageSchema } from "../../../src/bots/discord/receive/payloads.ts";
import { placeOf } from "../../../src/bots/discord/receive/place.ts";
import { quoted } from "../../../src/bots/discord/receive/quoted.ts";
import { translateInteraction } from "../../../src/bots/discord/receive/translate-interaction.ts";
import { localeFor } from "../../../src/locales/locale-for.ts";
import {
  addressing,
  isTypedCommand,
  translateEdit,
  translateMessage,
} from "../../../src/bots/discord/receive/translate-message.ts";

const botId = "100000000000000001";
const bot = { id: botId, username: "parley", bot: true };
const ann = { id: "200000000000000002", username: "ann", global_name: "Ann" };
const commands = byName([
  { name: "stop", description: "Stop", aliases: ["cancel"] },
  { name: "status", description: "Status" },
  {
    name: "tier",
    description: "Tier",
    arguments: [
      { name: "tier", description: "Which", required: false },
      { name: "for", description: "Whose", required: false },
    ],
  },
  { name: "retry", description: "Again", startsTurn: true },
  { name: "export", description: "A file", sendsFiles: true },
]);
const atMs = 1;
const fetchFile = () => Promise.reject(new Error("nothing is fetched here"));
const base = { botId, commands, atMs, fetchFile };

const message = (changes: Record<string, unknown> = {}) =>
  messageSchema.parse({
    id: "5",
    channel_id: "7",
    guild_id: "9",
    type: MessageType.Default,
    author: ann,
    member: { nick: null },
    content: "",
    mentions: [],
    ...changes,
  });

describe("which messages are for the bot", () => {
  test.each<[string, boolean, Record<string, unknown>]>([
    ["chatter that Discord hides", false, {}],
    ["a direct message", true, { guild_id: undefined }],
    ["a mention", true, { mentions: [bot] }],
    ["a mention of somebody else", false, { mentions: [ann] }],
    ["a reply to the bot", true, { type: MessageType.Reply, referenced_message: { author: bot } }],
    [
      "a reply to a person",
      false,
      { type: MessageType.Reply, referenced_message: { author: ann } },
    ],
    ["a reply to something deleted", false, { type: MessageType.Reply, referenced_message: null }],
    ["another bot's mention", false, { author: { ...ann, bot: true }, mentions: [bot] }],
    ["its own direct message", false, { author: bot, guild_id: undefined }],
    ["a webhook's mention", false, { webhook_id: "3", mentions: [bot] }],
    ["a join notice", false, { type: MessageType.UserJoin, mentions: [bot] }],
    [
      "a pin notice in private",
      false,
      { type: MessageType.ChannelPinnedMessage, guild_id: undefined },
    ],
    ["a thread's first line", false, { type: MessageType.ThreadStarterMessage, mentions: [bot] }],
    [
      "a forward that Discord hides",
      false,
      { message_reference: { type: 1 }, message_snapshots: [] },
    ],
    ["a type that is not invented yet", false, { type: 999, mentions: [bot] }],
    [
      "an announcement of Discord's own account",
      false,
      { guild_id: undefined, author: { ...ann, system: true } },
    ],
  ])("%s: %s", (_name, isFor, changes) => {
    const expected = isFor ? "addressed" : "never";
    expect(addressing(message(changes), botId)).toBe(expected);
  });

  test.each([
    { content: "chatter" },
    { content: "@everyone", mention_everyone: true },
    { attachments: [{ filename: "a.png", size: 1, url: "https://x.test" }] },
    { message_snapshots: [{ message: { content: "copied" } }] },
    { poll: { question: { text: "Lunch?" }, answers: [] } },
  ])("what others write to each other is told apart: %j", (changes) => {
    expect(addressing(message(changes), botId)).toBe("unaddressed");
  });
});

test.each([
  ["an app wrote in a person's name", { application_id: "9" }],
  ["says that it is a forward", { message_reference: { type: 1 } }],
])("what %s is no command, no decision and no edit", (_name, changes) => {
  const context = { ...base, place: { chat: "1" } };
  const given = message({
    content: "/stop",
    guild_id: undefined,
    edited_timestamp: "2026-01-01T00:00:00Z",
    ...changes,
  });
  expect(translateMessage(given, context)).toMatchObject({
    type: "message",
    text: "/stop",
    isForwarded: true,
  });
  expect(isTypedCommand(given, context)).toBe(false);
  expect(translateEdit(given, context)).toBeUndefined();
});

test.each([
  ["", ""],
  ["so?", "\n\nso?"],
])("a poll is read as a forward is, next to %j", (content, after) => {
  const poll = {
    question: { text: "Lunch?" },
    answers: [{ answer_id: 1, poll_media: { text: "Pizza" } }],
  };
  const given = message({ guild_id: undefined, content, poll, sticker_items: [{ name: "Wave" }] });
  const read = translateMessage(given, { ...base, place: { chat: "1" } });
  expect(read).toMatchObject({
    type: "message",
    text: `[poll: Lunch?]\n- Pizza${after}`,
    isForwarded: true,
  });
  expect(read).not.toHaveProperty("attachments");
});

const file = (filename: string) => ({ filename, size: 1, url: `https://x.test/${filename}` });

const readReply = (referenced: object, answersLast = false) =>
  translateMessage(
    message({
      guild_id: undefined,
      type: MessageType.Reply,
      content: "so?",
      attachments: [file("own.png")],
      referenced_message: { id: "4", author: ann, ...referenced },
    }),
    { ...base, place: { chat: "1" }, answersLast },
  );
const pointed = (inbound: ReturnType<typeof readReply>) =>
  (inbound?.type === "message" ? (inbound.attachments ?? []) : []).map(({ name, pointedAt }) => [
    name,
    pointedAt,
  ]);

describe("the files of a message that is answered", () => {
  test("say where they are from, so that the conversation shows them once", () => {
    expect(pointed(readReply({ attachments: [file("a.png"), file("a.zip")] }))).toEqual([
      ["own.png", undefined],
      ["a.png", { messageId: "4" }],
    ]);
  });

  test("are also those of a forward", () => {
    const snapshot = { message: { content: "", attachments: [file("b.png")] } };
    expect(pointed(readReply({ message_snapshots: [snapshot] }))).toEqual([
      ["own.png", undefined],
      ["b.png", { messageId: "4" }],
    ]);
  });

  test("hold the bot's answer, unless it's the last one", () => {
    const answer = { author: bot, attachments: [file("answer.md"), file("plot.png")] };
    expect(pointed(readReply(answer))).toEqual([
      ["own.png", undefined],
      ["answer.md", { messageId: "4", isAnswer: true }],
      ["plot.png", { messageId: "4" }],
    ]);
    expect(pointed(readReply(answer, true))).toEqual([["own.png", undefined]]);
    expect(pointed(readReply({ ...answer, author: ann })).at(1)).toEqual([
      "answer.md",
      { messageId: "4" },
    ]);
  });
});

test("an invitation to an activity is read", () => {
  const given = message({
    guild_id: undefined,
    activity: { type: 1, party_id: "x" },
    application: { id: "3", name: "Chess" },
    application_id: "3",
  });
  expect(translateMessage(given, { ...base, place: { chat: "1" } })).toMatchObject({
    text: "[activity: Chess]",
    isForwarded: true,
  });
});

describe("a message's words", () => {
  const mentions = [bot, ann, { id: "3", username: "ben", member: { nick: "Benny" } }];
  test.each([
    [`<@${botId}> hello`, "hello"],
    [`  <@!${botId}>, hello`, "hello"],
    [`hello <@${botId}>`, "hello"],
    [`<@${botId}> <@${botId}>`, ""],
    [`hello <@${botId}> <@!${botId}> `, "hello"],
    [`<@${botId}>`, ""],
    [`ask <@${botId}> to greet <@3> and <@${ann.id}>`, "ask @parley to greet @Benny and @Ann"],
    ["<@4> <#5> <@&6>", "<@4> <#5> <@&6>"],
    ["", ""],
    [`<@${botId}>\n\`\`\`js\n1\n\`\`\``, "```js\n1\n```"],
  ])("%j reads %j", (content, text) => {
    const context = { ...base, place: { chat: "7" } };
    expect(
      translateMessage(message({ content, mentions, guild_id: undefined }), context),
    ).toMatchObject({ type: "message", text });
  });

  test.each([
    ["/stop", { type: "command", name: "stop", argument: "" }],
    ["/Stop  it\nnow", { type: "command", name: "stop", argument: "it\nnow" }],
    ["/ask  why?", { type: "message", text: "why?" }],
    ["/ask", { type: "message", text: "" }],
    ["/stopp", { type: "message", text: "/stopp" }],
    ["/etc/hosts is broken", { type: "message", text: "/etc/hosts is broken" }],
    ["see /stop", { type: "message", text: "see /stop" }],
  ])("%j is %j", (content, expected) => {
    const context = { ...base, place: { chat: "7" } };
    expect(translateMessage(message({ content, guild_id: undefined }), context)).toMatchObject(
      expected,
    );
  });

  test("changed in a typed /ask are the question's", () => {
    const edit = translateEdit(
      message({
        content: `<@${botId}> /ask why not?`,
        edited_timestamp: "2026-11-20T12:00:00.000000+00:00",
      }),
      { ...base, place: { chat: "7" } },
    );
    expect(edit).toMatchObject({ type: "edit", text: "why not?" });
  });

  test.each([
    [{ member: { nick: "Annie" } }, "Annie"],
    [{ member: { nick: null } }, "Ann"],
    [{ author: { ...ann, global_name: null } }, "ann"],
  ])("%j is called %s", (changes, name) => {
    const context = {
      ...base,
      place: { chat: "7", thread: "8" },
    };
    const inbound = translateMessage(message({ ...changes, mentions: [bot] }), context);
    expect(inbound?.person.name).toBe(name);
    expect(inbound?.address).toEqual({
      platform: "discord",
      bot: botId,
      chat: "7",
      thread: "8",
    });
  });
});

test.each([
  [{ id: "1", type: ChannelType.GuildText, parentId: "2" }, { chat: "1" }],
  [
    { id: "1", type: ChannelType.PublicThread, parentId: "2" },
    { chat: "2", thread: "1" },
  ],
  [
    { id: "1", type: ChannelType.PrivateThread, parentId: "2" },
    { chat: "2", thread: "1" },
  ],
  [{ id: "1", type: ChannelType.PublicThread, parentId: null }, { chat: "1" }],
  [{ id: "1", type: ChannelType.DM }, { chat: "1" }],
])("the place of %j is %j", (channel, place) => {
  expect(placeOf(channel)).toEqual(place);
});

describe("interactions", () => {
  const interaction = (changes: Record<string, unknown>) =>
    interactionSchema.parse({
      id: "5",
      application_id: "6",
      token: "t",
      type: 2,
      guild_id: "9",
      channel_id: "7",
      channel: { id: "7", type: ChannelType.GuildText, parent_id: "8" },
      member: { nick: "Annie", user: ann },
      locale: "de",
      data: {},
      ...changes,
    });
  const asked = (changes: Record<string, unknown>) =>
    translateInteraction(interaction(changes), {
      ...base,
      pointed: { recall: () => undefined },
      references: { opening: () => ({}) },
    });
  const ask = {
    data: {
      name: "ask",
      options: [{ name: "question", type: 3, value: "Why?" }],
    },
  };

  test.each<[string, Record<string, unknown>, unknown]>([
    [
      "/ask",
      ask,
      {
        type: "question",
        inbound: {
          type: "message",
          id: "i5",
          text: "Why?",
          answersItself: true,
          address: { chat: "7" },
        },
      },
    ],
    [
      "/ask in a thread",
      {
        ...ask,
        channel: { id: "7", type: ChannelType.PublicThread, parent_id: "8" },
      },
      { type: "question", inbound: { address: { chat: "8", thread: "7" } } },
    ],
    ["/ask where it cannot write", { ...ask, app_permissions: "0" }, { type: "nothing" }],
    [
      "/ask where it can",
      {
        ...ask,
        app_permissions: (
          PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages
        ).toString(),
      },
      { type: "question" },
    ],
    [
      "/ask in private, where Discord does not name the right to write",
      {
        ...ask,
        guild_id: undefined,
        member: undefined,
        user: ann,
        context: 1,
        app_permissions: "442368",
      },
      { type: "question" },
    ],
    ["/ask between two people", { ...ask, context: 2 }, { type: "nothing" }],
    [
      "a command in private",
      {
        data: { name: "stop" },
        guild_id: undefined,
        member: undefined,
        user: ann,
        context: 1,
      },
      {
        type: "command",
        inbound: {
          name: "stop",
          argument: "",
          answersItself: true,
          direct: true,
          person: { name: "Ann", language: "de" },
        },
      },
    ],
    [
      "a command with a sub-command",
      {
        data: {
          name: "stop",
          options: [
            {
              name: "all",
              options: [
                { name: "n", value: 3 },
                { name: "x", value: true },
              ],
            },
          ],
        },
      },
      {
        type: "command",
        inbound: {
          argument: "all 3 true",
          direct: false,
          person: { name: "Annie" },
        },
      },
    ],
    [
      "a command whose options were filled in from the end",
      {
        data: {
          name: "tier",
          options: [
            { name: "for", value: "chat" },
            { name: "tier", value: "smart" },
          ],
        },
      },
      {
        type: "command",
        startsTurn: false,
        inbound: {
          argument: "smart chat",
          options: { tier: "smart", for: "chat" },
        },
      },
    ],
    [
      "a command with its last option alone",
      { data: { name: "tier", options: [{ name: "for", value: "chat" }] } },
      {
        type: "command",
        inbound: { argument: "chat", options: { for: "chat" } },
      },
    ],
    [
      "a command without any option",
      { data: { name: "tier" } },
      { type: "command", inbound: { argument: "", options: {} } },
    ],
    [
      "a command that sends files, where it may write only",
      {
        data: { name: "export" },
        app_permissions: (
          PermissionFlagsBits.ViewChannel | PermissionFlagsBits.SendMessages
        ).toString(),
      },
      {
        type: "nothing",
        text: localeFor("de").discord.mayNotAttach,
      },
    ],
    [
      "a command that sends files, where it may attach, but not write",
      {
        data: { name: "export" },
        app_permissions: (
          PermissionFlagsBits.ViewChannel | PermissionFlagsBits.AttachFiles
        ).toString(),
      },
      { type: "nothing" },
    ],
    [
      "a command that sends files, where it may do both",
      {
        data: { name: "export" },
        app_permissions: (
          PermissionFlagsBits.ViewChannel |
          PermissionFlagsBits.SendMessages |
          PermissionFlagsBits.AttachFiles
        ).toString(),
      },
      { type: "command", inbound: { name: "export" } },
    ],
    [
      "a command that starts a turn",
      { data: { name: "retry" } },
      { type: "command", startsTurn: true, inbound: { name: "retry" } },
    ],
    [
      "a command that starts a turn, where it cannot write",
      { data: { name: "retry" }, app_permissions: "0" },
      { type: "nothing" },
    ],
    [
      "any other command where it cannot write",
      { data: { name: "status" }, app_permissions: "0" },
      { type: "command" },
    ],
    ["a command of old", { data: { name: "gone" } }, { type: "nothing" }],
    ["a user menu", { data: { name: "stop", type: 2 } }, { type: "nothing" }],
    [
      "a button",
      {
        type: 3,
        data: { custom_id: "a:1", component_type: 2 },
        message: { id: "44" },
      },
      {
        type: "tap",
        inbound: { type: "tap", id: "i5", data: "a:1", messageId: "44" },
      },
    ],
    [
      "a menu of choices",
      { type: 3, data: { custom_id: "a:1", component_type: 3 } },
      { type: "nothing" },
    ],
    ["someone typing", { type: 4, data: { name: "ask" } }, { type: "suggestions" }],
    ["a form", { type: 5, data: { custom_id: "x" } }, { type: "nothing" }],
    ["a type that is not invented yet", { type: 99 }, { type: "nothing" }],
    ["data of the wrong shape", { data: [] }, { type: "nothing" }],
    ["nobody", { ...ask, member: undefined }, { type: "nothing" }],
  ])("%s", (_name, changes, expected) => {
    expect(asked(changes)).toMatchObject(expected as object);
  });
});

test.each([
  ["Why?", "> Why?"],
  ["a\nb", "> a\n> b"],
  ["x".repeat(300), `> ${"x".repeat(300)}`],
  ["x".repeat(301), `> ${"x".repeat(300)}…`],
  [`${"x".repeat(299)}👩‍👩‍👧`, `> ${"x".repeat(299)}…`],
  ["", "> …"],
])("a question is quoted", (question, quote) => {
  expect(quoted(question)).toBe(quote);
});
