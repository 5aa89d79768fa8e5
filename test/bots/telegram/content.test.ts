import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentKinds } from "../../../src/bots/telegram/receive/content-kinds.ts";
import { contentWords } from "../../../src/bots/telegram/receive/content-words.ts";
import { translate } from "../../../src/bots/telegram/receive/translate.ts";
import type { InboundEdit, InboundMessage } from "../../../src/core/inbound.ts";
import { contents, readable, unreadable } from "./payloads/contents.ts";
import { anna, ben, channel, group, privateChat } from "./payloads/people.ts";

const context = {
  bot: { id: 700, username: "parley_bot", hasCommand: () => true },
  nowMs: 1,
  files: { fetcher: () => () => Promise.resolve(new Uint8Array()) },
};

const inboundOf = (update: Record<string, unknown>) => {
  const translation = translate({ update_id: 1, ...update }, context);
  return translation.type === "arrival" ? translation.inbound : undefined;
};

/** Of Anna's to the bot alone, unless the fields say otherwise. */
const messageOf = (fields: Record<string, unknown>) => ({
  message_id: 9,
  date: 1,
  chat: privateChat,
  from: anna,
  ...fields,
});
const read = (fields: Record<string, unknown>) =>
  inboundOf({ message: messageOf(fields) }) as InboundMessage | undefined;
const edited = (fields: Record<string, unknown>) =>
  inboundOf({ edited_message: messageOf({ edit_date: 2, ...fields }) }) as InboundEdit;

const url = "https://news.example/a?id=7";
const text = "this article";
const entities = [{ type: "text_link", offset: 5, length: 7, url }];
const shown = `this [article](${url})`;
const caption = { ...contents.photo, caption: text, caption_entities: entities };
const origin = { type: "user", sender_user: ben, date: 1 };
const replied = { message_id: 3, date: 1, chat: privateChat, from: ben };

describe("a hidden link is seen", () => {
  it.each<[string, InboundMessage | InboundEdit | undefined]>([
    ["in a text", read({ text, entities })],
    ["in a caption", read(caption)],
    ["in a piece of an album", read({ ...caption, media_group_id: "1" })],
    ["in a forward", read({ text, entities, forward_origin: origin })],
    ["in what an inline bot wrote", read({ text, entities, via_bot: { id: 8, is_bot: true } })],
    ["in an edit", edited({ text, entities })],
    ["in an edited caption", edited(caption)],
    [
      "behind a mention in a group",
      read({
        chat: group,
        text: `@parley_bot, ${text}`,
        entities: [
          { type: "mention", offset: 0, length: 11 },
          { ...entities[0], offset: 18 },
        ],
      }),
    ],
  ])("%s", (_, inbound) => {
    expect(inbound).toMatchObject({ text, markdown: shown });
  });

  it.each<[string, InboundMessage | undefined]>([
    ["in a message", read({ text: "so?", reply_to_message: { ...replied, text, entities } })],
    [
      "in a part of it, whose own entities have none",
      read({
        text: "so?",
        reply_to_message: {
          ...replied,
          text: `See ${text}!`,
          entities: [{ ...entities[0], offset: 9 }],
        },
        quote: { text, position: 4 },
      }),
    ],
    [
      "in a part of another chat's message",
      read({
        text: "so?",
        external_reply: { origin, chat: channel },
        quote: { text, entities, position: 4 },
      }),
    ],
  ])("that a reply points at: %s", (_, inbound) => {
    expect(inbound?.quote).toMatchObject({ author: "Ben", text: shown });
  });

  it("in the caption that a reply points at", () => {
    const inbound = read({ text: "so?", reply_to_message: { ...replied, ...caption } });
    expect(inbound?.quote?.text).toBe(`[photo] ${shown}`);
  });
});

const keyboard = {
  inline_keyboard: [
    [
      { text: "Read", url },
      { text: "Like", callback_data: "1" },
    ],
    [
      { text: "App", web_app: { url: "https://a.example" } },
      { text: "Code", copy_text: { text: "SAVE10" } },
    ],
    "no row",
  ],
};
const buttons = `Buttons: [Read](${url}) · [App](https://a.example) · Code: SAVE10`;

const previewed = (options: object, said = "look") =>
  read({ text: said, link_preview_options: options })?.markdown;

