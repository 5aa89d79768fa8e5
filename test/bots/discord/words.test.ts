import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import * as fc from "fast-check";
import {
  ButtonStyle,
  ComponentType,
  MessageType,
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
  type APIPoll,
} from "discord.js";
import { describe, expect, test } from "vitest";
import { quoteOf } from "../../../src/bots/discord/receive/quote.ts";
import { messageSchema, pointedSchema } from "../../../src/bots/discord/receive/payloads.ts";
import { wordsOf } from "../../../src/bots/discord/receive/words.ts";
import { maxQuoteLength } from "../../../src/core/history.ts";

const author = { id: "2", username: "ann" };
const parsed = (changes: object) => pointedSchema.parse({ author, ...changes });
const quoted = (changes: object) => quoteOf(parsed(changes), "1")?.text;

/** A field's value and the words that it gives; a text: why it gives none. */
type Row = string | readonly [value: unknown, words: string];

const file = { id: "7", filename: "a.png", size: 1, url: "https://cdn.discordapp.com/a.png" };
const isMeta = "says when, where or by whom, not what";

/** The fields of a message: a new one has to be added here, and read or left out for a reason. */
const messageFields = {
  content: ["Hello", "Hello"],
  attachments: [[file], "[file: a.png]"],
  embeds: [[{ title: "Alert" }], "Alert"],
  components: [[{ type: ComponentType.TextDisplay, content: "Build failed" }], "Build failed"],
  sticker_items: [[{ id: "1", name: "Wave", format_type: 1 }], "[sticker: Wave]"],
  stickers: [[{ id: "1", name: "Wave", format_type: 1 }], "[sticker: Wave]"],
  poll: [{ question: { text: "Lunch?" }, answers: [] }, "[poll: Lunch?]"],
  message_snapshots: [[{ message: { content: "Forwarded" } }], "Forwarded"],
  activity: [{ type: 1, party_id: "x" }, "[activity]"],
  application: "only of an activity, which names it",
  call: [
    { participants: ["2"], ended_timestamp: "2026-11-26T08:00:00Z" },
    "[call, which has ended]",
  ],
  role_subscription_data: [
    { role_subscription_listing_id: "1", tier_name: "Gold", total_months_subscribed: 1 },
    "[subscription: Gold]",
  ],
  shared_client_theme: [{ colors: ["ff0000"], gradient_angle: 0, base_mix: 0 }, "[theme]"],
  type: [MessageType.UserJoin, "[joined the server]"],
  id: isMeta,
  channel_id: isMeta,
  author: "the quote's author",
  timestamp: isMeta,
  edited_timestamp: isMeta,
  tts: isMeta,
  mention_everyone: "stands in the content",
  mention_roles: "stands in the content",
  mention_channels: "stands in the content",
  mentions: "stands in the content",
  reactions: "other people's, and not shown with a reply",
  nonce: isMeta,
  pinned: isMeta,
  webhook_id: isMeta,
  application_id: isMeta,
  message_reference: "another message",
  flags: isMeta,
  referenced_message: "another message",
  interaction_metadata: isMeta,
  interaction: isMeta,
  thread: "other messages",
  position: isMeta,
  resolved: "ids of what select menus offer",
} satisfies Record<keyof APIMessage, Row>;

const isOnlyLook = "only how it looks";
const embedFields = {
  title: ["Alert", "Alert"],
  type: isOnlyLook,
  description: ["A disk is full", "A disk is full"],
  url: ["https://ci.example/1", "https://ci.example/1"],
  timestamp: ["2026-11-26T08:00:00Z", "2026-11-26T08:00:00Z"],
  color: isOnlyLook,
  footer: [{ text: "monit" }, "monit"],
  image: [{ url: "https://x.example/a.png", description: "A cat" }, "[media: A cat]"],
  thumbnail: [{ url: "https://x.example/a.png" }, "[media: https://x.example/a.png]"],
  video: [{ url: "https://x.example/a.mp4", description: "A film" }, "[media: A film]"],
  provider: [{ name: "YouTube" }, "YouTube"],
  author: [{ name: "Prometheus", url: "https://p.example" }, "[Prometheus](https://p.example)"],
  fields: [
    [
      { name: "Host", value: "prod-app-1" },
      { name: "\u200b", value: "critical" },
    ],
    "Host: prod-app-1\ncritical",
  ],
  flags: isOnlyLook,
} satisfies Record<keyof APIEmbed, Row>;

const attachmentFields = {
  filename: ["b.png", "[file: b.png]"],
  description: ["A cat asleep", "[file: a.png, A cat asleep]"],
  duration_secs: [2.5, "[voice message: a.png]"],
  title: "the file's name as it was, which its name resembles",
  id: isMeta,
  content_type: isMeta,
  size: isMeta,
  url: "leads to the file only for a day",
  proxy_url: isMeta,
  height: isMeta,
  width: isMeta,
  placeholder: isOnlyLook,
  placeholder_version: isOnlyLook,
  ephemeral: isMeta,
  waveform: isOnlyLook,
  flags: isOnlyLook,
  clip_participants: isMeta,
  clip_created_at: isMeta,
  application: isMeta,
} satisfies Record<keyof APIAttachment, Row>;

