import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { richBlocksOf } from "../../../src/bots/telegram/format/rich.ts";
import { richWords } from "../../../src/bots/telegram/receive/rich-words.ts";
import { chatKey } from "../../../src/core/chat.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { answer, deliverAll, deliveryDeps, draftOf, writeDraft } from "../../delivery/support.ts";
import { leaseMs, storeOn } from "../../store/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { readRichMessage } from "../../emulators/telegram/rich-messages.ts";
import { telegramSubject } from "./sender-subject.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);

/** What the emulated server makes of it; throws what it refuses. */
const shown = (markdown: string): string | undefined => {
  const blocks = richBlocksOf(markdown);
  return (
    blocks &&
    readRichMessage({
      rich_message: JSON.stringify({ blocks, skip_entity_detection: true }),
    })?.text
  );
};

describe("rich blocks", () => {
  it.each([
    ["write to **us**: a.b@example.org", "write to us: a.b@example.org"],
    ["see www.nowhere and *this*", "see www.nowhere and this"],
    ["*see* http://a.example/b.", "see http://a.example/b."],
    ["**[app](http://localhost:3000)**", "app (http://localhost:3000)"],
    ["![cat](http://a.example:0/) *x*", "cat (http://a.example:0/) x"],
    ["|a|\n|-|\n|[3000](http://localhost:3000)|", "a\n3000 (http://localhost:3000)"],
    ["*see* [it](tg://x)", "see it (tg://x)"],
  ])("say an address once: %s", (markdown, words) => {
    expect(richWords({ blocks: richBlocksOf(markdown) })).toBe(words);
  });

  it.each(["*a* `\u202e` b", "*a* \\(\u202e\\) b", "*a* [](\u202e) b", "*a* [\u202e](\u202e) b"])(
    "hold nothing that is empty once it is cleaned: %j",
    (markdown) => {
      expect(shown(markdown)).toMatch(/^a .*b$/);
    },
  );

  it("are headings, lists, tables, code, formulas and links", () => {
    const markdown = [
      "# Plan *now*",
      "Read [this](https://example.org/a), `x` and $a^2$.",
      "- [x] done\n- open\n  1. inner",
      "| a | b |\n|:--|--:|\n| 1 | **2** |",
      "> quoted",
      "```ts\nconst a = 1;\n```",
      "$$\nE = mc^2\n$$",
      "---",
    ].join("\n\n");
    expect(richBlocksOf(markdown)).toEqual([
      {
        type: "heading",
        size: 1,
        text: ["Plan ", { type: "italic", text: ["now"] }],
      },
      {
        type: "paragraph",
        text: [
          "Read ",
          { type: "url", text: ["this"], url: "https://example.org/a" },
          ", ",
          { type: "code", text: "x" },
          " and ",
          { type: "mathematical_expression", expression: "a^2" },
          ".",
        ],
      },
      {
        type: "list",
        items: [
          {
            blocks: [{ type: "paragraph", text: ["done"] }],
            has_checkbox: true,
            is_checked: true,
          },
          {
            blocks: [
              { type: "paragraph", text: ["open"] },
              {
                type: "list",
                items: [
                  {
                    blocks: [{ type: "paragraph", text: ["inner"] }],
                    value: 1,
                    type: "1",
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        type: "table",
        is_bordered: true,
        cells: [
          [
            { text: ["a"], is_header: true, align: "left", valign: "middle" },
            { text: ["b"], is_header: true, align: "right", valign: "middle" },
          ],
          [
            { text: ["1"], align: "left", valign: "middle" },
            {
              text: [{ type: "bold", text: ["2"] }],
              align: "right",
              valign: "middle",
            },
          ],
        ],
      },
      { type: "blockquote", blocks: [{ type: "paragraph", text: ["quoted"] }] },
      { type: "pre", text: "const a = 1;", language: "ts" },
      { type: "mathematical_expression", expression: "E = mc^2" },
      { type: "divider" },
    ]);
    expect(shown(markdown)).toContain("E = mc^2");
  });

  it.each([
    '<tg-button type="callback_data" data="aa:1">Approve</tg-button>',
    "![cat](https://evil.example/a.jpg)",
    "[you](tg://user?id=7) and [that](javascript:alert(1))",
    '<a href="tg://user?id=7">x</a> *y*',
  ])("keep what a model must not make as words: %s", (markdown) => {
    const json = JSON.stringify(richBlocksOf(markdown));
    expect(json).not.toMatch(/"type":"(?:button|buttons|photo|text_mention)"/);
    expect(json).not.toMatch(/"url":"(?!https?:)/);
    expect(shown(markdown)).toBeDefined();
  });

  it.each([
    ["plain words", "Nothing to mark up here."],
    ["nothing that shows", "[]()"],
    ["too many columns", `|${"a|".repeat(21)}\n|${"-|".repeat(21)}`],
    ["too deep a nesting", `${"> ".repeat(20)}deep`],
    ["too many blocks", "- a\n".repeat(501)],
  ])("are none for %s", (_, markdown) => {
    expect(richBlocksOf(markdown)).toBeUndefined();
  });

  it("are taken by a strict server, whatever the document", () => {
    const piece = fc.constantFrom(
      ..."# |*|**|_|~~|`|```|> |- |1. |- [ ] |[a](b)|[a](http://localhost)|![](https://a.bc/d)|<b>|$x$|$$|\\(|\n|\n\n|||||---|[^1]|[^1]: |\ud800|🙂|\t|\0|a|||".split(
        "|",
      ),
      " | ",
      "||",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        shown(pieces.join(""));
      }),
      { numRuns: 2_000 },
    );
  });

  it("say the same where they are quoted", () => {
    const blocks = richBlocksOf("# Plan\n\nRead **this** now.\n\n- one\n- two");
    expect(richWords({ blocks })).toBe("Plan\nRead this now.\none\ntwo");
    expect(richWords(undefined)).toBe("");
    expect(richWords({ blocks: [7, null, { text: [{}] }] })).toBe("");
  });
});

async function openRich() {
  const subject = await telegramSubject({ richMessages: true });
  const chat = chatKey(subject.address);
  const deps = deliveryDeps(outbox, subject.sender);
  return {
    ...subject,
    async show(text: string): Promise<void> {
      await writeDraft(redis, chat, draftOf("turn-1", text));
      await deliverAll(deps, chat);
    },
    async finish(text: string): Promise<void> {
      await writeDraft(redis, chat, undefined);
      await inbox.post(chat, answer("turn-1", text));
      await deliverAll(deps, chat);
    },
    messages: () => subject.telegram.botMessages(Number(subject.address.chat)),
  };
}

const table = "# Prices\n\n| a | b |\n|---|---|\n| 1 | 2 |";

describe("with rich messages", () => {
  it("a finished answer is one, sent or in the place of its draft, also where their words are the same", async () => {
    await using scene = await openRich();
    await scene.finish(table);
    expect(scene.messages()).toMatchObject([
      {
        text: "Prices\n\na | b\n1 | 2",
        disableNotification: false,
        raw: { rich_message: { blocks: [{ type: "heading" }, {}] } },
      },
    ]);
    await using other = await openRich();
    await other.show(table);
    expect(other.messages()).toHaveLength(1);
    expect(other.messages()[0]?.raw.rich_message).toBeUndefined();
    await other.finish(table);
    const [message, ...more] = other.messages();
    expect(more).toEqual([]);
    expect(message?.raw.rich_message).toBeDefined();
    expect(message?.raw.text).toBeUndefined();
    for (const { telegram } of [scene, other]) expect(telegram.violations).toEqual([]);
  });

  it.each([
    ["refuses it", 400, "Bad Request: can't parse rich message"],
    ["has no such method", 404, "Not Found: method not found"],
  ])("it is text where the server %s", async (_, code, description) => {
    await using scene = await openRich();
    const { telegram } = scene;
    telegram.inject({
      method: "sendRichMessage",
      kind: { type: "status", code, description },
    });
    await scene.finish(table);
    expect(scene.messages()).toHaveLength(1);
    expect(scene.messages()[0]?.raw.rich_message).toBeUndefined();
    expect(scene.messages()[0]?.text).toContain("Prices");
    expect(telegram.violations).toEqual([]);
  });

  it("an answer of several messages, and plain words, are sent as ever", async () => {
    await using scene = await openRich();
    const paragraphs = `**long** ${"words ".repeat(100)}\n\n`.repeat(10);
    await scene.finish(paragraphs);
    expect(scene.messages().length).toBeGreaterThan(1);
    await inbox.post(chatKey(scene.address), answer("turn-2", "Just these words."));
    await deliverAll(deliveryDeps(outbox, scene.sender), chatKey(scene.address));
    expect(scene.telegram.callsOf("sendRichMessage")).toEqual([]);
    expect(scene.telegram.violations).toEqual([]);
  });
});

it("a note is a paragraph of its own in italics, behind all blocks", () => {
  const blocks = richBlocksOf("# Plan\n\n```ts\nconst x = 1;", "Cut [here](x).");
  expect(blocks?.slice(1)).toEqual([
    { type: "pre", text: "const x = 1;", language: "ts" },
    { type: "paragraph", text: { type: "italic", text: "Cut [here](x)." } },
  ]);
});