describe("addresses next to a text", () => {
  it("are those of buttons, in forwards and where a reply points", () => {
    const rows = { ...keyboard, inline_keyboard: keyboard.inline_keyboard.slice(0, 2) };
    const post = { text: "News", reply_markup: rows };
    expect(read({ ...post, forward_origin: origin })?.markdown).toBe(`News\n\n${buttons}`);
    const inbound = read({ text: "so?", reply_to_message: { ...replied, ...post } });
    expect(inbound?.quote?.text).toBe(`News\n\n${buttons}`);
    const game = { ...contents.dice, reply_markup: rows, forward_origin: origin };
    expect(read(game)?.markdown).toBe(`[dice] 🎲 6\n\n${buttons}`);
    const picture = { ...contents.photo, reply_markup: rows, forward_origin: origin };
    expect(read(picture)).toMatchObject({ text: "", markdown: buttons });
  });

  it("are those of a preview, unless the text says it or it isn't shown", () => {
    expect(previewed({ url })).toBe(`look\n\n[Link preview](${url})`);
    expect(previewed({ url, is_disabled: true })).toBeUndefined();
    expect(previewed({ url }, `look: ${url}`)).toBeUndefined();
    expect(previewed({ url: 7 })).toBeUndefined();
  });
});

describe("what a person types stays raw", () => {
  it("in a command, with all its formatting", () => {
    const command = read({
      text: "/help me now",
      entities: [
        { type: "bot_command", offset: 0, length: 5 },
        { type: "bold", offset: 6, length: 2 },
      ],
    });
    expect(command).toMatchObject({ type: "command", argument: "me now" });
  });

  it("where nothing is formatted, a model reads just that", () => {
    expect(read({ text: "*a* [b] `c`" })).not.toHaveProperty("markdown");
    expect(edited({ text: "*a* [b] `c`" })).not.toHaveProperty("markdown");
  });

  it("in a word that decides", () => {
    const yes = read({ text: "yes", entities: [{ type: "bold", offset: 0, length: 3 }] });
    expect(yes).toMatchObject({ text: "yes", markdown: "**yes**" });
  });
});

const words: Readonly<Partial<Record<keyof typeof contents, string>>> = {
  animation: "[GIF]",
  audio: "[audio P – T]",
  checklist: "[checklist] To do\n- [ ] /help",
  checklist_tasks_added: "[added to a checklist] - [ ] /help",
  contact: "[contact] Ben, +491234",
  dice: "[dice] 🎲 6",
  document: "[file a.pdf]",
  game: "[game] Chess\n/help\n/help",
  gift: "[gift] /help",
  gift_upgrade_sent: "[gift] /help",
  giveaway: "[giveaway] /help, 1 winner, drawn on 2023-11-14, for subscribers of News",
  giveaway_winners: "[winners of a giveaway] 1 winner, of News, Ben",
  invoice: "[invoice] Tea, 5 Stars\n/help",
  live_photo: "[live photo]",
  location: "[live location] 52.5, 13.4",
  paid_media: "[paid media (5 Stars)]",
  photo: "[photo]",
  poll: "[poll] Tea?\n- Yes (1 vote)",
  refunded_payment: "[payment] 5 Stars",
  rich_message: "/help",
  sticker: "[sticker 👍]",
  story: "[story]",
  successful_payment: "[payment] 5 Stars",
  unique_gift: "[gift] Cake",
  venue: "[venue] Café, Main Street 1 (52.5, 13.4)",
  video: "[video]",
  video_note: "[video message]",
  voice: "[voice message]",
};