const pollFields = {
  question: [{ text: "Dinner?" }, "[poll: Dinner?]"],
  answers: [
    [{ answer_id: 1, poll_media: { text: "Pizza", emoji: { id: null, name: "🍕" } } }],
    "[poll: ]\n- 🍕 Pizza",
  ],
  results: [
    { is_finalized: true, answer_counts: [{ id: 1, count: 3, me_voted: false }] },
    "[poll: ]\n[the poll has ended]",
  ],
  expiry: isMeta,
  allow_multiselect: isOnlyLook,
  layout_type: isOnlyLook,
} satisfies Record<keyof APIPoll, Row>;

const rowsOf = (fields: Readonly<Record<string, Row>>) =>
  Object.entries(fields).flatMap(([field, row]) =>
    typeof row === "string" ? [] : [[field, row[0], row[1]] as const],
  );

describe("the words of a message have", () => {
  test.each(rowsOf(messageFields))("its %s", (field, value, words) => {
    expect(quoted({ [field]: value })).toBe(words);
  });
  test.each(rowsOf(embedFields))("an embed's %s", (field, value, words) => {
    expect(quoted({ embeds: [{ [field]: value }] })).toBe(words);
  });
  test.each(rowsOf(attachmentFields))("an attachment's %s", (field, value, words) => {
    expect(quoted({ attachments: [{ ...file, [field]: value }] })).toBe(words);
  });
  test.each(rowsOf(pollFields))("a poll's %s", (field, value, words) => {
    expect(quoted({ poll: { question: {}, answers: [], [field]: value } })).toBe(words);
  });

  // The types are checked elsewhere: this notices a field of an update that only the tests have seen.
  test.each([
    ["APIBaseMessageNoChannel", messageFields],
    ["APIEmbed", embedFields],
    ["APIAttachment", attachmentFields],
  ])("every field of %s that Discord documents", (name, fields) => {
    const types = createRequire(import.meta.url).resolve("discord-api-types/v10");
    const source = readFileSync(types.replace(/v10\.js$/, "payloads/v10/message.d.ts"), "utf8");
    const [, body = ""] =
      new RegExp(`export interface ${name} \\{\\n(.*?)\\n\\}`, "s").exec(source) ?? [];
    const known = [...body.matchAll(/^ {4}([a-z_]+)\??:/gm)].map(([, field]) => field);
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter((field) => !(field !== undefined && field in fields))).toEqual([]);
  });

  test("a sentence for every type of Discord's own messages, newer ones too", () => {
    const silent = Object.values(MessageType)
      .filter((type) => typeof type === "number")
      .filter((type) => quoted({ type }) === undefined)
      .map((type) => MessageType[type]);
    expect(silent).toEqual([
      "Default",
      "Reply",
      "ChatInputCommand",
      "ContextMenuCommand",
      "AutoModerationAction",
      "PollResult",
    ]);
    expect(quoted({ type: 4_711 })).toBe("[a message of Discord's own]");
  });
});

const media = { url: "https://x.example/a.png" };
const link = {
  type: ComponentType.Button,
  style: ButtonStyle.Link,
  label: "Log",
  url: "https://ci.example/42",
};

/** Of each type of component; a text: why there is none. */
const components: Readonly<Record<string, Row>> = {
  ActionRow: [{ components: [link, link] }, "[Log](https://ci.example/42)"],
  Button: [{ label: "Approve", custom_id: "x", style: 1 }, "[button: Approve]"],
  StringSelect: [
    { placeholder: "Choose", options: [{ label: "Red" }, { label: "Blue", description: "Sky" }] },
    "[menu: Choose: Red, Blue]",
  ],
  UserSelect: [{ placeholder: "Who?" }, "[menu: Who?]"],
  RoleSelect: [{}, "[menu]"],
  MentionableSelect: [{}, "[menu]"],
  ChannelSelect: [{ placeholder: "Where?" }, "[menu: Where?]"],
  Section: [
    { components: [{ type: 10, content: "Step lint" }], accessory: link },
    "Step lint\n[Log](https://ci.example/42)",
  ],
  TextDisplay: [{ content: "# Build 42 failed" }, "# Build 42 failed"],
  Thumbnail: [{ media, description: "A logo" }, "[media: A logo]"],
  MediaGallery: [
    { items: [{ media, description: "A cat" }, { media }] },
    "[media: A cat]\n[media: https://x.example/a.png]",
  ],
  File: [{ file: { url: "https://x.example/a.txt" }, name: "a.txt" }, "[file: a.txt]"],
  Separator: "has no words",
  Container: [{ components: [{ type: 10, content: "One" }] }, "One"],
  TextInput: "is in forms only",
  ContentInventoryEntry: "is in Discord's own clients only",
  Label: [{ label: "Name", component: { type: 10, content: "One" } }, "Name\nOne"],
  FileUpload: "is in forms only",
  RadioGroup: [{ options: [{ label: "Red", value: "r" }] }, "Red"],
  CheckboxGroup: [{ options: [{ label: "Red", value: "r" }] }, "Red"],
  Checkbox: "is in forms only",
};

