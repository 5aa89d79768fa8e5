import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import {
  markdownOf,
  markdownPieces,
  markdownWithin,
} from "../../../src/bots/telegram/receive/entities-markdown.ts";
import { linkTo } from "../../../src/bots/telegram/receive/markdown-marks.ts";
import type { TelegramEntity } from "../../../src/bots/telegram/receive/update.ts";

/** All words of a parsed document. */
const wordsIn = (node: {
  readonly value?: string;
  readonly children?: readonly object[];
}): string => node.value ?? (node.children ?? []).map(wordsIn).join("");

type Mark = readonly [type: string, words: string, more?: Partial<TelegramEntity>];

/** The entities of these parts of a text, with offsets as Telegram counts them: in UTF-16 units. */
const marked = (text: string, ...marks: readonly Mark[]) => ({
  text,
  entities: marks.map(([type, words, more]) => ({
    type,
    offset: text.indexOf(words),
    length: words.length,
    ...more,
  })),
});
const link = (words: string, url: string): Mark => ["text_link", words, { url }];
const person = { id: 8, first_name: "Ben", last_name: "Low" };

describe("formatting", () => {
  it.each<[string, ReturnType<typeof marked>, string]>([
    ["nothing", marked("a *b* _c_ [d] `e` 1. #"), "a *b* _c_ [d] `e` 1. #"],
    [
      "a hidden link",
      marked("Summarise this article please", link("this article", "https://news.example/a?id=7")),
      "Summarise [this article](https://news.example/a?id=7) please",
    ],
    [
      "a link after emoji",
      marked("👨‍👩‍👧 see 🇫🇷 here", link("here", "https://a.example")),
      "👨‍👩‍👧 see 🇫🇷 [here](https://a.example)",
    ],
    [
      "an address that people see",
      marked("https://a.example is up", ["url", "https://a.example"]),
      "https://a.example is up",
    ],
    [
      "a link whose words are its address",
      marked("go to https://a.example", link("https://a.example", "https://a.example")),
      "go to https://a.example",
    ],
    [
      "a link whose words are another address",
      marked("https://bank.example", link("https://bank.example", "https://evil.example/x")),
      "[https://bank.example](https://evil.example/x)",
    ],
    [
      "two links next to each other",
      marked("ab", link("a", "https://a.example"), link("b", "https://b.example")),
      "[a](https://a.example)[b](https://b.example)",
    ],
    [
      "a link in bold words",
      marked("read this now", ["bold", "read this now"], link("this", "https://a.example")),
      "**read [this](https://a.example) now**",
    ],
    [
      "a bold link",
      marked("read this", ["bold", "this"], link("this", "https://a.example")),
      "read **[this](https://a.example)**",
    ],
    [
      "styles",
      marked("a b c d e", ["bold", "a"], ["italic", "b"], ["underline", "c"], ["spoiler", "d"]),
      "**a** *b* <u>c</u> ||d|| e",
    ],
    ["struck words", marked("milk eggs bread", ["strikethrough", "eggs"]), "milk ~~eggs~~ bread"],
    [
      "nested styles",
      marked("one two three", ["bold", "one two three"], ["italic", "two"]),
      "**one *two* three**",
    ],
    [
      "styles that cross",
      marked("one two three", ["bold", "one two"], ["italic", "two three"]),
      "**one *two*** *three*",
    ],
    ["a style with blanks at its ends", marked("a b c", ["bold", " b "]), "a **b** c"],
    ["a style over lines", marked("a\n\nb", ["bold", "a\n\nb"]), "**a**\n\n**b**"],
    ["code in a line", marked("run npm i now", ["code", "npm i"]), "run `npm i` now"],
    ["code with backticks", marked("a `b`", ["code", "`b`"]), "a `` `b` ``"],
    [
      "a block of code",
      marked("Fix:\nlet a;\nplease", ["pre", "let a;", { language: "ts" }]),
      "Fix:\n```ts\nlet a;\n```\nplease",
    ],
    [
      "a block within a line",
      marked("Fix let a; please", ["pre", "let a;"]),
      "Fix \n```\nlet a;\n```\n please",
    ],
    [
      "a block with a fence in it",
      marked("````\n```", ["pre", "````\n```"]),
      "`````\n````\n```\n`````",
    ],
    ["a language that is none", marked("a", ["pre", "a", { language: "``` x\ny" }]), "```\na\n```"],
    [
      "a quote",
      marked("He said:\nno\nnever\nI agree", ["blockquote", "no\nnever"]),
      "He said:\n> no\n> never\n\nI agree",
    ],
    [
      "a folded quote with an empty line and a link",
      marked("a\n\nb", ["expandable_blockquote", "a\n\nb"], link("b", "https://a.example")),
      "> a\n>\n> [b](https://a.example)",
    ],
    [
      "code in a quote",
      marked("x\ny\nz", ["blockquote", "x\ny"], ["pre", "y"]),
      "> x\n> ```\n> y\n> ```\n\nz",
    ],
    ["a quote within a line", marked("a b c", ["blockquote", "b"]), "a \n> b\n\n c"],
    [
      "a person's name",
      marked("ask my boss", ["text_mention", "my boss", { user: person }]),
      "ask my boss (Ben Low)",
    ],
    ["a person by name", marked("ask Ben", ["text_mention", "Ben", { user: person }]), "ask Ben"],
    [
      "a moment",
      marked("at 22:45 tomorrow", ["date_time", "22:45 tomorrow", { unix_time: 1_647_531_900 }]),
      "at 22:45 tomorrow (2022-03-17T15:45:00Z)",
    ],
    ["no moment", marked("soon", ["date_time", "soon", { unix_time: 1e300 }]), "soon"],
    [
      "what is visible anyway",
      marked("#a @b $C 👍", ["hashtag", "#a"], ["mention", "@b"], ["custom_emoji", "👍"]),
      "#a @b $C 👍",
    ],
  ])("%s", (_, written, markdown) => {
    expect(markdownOf(written)).toBe(markdown);
  });
});

