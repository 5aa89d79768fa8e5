import type { Chat, Message, Update, User } from "@grammyjs/types";
import { describe, expect, it } from "vitest";
import { addressedToBot } from "../../../src/bots/telegram/receive/addressed.ts";
import {
  translate,
  type Translation,
} from "../../../src/bots/telegram/receive/translate.ts";
import { PermanentError } from "../../../src/core/errors.ts";

const bot = {
  id: 700,
  username: "Parley_Bot",
  hasCommand: (name: string) => name === "help",
};
const self: User = { id: 700, is_bot: true, first_name: "Parley" };
const anna: User = {
  id: 5,
  is_bot: false,
  first_name: "Anna",
  last_name: "Bell",
  username: "anna",
  language_code: "pt-br",
};
const otherBot: User = { id: 6, is_bot: true, first_name: "Robot" };
const privateChat: Chat = { id: 5, type: "private", first_name: "Anna" };
const group: Chat = { id: -100, type: "supergroup", title: "Team" };
const forum: Chat = { ...group, is_forum: true };
const channel: Chat = {
  id: -200,
  type: "channel",
  title: "News",
  username: "news",
};
const nowMs = 1_700_000_000_000;

function read(update: Omit<Update, "update_id">): Translation {
  return translate({ update_id: 1, ...update }, bot, nowMs);
}

/** A message of Anna's to the bot alone, unless the fields say otherwise. */
function readMessage(fields: Record<string, unknown>): Translation {
  const message = {
    message_id: 9,
    date: 1_600_000_000,
    chat: privateChat,
    from: anna,
    ...fields,
  };
  return read({ message: message as never });
}

function arrival(translation: Translation) {
  if (translation.type !== "arrival")
    throw new Error(`expected an arrival, not ${translation.type}`);
  return translation.inbound;
}

const mention = (offset: number) => [
  { type: "mention", offset, length: "@parley_bot".length },
];