describe("components", () => {
  test("of every type are in the table", () => {
    const names = Object.values(ComponentType).filter((each) => typeof each === "number");
    expect(new Set(names.map((type) => ComponentType[type]))).toEqual(
      new Set(
        Object.keys(components).map((name) => (name === "StringSelect" ? ComponentType[3] : name)),
      ),
    );
  });

  test.each(rowsOf(components))("of the type %s are read", (name, value, words) => {
    const type = ComponentType[name as keyof typeof ComponentType];
    expect(quoted({ components: [{ type, ...(value as object) }] })).toBe(words);
  });

  test("of a type that is newer than the table are read where they look like others", () => {
    const inner = { type: 10, content: "inner" };
    const parts = { title: "Outer", components: [inner], accessory: link };
    expect(quoted({ components: [{ type: 99, ...parts }] })).toBe(
      "Outer\ninner\n[Log](https://ci.example/42)",
    );
  });

  test("name a file once that is attached, too", () => {
    const shown = { ...media, attachment_id: "7" };
    const gallery = { type: ComponentType.MediaGallery, items: [{ media: shown }] };
    const named = { type: ComponentType.File, file: shown, name: "a.png" };
    expect(quoted({ attachments: [file], components: [gallery, named] })).toBe("[file: a.png]");
  });

  test("of the bot's own answers are left out", () => {
    const own = parsed({ author: { id: "1", username: "me" }, content: "Yes", components: [link] });
    expect(quoteOf(own, "1")).toEqual({ author: "me", own: true, text: "Yes" });
  });

  test("may be nested deeply and widely: the time is linear, the quote bounded", () => {
    let deep: object = { type: 10, content: "bottom" };
    for (let depth = 0; depth < 100_000; depth += 1) deep = { type: 17, components: [deep] };
    expect(quoted({ components: [deep] })).toBe("bottom");
    const many = Array.from({ length: 100_000 }, (_, index) => ({ type: 10, content: `${index}` }));
    const text = quoted({ components: [{ type: 17, components: many }] });
    expect(text).toHaveLength(maxQuoteLength);
    expect(text).toMatch(/^0\n1\n2\n.*…$/s);
  });
});

describe("a preview", () => {
  test("of a link in the text doesn't repeat its address", () => {
    const url = "https://news.example/a";
    const content = `look: ${url}`;
    const embed = { type: "article", url, title: "News", thumbnail: { url: `${url}.png` } };
    expect(quoted({ content, embeds: [embed] })).toBe(`${content}\nNews`);
    expect(quoted({ content, embeds: [{ type: "image", url, thumbnail: { url } }] })).toBe(content);
    expect(quoted({ embeds: [embed] })).toBe(`[News](${url})`);
  });
});

test("a poll's answers have their votes, also those that no one chose", () => {
  const answers = ["Pizza", "Soup", "Salad"].map((text, index) => ({
    answer_id: index + 1,
    poll_media: { text },
  }));
  const answer_counts = [
    { id: 1, count: 3 },
    { id: 3, count: 1 },
  ];
  expect(
    quoted({
      poll: {
        question: { text: "Lunch?" },
        answers,
        results: { is_finalized: false, answer_counts },
      },
    }),
  ).toBe("[poll: Lunch?]\n- Pizza: 3 votes\n- Soup: 0 votes\n- Salad: 1 vote");
});

describe("a malformed field", () => {
  const whole = {
    id: "5",
    channel_id: "7",
    type: 0,
    author,
    content: "what is this?",
    mentions: [],
  };
  test.each(
    [null, 7, "x", {}, [null], [{ message: 3 }], { id: {} }].flatMap((value) =>
      Object.keys(messageFields)
        .filter((field) => !["id", "channel_id", "type", "author", "content"].includes(field))
        .map((field) => [field, value] as const),
    ),
  )("%s (%j) loses no message", (field, value) => {
    const { content } = messageSchema.parse({ ...whole, [field]: value });
    expect(content).toBe("what is this?");
  });

  test("that decides who may read the answer does", () => {
    expect(messageSchema.safeParse({ ...whole, guild_id: 7 }).success).toBe(false);
  });
});

test("any JSON as a message is read without an error, within the limit", () => {
  const tables = [messageFields, embedFields, attachmentFields, pollFields];
  const keys = fc.constantFrom(
    ...tables.flatMap((each) => Object.keys(each)),
    "accessory",
    "items",
    "media",
    "options",
    "label",
    "poll_media",
    "answer_counts",
  );
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "medium", maxDepth: 6 },
      fc.string(),
      fc.integer(),
      fc.constant(null),
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(keys, tie("node"), { maxKeys: 6 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(keys, node, { maxKeys: 8 }), (changes) => {
      const { data } = pointedSchema.safeParse({ ...changes, author });
      expect(data).toBeDefined();
      if (data) expect(wordsOf(data).length).toBeLessThanOrEqual(maxQuoteLength);
      const quote = data && quoteOf(data, "1");
      if (quote) expect(quote.text.trim()).not.toBe("");
    }),
  );
});