const at = (offset: number, length: number, type = "bold", url?: string): TelegramEntity => ({
  type,
  offset,
  length,
  url,
});
describe("malformed entities", () => {
  const url = "https://a.example";

  it.each<[string, string, readonly TelegramEntity[], string]>([
    ["behind the end", "abc", [at(9, 2)], "abc"],
    ["over the end", "abc", [at(1, 9)], "a**bc**"],
    ["before the beginning", "abc", [at(-1, 2)], "abc"],
    ["without a length", "abc", [at(1, 0), at(1, -1)], "abc"],
    ["between numbers", "abc", [at(0.5, 1)], "abc"],
    ["in the middle of a character", "a😀b", [at(2, 1)], "a**😀**b"],
    ["of blanks", "a  b", [at(1, 2)], "a  b"],
    ["twice the same", "abc", [at(0, 3), at(0, 3)], "**abc**"],
    ["an address behind the end", "abc", [at(9, 2, "text_link", url)], `abc ([link](${url}))`],
    [
      "links in one another",
      "abc",
      [at(0, 3, "text_link", url), at(1, 1, "text_link", "https://b.example")],
      `[abc](${url}) ([link](https://b.example))`,
    ],
    ["a link in code", "abc", [at(0, 3, "code"), at(1, 1, "text_link", url)], `a[b](${url})c`],
    ["a link without an address", "abc", [at(0, 3, "text_link")], "abc"],
    [
      "a style across a link's end",
      "ab cd ef",
      [at(3, 2, "text_link", url), at(4, 4)],
      `ab [c**d**](${url}) **ef**`,
    ],
    ["a quote that begins in code", "a b c", [at(0, 3, "code"), at(2, 3, "blockquote")], "`a b` c"],
  ])("%s", (_, text, entities, markdown) => {
    expect(markdownOf({ text, entities })).toBe(markdown);
  });
});

it.each([
  ["https://a.example/b_(c)", "[x](https://a.example/b_(c))"],
  ["https://a.example/b)", "[x](<https://a.example/b)>)"],
  ["https://a.example/\n[y](z) <b>", "[x](https://a.example/%0A[y](z)%20%3Cb%3E)"],
  ["https://a.example/\u202egnp", "[x](https://a.example/%E2%80%AEgnp)"],
  ["https://a.example/\ud800", "[x](https://a.example/\ufffd)"],
  ["https://пример.рф/ж", "[x](https://пример.рф/ж)"],
  ["javascript:alert(1)", "[x](javascript:alert(1))"],
  ["tg://resolve?domain=a", "[x](tg://resolve?domain=a)"],
])("the address %j is shown in whole: %s", (url, markdown) => {
  expect(linkTo("x", url)).toBe(markdown);
});

