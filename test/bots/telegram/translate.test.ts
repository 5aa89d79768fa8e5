import type { Update } from "@grammyjs/types";
import { describe, expect, it } from "vitest";
import { whatWasSaid } from "../../../src/bots/telegram/receive/addressed.ts";
import { translate, type Translation } from "../../../src/bots/telegram/receive/translate.ts";
import { PermanentError } from "../../../src/core/errors.ts";
import { contents } from "./payloads/contents.ts";
import {
  anna,
  basicGroup,
  ben,
  channel,
  channelBot,
  deleted,
  forum,
  group,
  groupAnonymousBot,
  otherBot,
  privateChat,
  self,
  telegramItself,
} from "./payloads/people.ts";

const bot = {
  id: 700,
  username: "Parley_Bot",
  hasCommand: (name: string) => name === "help",
};
const nowMs = 1_700_000_000_000;
/** The number of what is read, unless its fields say otherwise. */
const messageNumber = 9;

const context = {
  bot,
  nowMs,
  files: {
    fetcher: (fileId: string) => () => Promise.resolve(Buffer.from(fileId)),
  },
};

function read(update: Omit<Update, "update_id">): Translation {
  return translate({ update_id: 1, ...update }, context);
}

/** A message of Anna's to the bot alone, unless the fields say otherwise. */
function readMessage(fields: Record<string, unknown>): Translation {
  const message = {
    message_id: messageNumber,
    date: 1_600_000_000,
    chat: privateChat,
    from: anna,
    ...fields,
  };
  return read({ message });
}

function arrival(translation: Translation) {
  if (translation.type !== "arrival")
    throw new Error(`expected an arrival, not ${translation.type}`);
  return translation.inbound;
}

