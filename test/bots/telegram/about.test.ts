import { describe, expect, it } from "vitest";
import { translate } from "../../../src/bots/telegram/receive/translate.ts";
import type { InboundCommand } from "../../../src/core/inbound.ts";
import {
  anna,
  ben,
  channel,
  forum,
  group,
  otherBot,
  privateChat,
  self,
} from "./payloads/people.ts";

const bot = {
  id: 700,
  username: "Parley_Bot",
  hasCommand: (name: string) => ["ban", "help"].includes(name),
  namesPeople: (name: string) => name === "ban",
};

/** What Telegram was asked: the group's and the person's number. */
const asked: (readonly [number, number])[] = [];
const context = {
  bot,
  nowMs: 1,
  files: { fetcher: () => () => Promise.resolve(new Uint8Array()) },
  groupAdmins: {
    has: (chatId: number, userId: number) => {
      asked.push([chatId, userId]);
      return Promise.resolve(true);
    },
  },
};

function command(fields: Record<string, unknown>): InboundCommand {
  const message = { message_id: 9, date: 1, chat: group, from: anna };
  const translation = translate({ update_id: 1, message: { ...message, ...fields } }, context);
  if (translation.type !== "arrival" || translation.inbound.type !== "command")
    throw new Error(`expected a command, not ${JSON.stringify(translation)}`);
  return translation.inbound;
}

const replied = (fields: Record<string, unknown>) => ({
  message_id: 7,
  date: 1,
  chat: group,
  text: "buy my things",
  ...fields,
});

describe("a command about someone", () => {
  it("is about who wrote the message that it answers", () => {
    const given = command({
      text: "/ban spam",
      reply_to_message: replied({ from: ben }),
    });
    expect(given).toMatchObject({
      name: "ban",
      argument: "spam",
      about: { id: `telegram:${ben.id}`, name: ben.first_name },
    });
  });

  it("is about the channel or group that speaks through a stand-in", () => {
    const given = command({
      text: "/ban",
      reply_to_message: replied({ from: otherBot, sender_chat: channel }),
    });
    expect(given.about).toMatchObject({
      id: `telegram:${channel.id}`,
      anonymous: true,
    });
  });

  it.each([
    ["a bot", replied({ from: otherBot })],
    ["this bot", replied({ from: self })],
    ["the topic's beginning", replied({ from: ben, forum_topic_created: {} })],
  ])("is not about %s", (_, reply_to_message) => {
    const chat = forum;
    expect(command({ text: "/ban", chat, reply_to_message }).about).toBe(undefined);
  });

  it("names by id who is mentioned and has no user name", () => {
    const text = "/ban Ben Bold for spam";
    const given = command({
      text,
      entities: [
        { type: "bot_command", offset: 0, length: 4 },
        { type: "text_mention", offset: 5, length: 8, user: ben },
      ],
    });
    expect(given.argument).toBe(`telegram:${ben.id} for spam`);
    expect(given.about?.id).toBe(`telegram:${ben.id}`);
  });

  it("leaves the words of every other command as they are", () => {
    const given = command({
      text: "/help Ben Bold",
      entities: [{ type: "text_mention", offset: 6, length: 8, user: ben }],
      reply_to_message: replied({ from: ben }),
    });
    expect(given.argument).toBe("Ben Bold");
    expect(given.about).toBeUndefined();
  });
});

describe("who administers the group", () => {
  it("is asked of Telegram by its own numbers, and only when someone wants to know", async () => {
    asked.length = 0;
    const given = command({ text: "/ban spam" });
    expect(asked).toEqual([]);
    expect(await given.isGroupAdmin?.()).toBe(true);
    expect(asked).toEqual([[group.id, anna.id]]);
  });

  it("can be asked for a tap too, and for nothing in a private chat", async () => {
    asked.length = 0;
    const tap = translate(
      {
        update_id: 1,
        callback_query: {
          id: "1",
          from: ben,
          data: "a:1",
          message: { message_id: 3, date: 1, chat: group },
        },
      },
      context,
    );
    if (tap.type !== "tap") throw new Error(tap.type);
    await tap.inbound.isGroupAdmin?.();
    expect(asked).toEqual([[group.id, ben.id]]);
    const direct = command({ text: "/ban", chat: privateChat });
    expect(direct.isGroupAdmin).toBeUndefined();
  });
});