const types = [
  ..."bold,italic,underline,strikethrough,spoiler,code,pre,blockquote,text_link".split(","),
  ..."expandable_blockquote,text_mention,date_time,custom_emoji,mention,hologram".split(","),
];
const anyEntity = fc.record({
  type: fc.constantFrom(...types),
  offset: fc.integer({ min: -3, max: 40 }),
  length: fc.integer({ min: -1, max: 40 }),
  url: fc.option(fc.constantFrom("https://a.example/)(", "x\ny", ""), { nil: undefined }),
  language: fc.option(fc.string(), { nil: undefined }),
  unix_time: fc.option(fc.double(), { nil: undefined }),
  user: fc.option(fc.constant(person), { nil: undefined }),
});
const anyText = fc
  .array(fc.constantFrom("a", "b ", "\n", "`", "😀", "*", "[", "]", "> ", "é", "(", "\ud83d", "中"))
  .map((parts) => parts.join(""));
const anyWritten = fc.record({
  text: anyText,
  entities: fc.array(anyEntity as fc.Arbitrary<TelegramEntity>, { maxLength: 12 }),
});

describe("for any text and any entities", () => {
  it("without its marks it is the text, and no character is split", () => {
    fc.assert(
      fc.property(anyWritten, (written) => {
        const pieces = markdownPieces(written);
        const words = pieces.filter(({ isMark }) => !isMark).map(({ text }) => text);
        expect(words.join("")).toBe(written.text);
        if (written.text.isWellFormed()) expect(markdownOf(written).isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it("each address is shown, and a link's words are where they were", () => {
    fc.assert(
      fc.property(anyWritten, fc.nat(), fc.nat(), ({ text, entities }, from, size) => {
        fc.pre(text.trim() !== "" && text.isWellFormed());
        const offset = from % text.length;
        const length = 1 + (size % (text.length - offset));
        const hidden = { type: "text_link", offset, length, url: "https://z.example/" };
        const shown = markdownOf({ text, entities: [...entities, hidden] as TelegramEntity[] });
        expect(shown).toContain("https://z.example/");
      }),
      { numRuns: 500 },
    );
  });

  it("it fits where it has to, without half an address", () => {
    fc.assert(
      fc.property(anyWritten, fc.integer({ min: 60, max: 200 }), (written, maxLength) => {
        const shown = markdownWithin(written, maxLength);
        expect(shown.length).toBeLessThanOrEqual(maxLength);
      }),
      { numRuns: 500 },
    );
    const long = marked(
      `${"a".repeat(90)} here`,
      link("here", `https://a.example/${"b".repeat(80)}`),
    );
    expect(markdownWithin(long, 100)).toBe(long.text);
    expect(markdownWithin(long, 195)).toContain(`](https://a.example/${"b".repeat(80)})`);
  });

  it("a reader of Markdown finds the words again", () => {
    const plain = fc
      .array(fc.constantFrom("a", "b ", "😀 ", "é", "中 ", "d"), { minLength: 1 })
      .map((parts) => `w${parts.join("")}w`);
    const style = fc.record({
      type: fc.constantFrom("bold", "italic", "text_link", "code", "mention"),
      offset: fc.nat(),
      length: fc.nat(),
    });
    fc.assert(
      fc.property(plain, style, (text, { type, offset, length }) => {
        const characters = Array.from(text);
        const from = characters.slice(0, offset % characters.length).join("").length;
        const to = text.length - (length % (text.length - from));
        const entities = [{ type, offset: from, length: to - from, url: "https://a.example/(" }];
        const shown = markdownOf({ text, entities });
        // Emphasis within a word isn't emphasis everywhere.
        const said = wordsIn(fromMarkdown(shown)).replaceAll("*", "");
        expect(said).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  it("costs as much as it is long", () => {
    const text = "a\n`😀 ".repeat(20_000);
    const entities = types.flatMap((type) =>
      Array.from({ length: 20 }, (_, index) => ({
        type,
        offset: index * 7,
        length: text.length - index * 11,
        url: `https://a.example/${index}`,
      })),
    );
    const shown = markdownOf({ text, entities });
    expect(shown.length).toBeLessThan(text.length * 20);
  });
});