const mention = (offset: number) => [{ type: "mention", offset, length: "@parley_bot".length }];

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
        sentAtMs: 1_600_000_000_000,
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
    ["only the bot's name", { text: "@parley_bot", entities: mention(0) }, ""],
    ["a reply", { text: "yes", reply_to_message: { message_id: 1, from: self } }, "yes"],
    ["a number in the style of a command", { text: "/ 2" }, "/ 2"],
  ])("%s is a message", (_, fields, text) => {
    expect(arrival(readMessage(fields))).toMatchObject({
      type: "message",
      text,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["of a person", { forward_origin: { type: "user", sender_user: ben, date: 1 } }],
    [
      "of a hidden person",
      {
        forward_origin: { type: "hidden_user", sender_user_name: "x", date: 1 },
      },
    ],
    ["of another inline bot", { via_bot: otherBot }],
    ["of a business account's bot", { sender_business_bot: otherBot }],
  ])("is never an order with the words %s", (_, fields) => {
    for (const text of ["/role telegram:5 admin", "/approve abc", "yes"]) {
      const inbound = arrival(readMessage({ text, ...fields }));
      expect(inbound).toMatchObject({
        type: "message",
        text,
        isForwarded: true,
      });
    }
    const caption = { ...contents.photo, caption: "/ban telegram:5" };
    expect(arrival(readMessage({ ...caption, ...fields }))).toMatchObject({
      type: "message",
      text: "/ban telegram:5",
      isForwarded: true,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["a business account's chat", { business_connection_id: "b" }],
    ["a guest query", { guest_query_id: "g" }],
  ])("of %s is left alone", (_, fields) => {
    expect(readMessage({ text: "/role telegram:5 admin", ...fields })).toEqual({
      type: "nothing",
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
});

const inGroup = (fields: Record<string, unknown>) => readMessage({ chat: group, ...fields });

describe("a message in a group", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["a mention", { text: "@parley_bot hi", entities: mention(0) }, "hi"],
    ["a mention with a comma", { text: "@parley_bot, hi", entities: mention(0) }, "hi"],
    ["a mention at the end", { text: "hi @Parley_Bot", entities: mention(3) }, "hi"],
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
    ["a reply to the bot", { text: "yes", reply_to_message: { message_id: 1, from: self } }, "yes"],
  ])("%s is for the bot", (_, fields, text) => {
    expect(arrival(inGroup(fields))).toMatchObject({
      type: "message",
      text,
      direct: false,
      address: { chat: String(group.id) },
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["one of ours", { text: "/help me" }, "help"],
    ["one by name", { text: "/dance@parley_bot" }, "dance"],
    ["one behind a mention", { text: "@parley_bot /dance", entities: mention(0) }, "dance"],
  ])("a command, %s, is for the bot", (_, fields, name) => {
    expect(arrival(inGroup(fields))).toMatchObject({
      type: "command",
      name,
      chatTitle: "Team",
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["talk", { text: "hello all" }],
    ["another's mention", { text: "@anna", entities: [{ type: "mention", offset: 0, length: 5 }] }],
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
    ["a reply to somebody", { text: "yes", reply_to_message: { message_id: 1, from: ben } }],
    ["a picture", contents.photo],
    [
      "a forwarded mention",
      {
        text: "@parley_bot hi",
        entities: mention(0),
        forward_origin: { type: "user", sender_user: anna, date: 1 },
      },
    ],
    [
      "a forwarded command",
      {
        text: "/help",
        forward_origin: { type: "user", sender_user: anna, date: 1 },
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
  ])("%s is not meant for the bot", (_, fields) => {
    expect(arrival(inGroup(fields))).toMatchObject({
      type: "message",
      isAddressed: false,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["a sticker", contents.sticker],
    [
      "a channel's post copied into the group",
      {
        text: "@parley_bot",
        entities: mention(0),
        from: telegramItself,
        sender_chat: channel,
        is_automatic_forward: true,
      },
    ],
    ["a bot", { text: "/help", from: otherBot }],
    [
      "a bot that answers the bot",
      {
        text: "@parley_bot hi",
        entities: mention(0),
        from: otherBot,
        reply_to_message: { message_id: 1, from: self },
      },
    ],
    [
      "what somebody sends through the bot itself",
      { text: "@parley_bot hi", entities: mention(0), via_bot: self },
    ],
    ["a message without a number", { message_id: 0, text: "@parley_bot hi", entities: mention(0) }],
  ])("%s is left alone", (_, fields) => {
    expect(inGroup(fields)).toEqual({ type: "nothing" });
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "an anonymous admin",
      {
        from: groupAnonymousBot,
        sender_chat: group,
        author_signature: "boss",
      },
      { id: `telegram:${group.id}`, name: "boss", anonymous: true },
    ],
    [
      "an anonymous admin without a chat",
      { from: groupAnonymousBot },
      {
        id: "telegram:1087968824",
        name: "Group",
        username: "GroupAnonymousBot",
        anonymous: true,
      },
    ],
    [
      "a channel",
      { from: channelBot, sender_chat: channel },
      {
        id: `telegram:${channel.id}`,
        name: "News",
        username: "news",
        anonymous: true,
      },
    ],
    [
      "nobody but a chat",
      { from: undefined, sender_chat: group },
      { id: `telegram:${group.id}`, name: "Team", anonymous: true },
    ],
    ["somebody without a name", { from: deleted }, { id: "telegram:9", name: "Somebody" }],
  ])("%s is named as what it is", (_, fields, person) => {
    const inbound = arrival(inGroup({ text: "/help", ...fields }));
    expect(inbound.person).toEqual(person);
  });

  it.each<[string, Record<string, unknown>, string | undefined]>([
    ["no topic", {}, undefined],
    ["a thread of replies", { message_thread_id: 3 }, undefined],
    ["a topic", { chat: forum, message_thread_id: 3, is_topic_message: true }, "3"],
    ["the General topic", { chat: forum }, "1"],
  ])("in %s has the right thread", (_, fields, thread) => {
    const inbound = arrival(inGroup({ text: "/help", ...fields }));
    expect(inbound.address.thread).toBe(thread);
  });
});

const attached = (fields: Record<string, unknown>) => {
  const translation = readMessage(fields);
  const inbound = arrival(translation);
  if (inbound.type !== "message") throw new Error(inbound.type);
  return { inbound, files: inbound.attachments ?? [] };
};

const photoSize = (name: string, width: number, bytes?: number) => ({
  file_id: name,
  file_unique_id: name,
  width,
  height: width,
  ...(bytes === undefined ? {} : { file_size: bytes }),
});

describe("what is attached", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["a photo", contents.photo, { kind: "image", mediaType: "image/jpeg" }],
    ["a live photo", contents.live_photo, { kind: "image" }],
    ["a voice", contents.voice, { kind: "voice", mediaType: "audio/ogg" }],
    ["a song", contents.audio, { kind: "voice", name: "a.mp3" }],
    ["a round video", contents.video_note, { kind: "voice", mediaType: "video/mp4" }],
    ["a PDF", contents.document, { kind: "document", name: "a.pdf", mediaType: "application/pdf" }],
  ])("%s is a file of its kind", (_, fields, file) => {
    const { inbound, files } = attached(fields);
    expect(inbound.text).toBe("");
    expect(files).toMatchObject([{ ...file, size: 1_000 }]);
  });

  it("a photo is the largest size of up to 8 MiB, with its caption", async () => {
    const photo = [
      photoSize("small", 90, 1_000),
      photoSize("large", 1_280, 8 * 1_048_576),
      photoSize("huge", 4_000, 8 * 1_048_576 + 1),
    ];
    const { inbound, files } = attached({ photo, caption: "What is it?" });
    expect(inbound.text).toBe("What is it?");
    const limit = { maxBytes: 9, signal: new AbortController().signal };
    expect(String(await files[0]?.fetch(limit))).toBe("large");
    const unknown = attached({
      photo: [photoSize("a", 90), photoSize("b", 900)],
    });
    expect(String(await unknown.files[0]?.fetch(limit))).toBe("b");
  });

  it.each<[string | undefined, string | undefined, string | undefined]>([
    ["notes.txt", "text/plain", "document text/plain"],
    ["data.csv", "text/csv", "document text/csv"],
    ["data.json", "application/json", "document application/json"],
    ["main.py", "text/x-python", "document text/x-python"],
    ["main.ts", "video/mp2t", "document text/plain"],
    ["Dockerfile", undefined, "document text/plain"],
    ["readme.md", "application/octet-stream", "document text/plain"],
    ["plan.pdf", "application/octet-stream", "document application/pdf"],
    ["cat.png", "image/png", "image image/png"],
    ["cat.webp", undefined, "image image/webp"],
    ["memo.m4a", "audio/mp4", "voice audio/mp4"],
    ["icon.svg", "image/svg+xml", "document image/svg+xml"],
    ["what", undefined, "document application/octet-stream"],
    ["a.zip", "application/zip", undefined],
    ["a.docx", "application/octet-stream", undefined],
    ["cat.heic", "image/heic", undefined],
    ["film.mov", "video/quicktime", undefined],
    [undefined, "video/mp4", undefined],
  ])("the document %s (%s) is %s", (file_name, mime_type, expected) => {
    const document = {
      file_id: "1",
      file_unique_id: "1",
      ...(file_name === undefined ? {} : { file_name }),
      ...(mime_type === undefined ? {} : { mime_type }),
    };
    const translation = readMessage({ document });
    const [file] = attached({ document }).files;
    if (expected === undefined)
      expect(translation).toMatchObject({
        refusal: expect.stringMatching(/^Sorry, I can't read /),
      });
    else expect(`${file?.kind} ${file?.mediaType}`).toBe(expected);
    expect("refusal" in translation).toBe(expected === undefined);
  });

  it("a picture in a document of an unknown type says what would do", () => {
    const document = {
      file_id: "1",
      file_name: "a.tiff",
      mime_type: "image/tiff",
    };
    expect(readMessage({ document })).toMatchObject({
      refusal: `Sorry, I can't read the picture "a.tiff". Please send it as a photo, or as JPEG, PNG, WebP or GIF.`,
    });
  });

  it("what someone asks about is the file that they reply to, with its message's number", () => {
    const replied = { message_id: 3, from: ben, ...contents.photo };
    const asked = {
      chat: group,
      text: "@parley_bot what is it?",
      entities: mention(0),
      reply_to_message: replied,
    };
    const pointedAt = { messageId: "3" };
    expect(attached(asked).files).toMatchObject([{ kind: "image", pointedAt }]);
    expect(attached(asked).inbound.quote).toEqual({
      author: "Ben",
      authorId: `telegram:${ben.id}`,
      text: "[photo]",
    });
    const alone = { text: "what is it?", reply_to_message: replied };
    expect(attached(alone).files).toMatchObject([{ kind: "image", pointedAt }]);
    const own = { message_id: 3, from: self, ...contents.document };
    expect(attached({ ...alone, reply_to_message: own }).files).toMatchObject([{ pointedAt }]);
    const answer = { ...own, document: { ...contents.document.document, file_name: "answer.md" } };
    expect(attached({ ...asked, reply_to_message: answer }).files).toMatchObject([
      { pointedAt: { messageId: "3", isAnswer: true } },
    ]);
    const origin = { type: "user", sender_user: ben, date: 1 };
    const elsewhere = { text: "why?", external_reply: { origin, ...contents.voice } };
    expect(attached(elsewhere).files).toMatchObject([{ kind: "voice", pointedAt: {} }]);
    const film = { origin, live_photo: contents.live_photo.live_photo };
    expect(attached({ text: "why?", external_reply: film }).files).toMatchObject([
      { kind: "image" },
    ]);
    // One of its own, too; of an album, the piece with the words.
    const both = { ...contents.document, caption: "compare", reply_to_message: replied };
    expect(attached(both).files).toMatchObject([{ kind: "document" }, { kind: "image" }]);
    const piece = { ...contents.photo, media_group_id: "7", reply_to_message: replied };
    expect(attached(piece).files).toHaveLength(1);
    expect(attached({ ...piece, caption: "compare" }).files).toHaveLength(2);
    const large = { ...own, document: { ...own.document, file_size: 9 * 1_048_576 } };
    expect(attached({ ...alone, reply_to_message: large }).files).toEqual([]);
    const video = { message_id: 3, from: ben, ...contents.video };
    expect(attached({ ...alone, reply_to_message: video }).files).toEqual([]);
    const aside = { ...asked, text: "nice", entities: [] };
    expect(attached(aside).files).toEqual([]);
  });
});

const quoteOf = (fields: Record<string, unknown>) => {
  const inbound = arrival(readMessage({ text: "why?", ...fields }));
  return inbound.type === "message" ? inbound.quote : undefined;
};

describe("what a message answers", () => {
  const origin = { type: "user", sender_user: ben, date: 1 };

  it.each<[string, Record<string, unknown>, unknown]>([
    [
      "somebody's words",
      { reply_to_message: { message_id: 3, from: ben, text: "Tea is best" } },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "Tea is best" },
    ],
    [
      "the bot's words of long ago",
      { reply_to_message: { message_id: 3, from: self, text: "Tea" } },
      { own: true, text: "Tea" },
    ],
    [
      "a part that was marked",
      {
        reply_to_message: { message_id: 3, from: ben, text: "Tea is best" },
        quote: { text: "Tea", position: 0, is_manual: true },
      },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "Tea" },
    ],
    [
      "a part of what the bot said last",
      {
        reply_to_message: {
          message_id: messageNumber - 1,
          from: self,
          text: "Tea is best",
        },
        quote: { text: "best", position: 7, is_manual: true },
      },
      { own: true, text: "best" },
    ],
    [
      "a photo with a caption",
      {
        reply_to_message: {
          message_id: 3,
          from: ben,
          ...contents.photo,
          caption: "My cat",
        },
      },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "[photo] My cat" },
    ],
    [
      "a poll",
      { reply_to_message: { message_id: 3, from: ben, ...contents.poll } },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "[poll] Tea?\n- Yes (1 vote)" },
    ],
    [
      "a file",
      { reply_to_message: { message_id: 3, from: ben, ...contents.document } },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "[file a.pdf]" },
    ],
    [
      "an anonymous admin",
      {
        reply_to_message: {
          message_id: 3,
          from: groupAnonymousBot,
          sender_chat: group,
          text: "Rules",
        },
      },
      { author: "Team", text: "Rules" },
    ],
    [
      "a deleted account",
      { reply_to_message: { message_id: 3, from: deleted, text: "Bye" } },
      { authorId: `telegram:${deleted.id}`, text: "Bye" },
    ],
    [
      "another chat's message",
      {
        external_reply: { origin, chat: channel, message_id: 3 },
        quote: { text: "Tea", position: 0 },
      },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "Tea" },
    ],
    [
      "another chat's photo",
      { external_reply: { origin, ...contents.photo } },
      { author: "Ben", authorId: `telegram:${ben.id}`, text: "[photo]" },
    ],
    [
      "somebody hidden",
      {
        external_reply: {
          origin: { type: "hidden_user", sender_user_name: "Zoe", date: 1 },
          ...contents.voice,
        },
      },
      { author: "Zoe", text: "[voice message]" },
    ],
    [
      "a channel's post",
      {
        external_reply: {
          origin: { type: "channel", chat: channel, message_id: 3, date: 1 },
          ...contents.video,
        },
      },
      { author: "News", text: "[video]" },
    ],
    ["a story", { reply_to_story: { chat: channel, id: 1 } }, { author: "News", text: "[story]" }],
    [
      "what the bot said last",
      {
        reply_to_message: {
          message_id: messageNumber - 1,
          from: self,
          text: "Tea",
        },
      },
      undefined,
    ],
    [
      "what the bot said before something else, perhaps from another process",
      {
        reply_to_message: {
          message_id: messageNumber - 2,
          from: self,
          text: "Tea",
        },
      },
      { own: true, text: "Tea" },
    ],
    [
      "the opening of a topic",
      {
        chat: forum,
        reply_to_message: {
          message_id: 3,
          from: ben,
          forum_topic_created: { name: "a", icon_color: 1 },
        },
      },
      undefined,
    ],
    [
      "a service message",
      { reply_to_message: { message_id: 3, from: ben, new_chat_title: "a" } },
      undefined,
    ],
  ])("%s is quoted as far as it says something", (_, fields, quote) => {
    expect(quoteOf(fields)).toEqual(quote);
  });

  it("is cut to 4,000 units, and no character or address in two", () => {
    const text = `${"a".repeat(3_999)}😀`;
    const replied = { message_id: 3, from: ben, text };
    expect(quoteOf({ reply_to_message: replied })?.text).toBe("a".repeat(3_999));
    const url = `https://a.example/${"b".repeat(100)}`;
    const entities = [{ type: "text_link", offset: 0, length: 2, url }];
    expect(quoteOf({ reply_to_message: { ...replied, entities } })?.text).toMatch(
      new RegExp(String.raw`^\[aa\]\(https://a\.example/b{100}\)a+$`),
    );
  });
});

it.each(["/dance", "/help@other_bot"])("another's command, %s, is marked as such", (text) => {
  expect(arrival(readMessage({ chat: group, text }))).toMatchObject({
    isAddressed: false,
    looksLikeCommand: true,
  });
});

const groupPiece = (fields: Record<string, unknown>) =>
  arrival(readMessage({ chat: group, ...fields }));

describe("a piece of something that names the bot once", () => {
  it.each<[string, Record<string, unknown>]>([
    ["a picture of an album", { ...contents.photo, media_group_id: "77" }],
    ["a video of an album", { ...contents.video, media_group_id: "77" }],
    ["a forward", { text: "The moon", forward_origin: { type: "hidden_user" } }],
    ["the end of a text", { text: "at the end" }],
  ])("%s comes with the time and without an address", (_, fields) => {
    expect(groupPiece({ date: 100, ...fields })).toMatchObject({
      isAddressed: false,
      sentAtMs: 100_000,
    });
    expect(groupPiece({ date: 100, ...fields })).not.toHaveProperty("looksLikeCommand");
  });

  it("may look like another bot's command", () => {
    expect(groupPiece({ text: "/dance at the end" })).toMatchObject({
      isAddressed: false,
      looksLikeCommand: true,
    });
  });
});

describe("a forward's origin", () => {
  it.each<[string, Record<string, unknown>, unknown]>([
    ["a channel", { type: "channel", chat: { id: -1, type: "channel", title: "News" } }, "News"],
    [
      "a signed post",
      {
        type: "channel",
        chat: { id: -1, type: "channel", title: "News" },
        author_signature: "Eve",
      },
      "Eve",
    ],
    ["a group", { type: "chat", sender_chat: { id: -2, type: "supergroup", title: "Us" } }, "Us"],
    ["a person who hides", { type: "hidden_user", sender_user_name: "Zoe" }, "Zoe"],
  ])("names %s", (_, forward_origin, name) => {
    expect(arrival(readMessage({ text: "a", forward_origin }))).toMatchObject({
      isForwarded: true,
      origin: { name },
    });
  });

  it("names a person with their number", () => {
    const forward_origin = { type: "user", sender_user: ben };
    expect(arrival(readMessage({ text: "a", forward_origin }))).toMatchObject({
      origin: { name: "Ben", authorId: `telegram:${ben.id}` },
    });
  });
});

const edited = (fields: Record<string, unknown>): Translation =>
  read({
    edited_message: {
      message_id: 9,
      date: 1,
      edit_date: 2,
      chat: group,
      from: anna,
      ...fields,
    },
  });

describe("an edit", () => {
  it.each<[string, Record<string, unknown>, string]>([
    ["a text", { text: "what I meant" }, "what I meant"],
    ["a caption", { ...contents.photo, caption: "a dog" }, "a dog"],
    ["a mention", { text: "@parley_bot hi", entities: mention(0) }, "hi"],
    ["what is now a command", { text: "/help" }, "/help"],
  ])("of %s says what it reads now", (_, fields, text) => {
    expect(arrival(edited(fields))).toEqual({
      type: "edit",
      id: "e9-2",
      messageId: "9",
      address: { platform: "telegram", bot: "700", chat: String(group.id) },
      person: expect.objectContaining({ id: "telegram:5" }) as unknown,
      direct: false,
      atMs: nowMs,
      text,
    });
  });

  it.each<[string, Record<string, unknown>]>([
    ["a live location", contents.location],
    ["a bot", { text: "a", from: otherBot }],
    ["a channel's copy", { text: "a", is_automatic_forward: true }],
    ["what another inline bot wrote", { text: "yes", via_bot: otherBot }],
  ])("of %s is left alone", (_, fields) => {
    expect(edited(fields)).toEqual({ type: "nothing" });
  });
});

describe("a group that becomes a supergroup", () => {
  it("is told of in both chats", () => {
    const to = { chat: basicGroup, migrate_to_chat_id: -1_000_000_000_300 };
    const from = { chat: group, migrate_from_chat_id: -300 };
    expect(readMessage(to)).toMatchObject({
      type: "moved",
      from: "-300",
      to: "-1000000000300",
    });
    expect(readMessage(from)).toMatchObject({
      type: "moved",
      from: "-300",
      to: String(group.id),
    });
  });
});

describe("the Stop button below a draft", () => {
  it("is the command of its person, in its topic", () => {
    const stop = {
      chat: privateChat,
      draft_id: 17,
      message_thread_id: 3,
    };
    expect(read({ stopped_message_generation: stop })).toEqual({
      type: "arrival",
      inbound: {
        type: "command",
        id: "d17",
        address: { platform: "telegram", bot: "700", chat: "5", thread: "3" },
        person: { id: "telegram:5", name: "Anna Bell", username: "anna" },
        direct: true,
        atMs: nowMs,
        name: "stop",
        argument: "",
        answersItself: false,
      },
    });
  });
});

describe("everything else", () => {
  it.each<[string, Record<string, unknown>]>([
    ["a message in a channel", { chat: channel, text: "/help" }],
    ["a message from nobody", { from: undefined, text: "hi" }],
    ["a message of our own", { from: self, text: "hi" }],
    [
      "a message to a channel's own people",
      { chat: { ...group, is_direct_messages: true }, text: "/help" },
    ],
  ])("%s is left alone", (_, fields) => {
    expect(readMessage(fields)).toEqual({ type: "nothing" });
  });

  it.each([{ hologram: {} }, {}, { photo: [] }, { poll: {} }, { voice: "?" }])(
    "a message of a kind that can't be read gets a sentence: %j",
    (fields) => {
      expect(readMessage(fields)).toMatchObject({
        refusal: expect.stringMatching(/^Sorry, I can't read this kind of message\./),
      });
    },
  );

  it("an update of a kind not yet invented is left alone", () => {
    expect(read({ telepathy: {} } as never)).toEqual({ type: "nothing" });
  });

  it.each([undefined, null, 7, "update", [], {}, { update_id: 1, message: {} }])(
    "%j is refused as no update",
    (update) => {
      expect(() => translate(update, context)).toThrow(PermanentError);
    },
  );
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
    expect(read({ callback_query: { ...tap, data: "a:2", message } })).toMatchObject({
      isReal: false,
    });
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
          chat: String(forum.id),
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
      person: expect.objectContaining({ language: "pt-br" }),
    });
  });
});