describe("a message in a private chat", () => {
  it("becomes a message with all that is known of it", () => {
    expect(readMessage({ text: "Hello" })).toEqual({
      type: "arrival",
      inbound: {
        type: "message",
        id: "m9",
        messageId: "9",
        address: { platform: "telegram", bot: "700", chat: "5" },
        person: {
          id: "telegram:5",
          name: "Anna Bell",
          username: "anna",
          language: "pt-br",
        },
        direct: true,
        atMs: nowMs,
        text: "Hello",
      },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a caption", { photo: [], caption: "What is it?" }, "What is it?"],
    ["a path that is no command", { text: "/etc/passwd" }, "/etc/passwd"],
    ["another bot's command", { text: "/help@other_bot" }, "/help@other_bot"],
    [
      "a forwarded command",
      {
        text: "/stop",
        forward_origin: { type: "hidden_user", sender_user_name: "x", date: 1 },
      },
      "/stop",
    ],
    ["words through another bot", { text: "cat", via_bot: otherBot }, "cat"],
    ["only the bot's name", { text: "@parley_bot", entities: mention(0) }, ""],
    [
      "a reply",
      { text: "yes", reply_to_message: { message_id: 1, from: self } },
      "yes",
    ],
    ["a number in the style of a command", { text: "/ 2" }, "/ 2"],
  ])("%s is a message", (_, fields, text) => {
    expect(arrival(readMessage(fields))).toMatchObject({
      type: "message",
      text,
    });
  });

  it.each<[string, string, string]>([
    ["/help", "help", ""],
    ["/HELP  me  please ", "help", "me  please"],
    ["/help@parley_bot me", "help", "me"],
    ["/help\nme", "help", "me"],
    ["/start payload_1", "start", "payload_1"],
    ["/unheard_of 1", "unheard_of", "1"],
  ])("%j is a command", (text, name, argument) => {
    expect(arrival(readMessage({ text }))).toEqual(
      expect.objectContaining({
        type: "command",
        name,
        argument,
        answersItself: false,
        messageId: "9",
      }),
    );
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["a short text", { text: "a" }, undefined],
    ["a long paste", { text: "a".repeat(4_096) }, "paste"],
    ["4,000 units", { text: "a".repeat(4_000) }, "paste"],
    ["fewer", { text: "a".repeat(3_999) }, undefined],
    ["an album", { photo: [], caption: "a", media_group_id: "77" }, "77"],
  ])("%s has the right burst", (_, fields, burst) => {
    const inbound = arrival(readMessage(fields));
    expect("burst" in inbound ? inbound.burst : undefined).toBe(burst);
  });

  it("keeps topics apart", () => {
    const inbound = arrival(
      readMessage({ text: "a", message_thread_id: 3, is_topic_message: true }),
    );
    expect(inbound.address.thread).toBe("3");
  });

  it.each([
    "sticker",
    "photo",
    "voice",
    "video_note",
    "location",
    "poll",
    "document",
    "rich_message",
  ])("a %s without words is noticed", (kind) => {
    expect(readMessage({ [kind]: {} })).toEqual({
      type: "wordless",
      address: { platform: "telegram", bot: "700", chat: "5" },
      messageId: "9",
    });
  });
});

describe("a message in a group", () => {
  const inGroup = (fields: Record<string, unknown>) =>
    readMessage({ chat: group, ...fields });

  it.each<[string, Record<string, unknown>, string]>([
    ["a mention", { text: "@parley_bot hi", entities: mention(0) }, "hi"],
    [
      "a mention with a comma",
      { text: "@parley_bot, hi", entities: mention(0) },
      "hi",
    ],
    [
      "a mention at the end",
      { text: "hi @Parley_Bot", entities: mention(3) },
      "hi",
    ],
    [
      "a mention within a sentence",
      { text: "is @parley_bot clever?", entities: mention(3) },
      "is @parley_bot clever?",
    ],
    [
      "two mentions",
      {
        text: "@parley_bot @parley_bot hi",
        entities: [...mention(0), ...mention(12)],
      },
      "hi",
    ],
    [
      "a mention without a name",
      {
        text: "Parley hi",
        entities: [{ type: "text_mention", offset: 0, length: 6, user: self }],
      },
      "hi",
    ],
    [
      "a mention in a caption",
      { photo: [], caption: "@parley_bot this", caption_entities: mention(0) },
      "this",
    ],
    ["only a mention", { text: "@parley_bot", entities: mention(0) }, ""],
    [
      "a reply to the bot",
      { text: "yes", reply_to_message: { message_id: 1, from: self } },
      "yes",
    ],
  ])("%s is for the bot", (_, fields, text) => {
    expect(arrival(inGroup(fields))).toMatchObject({
      type: "message",
      text,
      direct: false,
      address: { chat: "-100" },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["one of ours", { text: "/help me" }, "help"],
    ["one by name", { text: "/dance@parley_bot" }, "dance"],
    [
      "one behind a mention",
      { text: "@parley_bot /dance", entities: mention(0) },
      "dance",
    ],
  ])("a command, %s, is for the bot", (_, fields, name) => {
    expect(arrival(inGroup(fields))).toMatchObject({
      type: "command",
      name,
      chatTitle: "Team",
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["talk", { text: "hello all" }],
    ["another's command", { text: "/dance" }],
    ["another bot's command", { text: "/help@other_bot" }],
    [
      "another's mention",
      { text: "@anna", entities: [{ type: "mention", offset: 0, length: 5 }] },
    ],
    [
      "a longer name",
      {
        text: "@parley_bots",
        entities: [{ type: "mention", offset: 0, length: 12 }],
      },
    ],
    [
      "the name as code",
      {
        text: "@parley_bot",
        entities: [{ type: "code", offset: 0, length: 11 }],
      },
    ],
    [
      "a reply to somebody",
      { text: "yes", reply_to_message: { message_id: 1, from: anna } },
    ],
    ["a sticker", { sticker: {} }],
    [
      "a forwarded mention",
      {
        text: "@parley_bot hi",
        entities: mention(0),
        forward_origin: { type: "user", sender_user: anna, date: 1 },
      },
    ],
    [
      "a channel's post copied into the group",
      {
        text: "@parley_bot",
        entities: mention(0),
        from: { id: 777_000, is_bot: false, first_name: "Telegram" },
        sender_chat: channel,
        is_automatic_forward: true,
      },
    ],
    [
      "talk in a topic that the bot opened",
      {
        chat: forum,
        text: "hello",
        message_thread_id: 4,
        is_topic_message: true,
        reply_to_message: {
          message_id: 4,
          from: self,
          forum_topic_created: { name: "a", icon_color: 1 },
        },
      },
    ],
    ["a bot", { text: "/help", from: otherBot }],
  ])("%s is not for the bot", (_, fields) => {
    expect(inGroup(fields)).toEqual({ type: "nothing" });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "an anonymous admin",
      {
        from: {
          id: 1_087_968_824,
          is_bot: true,
          first_name: "Group",
          username: "GroupAnonymousBot",
        },
        sender_chat: group,
        author_signature: "boss",
      },
      { id: "telegram:-100", name: "boss", anonymous: true },
    ],
    [
      "an anonymous admin without a chat",
      { from: { id: 1_087_968_824, is_bot: true, first_name: "Group" } },
      { id: "telegram:1087968824", name: "Group", anonymous: true },
    ],
    [
      "a channel",
      {
        from: { id: 136_817_688, is_bot: true, first_name: "Channel" },
        sender_chat: channel,
      },
      { id: "telegram:-200", name: "News", username: "news", anonymous: true },
    ],
    [
      "nobody but a chat",
      { from: undefined, sender_chat: group },
      { id: "telegram:-100", name: "Team", anonymous: true },
    ],
    [
      "somebody without a name",
      { from: { id: 8, is_bot: false, first_name: "" } },
      { id: "telegram:8", name: "Somebody" },
    ],
  ])("%s is named as what it is", (_, fields, person) => {
    const inbound = arrival(inGroup({ text: "/help", ...fields }));
    expect(inbound.person).toEqual(person);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["no topic", {}, undefined],
    ["a thread of replies", { message_thread_id: 3 }, undefined],
    [
      "a topic",
      { chat: forum, message_thread_id: 3, is_topic_message: true },
      "3",
    ],
    ["the General topic", { chat: forum }, "1"],
  ])("in %s has the right thread", (_, fields, thread) => {
    const inbound = arrival(inGroup({ text: "/help", ...fields }));
    expect(inbound.address.thread).toBe(thread);
  });
});

/** Every other kind of update and of message; typed, so that a new kind asks to be looked at. */
const otherUpdates: Record<
  Exclude<keyof Update, "update_id" | "message" | "callback_query">,
  unknown
> = {
  edited_message: {
    message_id: 9,
    date: 1,
    edit_date: 2,
    chat: privateChat,
    from: anna,
    text: "a",
  },
  channel_post: {
    message_id: 9,
    date: 1,
    chat: channel,
    sender_chat: channel,
    text: "/help",
  },
  edited_channel_post: {
    message_id: 9,
    date: 1,
    edit_date: 2,
    chat: channel,
    text: "/help",
  },
  business_connection: {
    id: "1",
    user: anna,
    user_chat_id: 5,
    date: 1,
    is_enabled: true,
  },
  business_message: {
    message_id: 9,
    date: 1,
    chat: privateChat,
    from: anna,
    text: "a",
  },
  edited_business_message: {
    message_id: 9,
    date: 1,
    chat: privateChat,
    from: anna,
    text: "a",
  },
  deleted_business_messages: {
    business_connection_id: "1",
    chat: privateChat,
    message_ids: [1],
  },
  guest_message: {
    message_id: 9,
    date: 1,
    chat: group,
    from: anna,
    text: "@parley_bot a",
  },
  stopped_message_generation: { chat: privateChat, draft_id: 1 },
  message_reaction: {
    chat: privateChat,
    message_id: 1,
    user: anna,
    date: 1,
    old_reaction: [],
    new_reaction: [],
  },
  message_reaction_count: {
    chat: group,
    message_id: 1,
    date: 1,
    reactions: [],
  },
  inline_query: { id: "1", from: anna, query: "a", offset: "" },
  chosen_inline_result: { result_id: "1", from: anna, query: "a" },
  shipping_query: {
    id: "1",
    from: anna,
    invoice_payload: "a",
    shipping_address: {},
  },
  pre_checkout_query: {
    id: "1",
    from: anna,
    currency: "XTR",
    total_amount: 1,
    invoice_payload: "a",
  },
  purchased_paid_media: { from: anna, paid_media_payload: "a" },
  poll: { id: "1", question: "a", options: [], total_voter_count: 0 },
  poll_answer: { poll_id: "1", user: anna, option_ids: [0] },
  my_chat_member: {
    chat: privateChat,
    from: anna,
    date: 1,
    old_chat_member: {},
    new_chat_member: {},
  },
  chat_member: {
    chat: group,
    from: anna,
    date: 1,
    old_chat_member: {},
    new_chat_member: {},
  },
  chat_join_request: { chat: group, from: anna, user_chat_id: 5, date: 1 },
  chat_boost: { chat: group, boost: {} },
  removed_chat_boost: {
    chat: group,
    boost_id: "1",
    remove_date: 1,
    source: {},
  },
  managed_bot: {},
  subscription: {},
};

const serviceMessages: (keyof Message)[] = [
  "new_chat_members",
  "left_chat_member",
  "new_chat_title",
  "new_chat_photo",
  "delete_chat_photo",
  "group_chat_created",
  "supergroup_chat_created",
  "channel_chat_created",
  "message_auto_delete_timer_changed",
  "migrate_to_chat_id",
  "migrate_from_chat_id",
  "pinned_message",
  "invoice",
  "successful_payment",
  "refunded_payment",
  "users_shared",
  "chat_shared",
  "connected_website",
  "write_access_allowed",
  "passport_data",
  "proximity_alert_triggered",
  "boost_added",
  "chat_background_set",
  "forum_topic_created",
  "forum_topic_edited",
  "forum_topic_closed",
  "forum_topic_reopened",
  "general_forum_topic_hidden",
  "general_forum_topic_unhidden",
  "giveaway_created",
  "giveaway",
  "giveaway_winners",
  "giveaway_completed",
  "gift",
  "unique_gift",
  "gift_upgrade_sent",
  "paid_message_price_changed",
  "direct_message_price_changed",
  "video_chat_scheduled",
  "video_chat_started",
  "video_chat_ended",
  "video_chat_participants_invited",
  "web_app_data",
  "checklist_tasks_done",
  "checklist_tasks_added",
  "chat_owner_left",
  "chat_owner_changed",
  "managed_bot_created",
  "poll_option_added",
  "poll_option_deleted",
  "suggested_post_info",
];

describe("everything else", () => {
  it.each(Object.entries(otherUpdates))("%s is left alone", (kind, content) => {
    expect(read({ [kind]: content })).toEqual({ type: "nothing" });
  });

  it.each(serviceMessages)("the service message %s is left alone", (kind) => {
    for (const chat of [privateChat, group])
      expect(readMessage({ chat, [kind]: {} })).toEqual({ type: "nothing" });
  });

  it.each<[string, Record<string, unknown>]>([
    ["a message in a channel", { chat: channel, text: "/help" }],
    ["a message from nobody", { from: undefined, text: "hi" }],
    ["a message of our own", { from: self, text: "hi" }],
    [
      "a message to a channel's own people",
      { chat: { ...group, is_direct_messages: true }, text: "/help" },
    ],
    ["a message of an unknown kind", { hologram: {} }],
  ])("%s is left alone", (_, fields) => {
    expect(readMessage(fields)).toEqual({ type: "nothing" });
  });

  it("an update of a kind not yet invented is left alone", () => {
    expect(read({ telepathy: {} } as never)).toEqual({ type: "nothing" });
  });

  it.each([
    undefined,
    null,
    7,
    "update",
    [],
    {},
    { update_id: 1, message: {} },
  ])("%j is refused as no update", (update) => {
    expect(() => translate(update, bot, nowMs)).toThrow(PermanentError);
  });
});

describe("a tap", () => {
  const tap = {
    id: "123",
    from: anna,
    chat_instance: "1",
    data: "a:1",
  };

  it("is handed over with its message's place", () => {
    const message = {
      message_id: 4,
      date: 1,
      chat: forum,
      from: self,
      message_thread_id: 3,
      is_topic_message: true,
      reply_markup: {
        inline_keyboard: [
          [{ text: "Read", url: "https://example.com" }],
          [{ text: "Yes", callback_data: "a:1" }],
        ],
      },
    };
    expect(
      read({ callback_query: { ...tap, data: "a:2", message } }),
    ).toMatchObject({ isReal: false });
    expect(read({ callback_query: { ...tap, message } })).toEqual({
      type: "tap",
      queryId: "123",
      isReal: true,
      inbound: {
        type: "tap",
        id: "c123",
        address: {
          platform: "telegram",
          bot: "700",
          chat: "-100",
          thread: "3",
        },
        person: expect.objectContaining({ id: "telegram:5" }) as unknown,
        direct: false,
        atMs: nowMs,
        messageId: "4",
        data: "a:1",
      },
    });
  });

  it("on a message that is gone still says where it was", () => {
    const message = { message_id: 4, date: 0, chat: privateChat };
    expect(read({ callback_query: { ...tap, message } })).toMatchObject({
      type: "tap",
      inbound: { messageId: "4", direct: true },
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["no message", { inline_message_id: "1" }],
    [
      "no data",
      {
        message: { message_id: 4, date: 1, chat: privateChat },
        data: undefined,
        game_short_name: "a",
      },
    ],
  ])("with %s leads nowhere", (_, fields) => {
    expect(read({ callback_query: { ...tap, ...fields } })).toEqual({
      type: "stray-tap",
      queryId: "123",
    });
  });
});

describe("addressedToBot", () => {
  it("bears entities that point anywhere", () => {
    const message = {
      message_id: 1,
      chat: { id: -1, type: "group" },
      text: "hi",
      entities: [{ type: "mention", offset: 99, length: -5 }],
    };
    expect(addressedToBot(message, bot)).toBeUndefined();
  });
});