describe("every kind of content", () => {
  const kinds = Object.keys(contents) as (keyof typeof contents)[];

  it("that the types know has its place in the table", () => {
    expect(Object.keys(contentKinds).toSorted()).toEqual([...kinds, "text"].toSorted());
  });

  it.each(kinds)("is read as the table says where it is sent: %s", (kind) => {
    const translation = translate({ update_id: 1, message: messageOf(contents[kind]) }, context);
    const treatment = contentKinds[kind];
    if (treatment === "service") {
      expect(["nothing", "moved"]).toContain(translation.type);
      return;
    }
    if (translation.type !== "arrival" || translation.inbound.type !== "message")
      throw new TypeError(translation.type);
    const { inbound, refusal } = translation;
    expect(refusal !== undefined).toBe(treatment === "sentence");
    expect(kind in unreadable).toBe(treatment === "sentence");
    expect(readable.some((each) => each === kind)).toBe(treatment !== "sentence");
    if (treatment !== "words") return;
    // Data, and never what this person said.
    expect(inbound).toMatchObject({ text: "", markdown: words[kind], isForwarded: true });
  });

  it.each(kinds)("says its words where a reply points at it: %s", (kind) => {
    const inbound = read({ text: "so?", reply_to_message: { ...replied, ...contents[kind] } });
    const isOpening = kind === "forum_topic_created";
    expect(inbound?.quote?.text).toBe(isOpening ? undefined : words[kind]);
    const elsewhere = read({ text: "so?", external_reply: { origin, ...contents[kind] } });
    expect(elsewhere?.quote?.text).toBe(words[kind]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "a quiz that is over",
      {
        poll: {
          question: "Where?",
          description: "Choose",
          options: [
            { text: "Here", voter_count: 0 },
            { text: "There", voter_count: 2 },
          ],
          is_closed: true,
          correct_option_ids: [1],
          explanation: "see it",
          explanation_entities: [{ type: "text_link", offset: 4, length: 2, url }],
        },
      },
      `[closed poll] Where?\n- Here\n- There (2 votes, the right answer)\nChoose\nsee [it](${url})`,
    ],
    [
      "a list with tasks that are done",
      {
        checklist: {
          title: "Shop",
          tasks: [
            { id: 1, text: "milk", completion_date: 5 },
            {
              id: 2,
              text: "eggs",
              completion_date: 0,
              text_entities: [{ type: "strikethrough", offset: 0, length: 4 }],
            },
          ],
        },
      },
      "[checklist] Shop\n- [x] milk\n- [ ] ~~eggs~~",
    ],
    [
      "a card with more",
      {
        contact: {
          first_name: "Ben",
          last_name: "Low",
          phone_number: "+49",
          vcard: "BEGIN:VCARD\nEMAIL:b@a.example\nPHOTO:AAAA\nEND:VCARD",
        },
      },
      "[contact] Ben Low, +49\nEMAIL:b@a.example",
    ],
    [
      "a bill",
      { invoice: { title: "T-shirt", description: "Blue", currency: "EUR", total_amount: 1000 } },
      "[invoice] T-shirt, 10.00 EUR\nBlue",
    ],
    [
      "a bill in yen",
      { invoice: { title: "T", currency: "JPY", total_amount: 5 } },
      "[invoice] T, 5 JPY",
    ],
    [
      "a bill in nothing",
      { invoice: { title: "T", currency: "?", total_amount: 5 } },
      "[invoice] T",
    ],
    ["a place", { location: { latitude: 1.5, longitude: 0 } }, "[location] 1.5, 0"],
    ["a live photo alone", { live_photo: {} }, "[live photo]"],
    [
      "a rich message with a link and code",
      {
        rich_message: {
          blocks: [
            { type: "paragraph", text: ["see ", { type: "url", text: "it", url }] },
            { type: "pre", text: "let a;", language: "ts" },
            { type: "list", items: [{ label: "1.", blocks: [{ type: "paragraph", text: "a" }] }] },
          ],
        },
      },
      `see [it](${url})\n\`\`\`ts\nlet a;\n\`\`\`\n1. a`,
    ],
  ])("%s", (_, content, said) => {
    expect(contentWords(content)).toBe(said);
  });

  it("names the part that a reply points at", () => {
    const poll = {
      question: "Where?",
      options: ["Here", "There"].map((each, id) => ({ persistent_id: `${id}`, text: each })),
    };
    const asked = {
      text: "so?",
      reply_to_poll_option_id: "1",
      reply_to_message: { ...replied, poll },
    };
    expect(read(asked)?.quote?.text).toContain("- There (this one is meant)");
    const task = { reply_to_checklist_task_id: 1, ...contents.checklist };
    const about = read({
      text: "so?",
      ...task,
      checklist: undefined,
      reply_to_message: { ...replied, ...task },
    });
    expect(about?.quote?.text).toContain("/help (this one is meant)");
  });
});

it("is never lost for a field of another shape, and never becomes the person's own", () => {
  const fields = [
    ..."entities,caption,caption_entities,reply_to_message,external_reply,quote,reply_markup".split(
      ",",
    ),
    ..."link_preview_options,sender_chat,date,edit_date,message_thread_id,is_topic_message".split(
      ",",
    ),
    ..."media_group_id,author_signature,reply_to_story,is_automatic_forward,migrate_to_chat_id".split(
      ",",
    ),
    ..."reply_to_poll_option_id,reply_to_checklist_task_id,photo,poll,contact,live_photo".split(
      ",",
    ),
  ];
  const foreign = ["via_bot", "forward_origin", "sender_business_bot"];
  const odd = fc.constantFrom<unknown>("x", 7, null, [], [7], [[]], {}, { text: 7 }, [
    { offset: "a" },
  ]);
  fc.assert(
    fc.property(fc.constantFrom(...fields, ...foreign), odd, (field, value) => {
      const inbound = read({ text: "hello", [field]: value });
      const isMigration = field === "migrate_to_chat_id" && typeof value === "number";
      if (isMigration) return;
      expect(inbound, field).toMatchObject({ type: "message", text: "hello" });
      expect(inbound?.isForwarded === true, field).toBe(foreign.includes(field));
    }),
    { numRuns: 400 },
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(contentKinds)), fc.anything(), (kind, value) => {
      expect(typeof contentWords({ [kind]: value })).toBe("string");
    }),
    { numRuns: 1_000 },
  );
});