/** The bot's status in a group changes. */
const membershipChange = (before: string, after: string, more: Record<string, unknown> = {}) =>
  read({
    my_chat_member: {
      chat: group,
      from: anna,
      date: 17,
      old_chat_member: { user: self, status: before },
      new_chat_member: { user: self, status: after, ...more },
    },
  } as never);

/** The bot is a member, or unblocked. */
const becomesMember = (chat: object, before: object) =>
  read({
    my_chat_member: {
      chat,
      from: anna,
      date: 17,
      old_chat_member: { user: self, ...before },
      new_chat_member: { user: self, status: "member" },
    },
  } as never);

describe("the bot's own membership", () => {
  it("means that it was added only where it was not in the group before", () => {
    const added = {
      type: "arrival",
      inbound: {
        type: "join",
        id: "j17",
        title: group.title,
        direct: false,
        person: { id: `telegram:${anna.id}` },
      },
    };
    expect(membershipChange("left", "member")).toMatchObject(added);
    expect(membershipChange("kicked", "administrator")).toMatchObject(added);
    expect(membershipChange("left", "restricted", { is_member: true })).toMatchObject(added);
    const others = [
      membershipChange("member", "administrator"),
      membershipChange("administrator", "member"),
      membershipChange("member", "restricted", { is_member: true, can_send_messages: true }),
      membershipChange("left", "restricted", { is_member: false }),
    ];
    expect(others).toEqual(others.map(() => ({ type: "nothing" })));
  });

  it.each([
    ["left", {}, false],
    ["kicked", { until_date: 0 }, false],
    ["restricted", { is_member: true, can_send_messages: false }, false],
    ["restricted", { is_member: false, can_send_messages: true }, false],
  ])("means that it can't write where it is %s %j", (status, more, isReachable) => {
    const change = membershipChange("member", status, more);
    expect(change).toMatchObject({ type: "reach", isReachable, address: { chat: `${group.id}` } });
  });

  it("means that it can write again where it is no longer silenced, or blocked", () => {
    const back = { type: "reach", isReachable: true };
    const silenced = { status: "restricted", is_member: true, can_send_messages: false };
    expect(becomesMember(group, silenced)).toMatchObject(back);
    expect(becomesMember(privateChat, { status: "kicked", until_date: 0 })).toMatchObject(back);
  });
});

describe("whatWasSaid", () => {
  it("bears entities that point anywhere", () => {
    const message = {
      message_id: 1,
      chat: { id: -1, type: "group" },
      text: "hi",
      entities: [{ type: "mention", offset: 99, length: -5 }],
    };
    expect(whatWasSaid(message, bot)).toEqual({
      type: "text",
      text: "hi",
      entities: message.entities,
      isAddressed: false,
    });
    const overTheEnd = { type: "text_mention", offset: 0, length: 9, user: self };
    expect(whatWasSaid({ ...message, entities: [overTheEnd] }, bot)).toMatchObject({ text: "hi" });
  });
});
