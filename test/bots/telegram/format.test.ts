import type { MessageEntity } from "@grammyjs/types";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPlain, parseMarkdown } from "../../../src/bots/markdown/parse.ts";
import { flatten, walk } from "../../../src/bots/markdown/flatten.ts";
import { isInvisible } from "../../../src/bots/telegram/format/clean-text.ts";
import {
  formatMarkdown,
  formatPlain,
  renderMarkdown,
} from "../../../src/bots/telegram/format/format.ts";
import { linkOf } from "../../../src/bots/telegram/format/link.ts";
import { splitStyled } from "../../../src/bots/telegram/format/split.ts";
import type { Chunk } from "../../../src/core/ports.ts";
import { cleanText as cleanLikeServer } from "../../emulators/telegram/clean-text.ts";
import {
  checkEntities,
  maxEntities,
  maxTextUnits,
} from "../../emulators/telegram/formatted-text.ts";
import { linkProblem } from "../../emulators/telegram/links.ts";

const entitiesOf = (chunk: Chunk) => (chunk.markup ?? []) as MessageEntity[];

/** One chunk as text and `type:"the text that it covers"`. */
function shown(markdown: string): { text: string; styles: string[] } {
  const [chunk, ...rest] = formatMarkdown(markdown);
  if (chunk === undefined || rest.length > 0)
    throw new Error(`expected one message, not ${rest.length + 1}`);
  const styles = entitiesOf(chunk).map((entity) => {
    const covered = chunk.text.slice(entity.offset, entity.offset + entity.length);
    const detail =
      entity.type === "text_link"
        ? `(${entity.url})`
        : entity.type === "pre" && entity.language !== undefined
          ? `(${entity.language})`
          : "";
    return `${entity.type}${detail}: ${covered}`;
  });
  return { text: chunk.text, styles };
}

describe("rendering", () => {
  it.each<[string, string, string, string[]]>([
    ["plain text", "Hello\nthere.\n\nBye!", "Hello\nthere.\n\nBye!", []],
    ["bold", "a **b** c", "a b c", ["bold: b"]],
    ["nested styles", "***a** b* ~~c~~", "a b c", ["italic: a b", "bold: a", "strikethrough: c"]],
    ["bold in bold", "**a __b__ c**", "a b c", ["bold: a b c"]],
    ["code", "run `npm  ci`", "run npm  ci", ["code: npm  ci"]],
    ["code in bold", "**a `b` c**", "a b c", ["bold: a", "code: b", "bold: c"]],
    [
      "a fence with a language",
      "```ts\nlet a = 1;\n\n  b\n```",
      "let a = 1;\n\n  b",
      ["pre(ts): let a = 1;\n\n  b"],
    ],
    ["a fence that is not closed yet", "```js\nf(", "f(", ["pre(js): f("]],
    ["tabs in code", "```\n\tx\n```", "    x", ["pre:     x"]],
    ["a strange language", '```{.python file="a b"}\nx\n```', "x", ["pre: x"]],
    [
      "a link",
      "[the *docs*](https://example.com/a)",
      "the docs",
      ["text_link(https://example.com/a): the docs", "italic: docs"],
    ],
    [
      "code in a link",
      "[`f()`](https://example.com)",
      "f()",
      ["text_link(https://example.com/): f()"],
    ],
    ["a bare link", "see https://example.com/a_b*", "see https://example.com/a_b*", []],
    ["an autolink", "<https://example.com>", "https://example.com", []],
    ["an e-mail address", "<me@example.com>", "me@example.com", []],
    ["a relative link", "[a](/b/c)", "a (/b/c)", []],
    ["a script link", "[a](javascript:alert(1))", "a (javascript:alert(1))", []],
    ["a mention link", "[a](tg://user?id=1)", "a (tg://user?id=1)", []],
    ["a link without a host", "[a](http://b)", "a (http://b)", []],
    [
      "a link to this machine",
      "see [*the app*](http://localhost:3000/a)",
      "see the app (http://localhost:3000/a)",
      ["italic: the app"],
    ],
    [
      "a picture on this machine",
      "![a cat](http://localhost/c.png)",
      "a cat (http://localhost/c.png)",
      [],
    ],
    ["a link with port 0", "[a](http://example.com:0/)", "a (http://example.com:0/)", []],
    [
      "a link to an IPv6 address",
      "[a](http://[::1]:3000/)",
      "a",
      ["text_link(http://[::1]:3000/): a"],
    ],
    [
      "a link with a broken escape in its user's name",
      "[a](http://b%:41@example.com/)",
      "a (http://b%:41@example.com/)",
      [],
    ],
    [
      "a link whose words are invisible",
      "[\u200B](https://example.com)",
      "https://example.com",
      [],
    ],
    [
      "a table with a link to this machine",
      "|a|\n|-|\n|[3000](http://localhost:3000)|",
      "a\n────\n3000\n3000 (http://localhost:3000)",
      ["pre: a\n────\n3000"],
    ],
    ["a link without words", "[](https://example.com)", "https://example.com", []],
    [
      "a reference",
      "[a][1] and [b]\n\n[1]: https://example.com/1\n[b]: https://example.com/b",
      "a and b",
      ["text_link(https://example.com/1): a", "text_link(https://example.com/b): b"],
    ],
    [
      "sources that nothing refers to",
      "Done.\n\n[1]: https://example.com/1",
      "Done.\n\n[1]: https://example.com/1",
      [],
    ],
    [
      "an image",
      "![a cat](https://example.com/c.png)",
      "a cat",
      ["text_link(https://example.com/c.png): a cat"],
    ],
    ["an image without an address", "![cat](c.png)", "cat (c.png)", []],
    ["a heading", "# One **two**\n\ntext", "One two\n\ntext", ["bold: One two"]],
    [
      "a list",
      "- a\n- b\n  - c\n    1. d\n    2. e\n- f",
      "• a\n• b\n  • c\n    1. d\n    2. e\n• f",
      [],
    ],
    ["a list that starts late", "3. a\n4. b", "3. a\n4. b", []],
    ["tasks", "- [x] a\n- [ ] b", "☑ a\n☐ b", []],
    ["a loose list", "- a\n\n- b", "• a\n\n• b", []],
    [
      "code in a list",
      "1. a\n   ```sh\n   ls\n     x\n   ```\n2. b",
      "1. a\nls\n  x\n2. b",
      ["pre(sh): ls\n  x"],
    ],
    ["a quote", "> a\n> **b**\n\nc", "a\nb\n\nc", ["blockquote: a\nb", "bold: b"]],
    ["a quote in a quote", "> a\n> > b\n> > c", "a\n\n> b\n> c", ["blockquote: a\n\n> b\n> c"]],
    ["code in a quote", "> ```\n>   a\n> ```", "  a", ["blockquote:   a", "pre:   a"]],
    ["a rule", "a\n\n---\n\nb", "a\n\n———\n\nb", []],
    ["HTML", "a <b>c</b> &lt;d&gt;", "a <b>c</b> <d>", []],
    ["a block of HTML", "<div>\nx\n</div>", "<div>\nx\n</div>", []],
    ["a table", "|a|b|\n|-|-:|\n|1|22|", "a   b\n─  ──\n1  22", ["pre: a   b\n─  ──\n1  22"]],
    [
      "a table with a link",
      "|a|\n|-|\n|[x](https://example.com)|",
      "a\n─\nx\nx",
      ["pre: a\n─\nx", "text_link(https://example.com/): x"],
    ],
    [
      "a table that is too wide for a phone",
      "| Name | What it does for all of the people |\n|--|--|\n| **Tea** | [warms](https://example.com/) on cold days |\n| Ice | |\n| `c` | d\\|e |",
      "Name: Tea\nWhat it does for all of the people: warms on cold days\n\nName: Ice\n\nName: c\nWhat it does for all of the people: d|e",
      [
        "bold: Name:",
        "bold: Tea",
        "bold: What it does for all of the people:",
        "text_link(https://example.com/): warms",
        "bold: Name:",
        "bold: Name:",
        "code: c",
        "bold: What it does for all of the people:",
      ],
    ],
    [
      "formulas",
      "so $a_1 * b_2$ and \\(x_1 * y_1\\), $$e_1$$",
      "so $a_1 * b_2$ and \\(x_1 * y_1\\), $$e_1$$",
      ["code: $a_1 * b_2$", "code: \\(x_1 * y_1\\)", "code: $$e_1$$"],
    ],
    [
      "formulas on lines of their own",
      "a\n$$\nx_1 = *y*\n+ z_1\n$$\nb\n\n\\[\nx\n\\]",
      "a\n\n$$\nx_1 = *y*\n+ z_1\n$$\n\nb\n\n\\[\nx\n\\]",
      ["pre(latex): $$\nx_1 = *y*\n+ z_1\n$$", "pre(latex): \\[\nx\n\\]"],
    ],
    ["prices", "from $5 to $10, $7/$8", "from $5 to $10, $7/$8", []],
    ["brackets that are no formula", "\\[a\\](b) \\(two words\\)", "[a](b) (two words)", []],
    [
      "a spoiler, which hides code too",
      "a ||b *c* `d`|| e || f",
      "a b c d e || f",
      ["spoiler: b c d", "italic: c"],
    ],
    ["bars that hide nothing", "a || b || c \\||d||", "a || b || c ||d||", []],
    ["underlined words", "<u>a *b*</u> c</u>", "a b c</u>", ["underline: a b", "italic: b"]],
    ["line breaks in HTML", "a<br>b", "a\nb", []],
    ["a quote below words", "a\n\n> b\n\nc", "a\n\nb\n\nc", ["blockquote: b"]],
    ["a quote in a list", "- > a\n- b", "• \n  a\n• b", ["blockquote:   a"]],
    ["a footnote", "a[^1]\n\n[^1]: b", "a[1]\n\n[1] b", []],
    ["a hard break", "a  \nb\\\nc", "a\nb\nc", []],
    ["escapes", String.raw`\*a\* 2\_3`, "*a* 2_3", []],
    ["unfinished marks", "**a _b `c", "**a _b `c", []],
    [
      "snake_case_names and 2*3*4",
      "snake_case_names and 2*3*4",
      "snake_case_names and 234",
      ["italic: 3"],
    ],
    ["nothing that shows", "[]()", "[]()", []],
    ["an empty heading", "#", "#", []],
    ["only spaces by name", "&nbsp;", "&nbsp;", []],
    ["an Å of two parts", "A\u030A", "Å", []],
    ["a lone surrogate", "a\uD83D", "a\uFFFD", []],
    ["Windows' line ends", "a\r\nb", "a\nb", []],
  ])("%s", (_, markdown, text, styles) => {
    expect(shown(markdown)).toEqual({ text, styles });
  });

  it.each([
    "",
    " \n ",
    "\u200B",
    "\u2800\uFEFF",
    "\u3164",
    "\uFE0F",
    "\u00AD",
    "\u2800",
    "\u115F\u1160",
    "\u2060 \uFFFC",
    "\u200B".repeat(50),
  ])("gives nothing for %j", (text) => {
    expect(formatMarkdown(text)).toEqual([]);
    expect(formatPlain(text)).toEqual([]);
  });

  it("marks no code of nothing but blanks, which Telegram would drop", () => {
    expect(formatMarkdown("a ` ` b")).toEqual([{ text: "a   b" }]);
    expect(formatMarkdown("**``` ```ts\n")).toEqual([{ text: "** ts" }]);
  });

  it("leaves plain words as they are", () => {
    expect(formatPlain("**a** `b`\n\n\n/c ")).toEqual([{ text: "**a** `b`\n\n\n/c" }]);
  });

  it("shows a text that is too long to be parsed", () => {
    const chunks = formatMarkdown("[a](".repeat(20_000));
    expect(chunks.map(({ text }) => text).join("")).toBe("[a](".repeat(20_000));
  });

  it("formats a long document, code of any length and what stands around it included", () => {
    const code = "let value = 1;\n".repeat(3_000);
    const chunks = formatMarkdown(
      `${"Some **bold** words.\n\n".repeat(1_000)}\`\`\`ts\n${code}\`\`\`\n\n**end**`,
    );
    const all = chunks.map(({ text }) => text).join("\n");
    expect(all).not.toMatch(/[*`]/);
    expect(all.match(/let value = 1;/g)).toHaveLength(3_000);
    expect(all.match(/Some bold words\./g)).toHaveLength(1_000);
    const types = chunks.flatMap(entitiesOf).map(({ type }) => type);
    expect(types.filter((type) => type === "bold")).toHaveLength(1_001);
  });
});

describe("splitting", () => {
  it("closes a block of code and opens it again, with its language", () => {
    const line = "const value = compute(1, 2, 3);";
    const code = Array.from({ length: 190 }, () => line).join("\n");
    const intro = "word ".repeat(300).trim();
    const chunks = formatMarkdown(`${intro}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${intro}`);
    const [first, ...others] = chunks;
    expect(first?.text).toBe(intro);
    const blocks = others.flatMap((chunk) => entitiesOf(chunk));
    expect(blocks).toHaveLength(2);
    for (const block of blocks) expect(block).toMatchObject({ type: "pre", language: "ts" });
    for (const { text } of chunks) expect(text.length).toBeLessThanOrEqual(maxTextUnits);
    const lines = others.flatMap(({ text }) => text.split("\n"));
    expect(lines.filter((each) => each === line)).toHaveLength(190);
  });

  it("keeps the indentation of code at the head of a message", () => {
    const code = Array.from({ length: 500 }, () => "    indented").join("\n");
    for (const { text } of formatMarkdown(`\`\`\`\n${code}\n\`\`\``))
      expect(text.startsWith("    indented")).toBe(true);
  });

  it("carries styles across a border", () => {
    const chunks = formatMarkdown(`**${"bold words ".repeat(500)}end**`);
    expect(chunks.length).toBe(2);
    for (const chunk of chunks)
      expect(entitiesOf(chunk)).toEqual([{ type: "bold", offset: 0, length: chunk.text.length }]);
  });

  it("keeps emoji whole", () => {
    const family = "👨‍👩‍👧‍👦";
    const chunks = formatMarkdown(family.repeat(1_000));
    for (const { text } of chunks) expect(text.length % family.length).toBe(0);
  });

  it("tears no link and no few bold words", () => {
    const words = "word ".repeat(790);
    const chunks = formatMarkdown(
      `${words}[${"a link ".repeat(30).trim()}](https://example.com) **${"bold ".repeat(800)}end**`,
    );
    const [link, ...bold] = chunks.flatMap(entitiesOf);
    expect(link).toMatchObject({ type: "text_link", offset: 0 });
    expect(chunks[0]?.text).toBe(words.trim());
    // What is longer than a message goes on.
    expect(bold.length).toBeGreaterThan(1);
  });

  it("gives a message no more entities than Telegram keeps", () => {
    const chunks = formatMarkdown("`a` ".repeat(250));
    for (const chunk of chunks) expect(entitiesOf(chunk).length).toBeLessThanOrEqual(maxEntities);
    expect(chunks.flatMap(entitiesOf)).toHaveLength(250);
  });
});

const fragments = [
  "**",
  "*",
  "_",
  "__",
  "~~",
  "`",
  "```",
  "```ts\n",
  "\n",
  "\n\n",
  "> ",
  ">> ",
  "- ",
  "1. ",
  "  ",
  "    ",
  "# ",
  "[",
  "](",
  ")",
  "![",
  "](https://example.com/a)",
  "](http://localhost:3000/a)",
  "](http://example.com:0)",
  "[^1]",
  "[^1]: ",
  "[x]: ",
  "|",
  "|-|",
  "\n|-|-|\n",
  "---",
  "<b>",
  "<!-- ",
  "&amp;",
  "&#x202e;",
  "&#0;",
  "\\",
  "- [ ] ",
  "http://a.b",
  "me@b.cd",
  "\t",
  "\r",
  "👨‍👩‍👧‍👦",
  "😀",
  "é",
  "日本",
  "\u200B",
  "\u00A0",
  "\uD83D",
  "\u030A",
  "$",
  "$$",
  "\n$$\n",
  "\\(",
  "\\)",
  "\\[",
  "\\]",
  "||",
  "<u>",
  "</u>",
  "<br>",
  "\u2066",
  "word",
  "another word",
  "x",
] as const;
const hostile = fc
  .array(fc.constantFrom(...fragments), { maxLength: 60 })
  .map((parts) => parts.join(""));
const long = fc
  .tuple(hostile, fc.integer({ min: 1, max: 120 }))
  .map(([text, count]) => text.repeat(count).slice(0, 12_000));
const anyText = fc.oneof(fc.string({ unit: "binary", maxLength: 200 }), hostile, long);

const squeezed = (text: string): string =>
  Array.from(text)
    .filter((character) => !isInvisible(character))
    .join("");

describe("any Markdown", () => {
  it("becomes messages that Telegram takes as they are", () => {
    fc.assert(
      fc.property(anyText, (markdown) => {
        for (const chunk of formatMarkdown(markdown)) {
          expect(chunk.text.isWellFormed()).toBe(true);
          expect(chunk.text.length).toBeLessThanOrEqual(maxTextUnits);
          expect(isInvisible(chunk.text)).toBe(false);
          const entities = entitiesOf(chunk);
          expect(entities.length).toBeLessThanOrEqual(maxEntities);
          const checked = checkEntities(chunk.text, entities);
          expect(cleanLikeServer(chunk.text, checked).text).toBe(chunk.text);
          // Of these the server would say nothing and show nothing.
          for (const { offset, length } of checked)
            expect(chunk.text.slice(offset, offset + length).trim()).not.toBe("");
        }
      }),
      { numRuns: 400 },
    );
  });

  it("holds no link that Telegram refuses, and shows the address of each that it left out", () => {
    const part = fc.constantFrom(
      ...'localhost|a.b|[::1]|[|]|.|:|:0|:00|:80|@|%|%4|%41|"|`|{|}|/|?|#|\\|ü'.split("|"),
    );
    const address = fc
      .array(part, { minLength: 1, maxLength: 6 })
      .map((parts) => `http://${parts.join("")}`);
    fc.assert(
      fc.property(fc.oneof(address, fc.webUrl()), (url) => {
        const link = linkOf(url);
        if (link === undefined) {
          // Escaped, so that Markdown reads the address as it is.
          const destination = url.replaceAll(/[!-/:-@[-`{-~]/g, String.raw`\$&`);
          const { text } = renderMarkdown(`[label](<${destination}>) *x*`);
          expect(text).toContain("http://");
        } else expect(linkProblem(link)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it("loses no text at the borders", () => {
    fc.assert(
      fc.property(anyText, (markdown) => {
        const whole = renderMarkdown(markdown);
        const joined = splitStyled(whole).map(({ text }) => text);
        expect(squeezed(joined.join(""))).toBe(squeezed(whole.text));
      }),
      { numRuns: 300 },
    );
  });

  it("shows every word that it has, and no backslash that protects a mark", () => {
    fc.assert(
      fc.property(anyText, (markdown) => {
        const root = parseMarkdown(markdown.toWellFormed());
        if (root === undefined) return;
        const { text } = renderMarkdown(markdown);
        const nodes = [...walk(root)];
        const words = nodes.map((node) =>
          "value" in node
            ? node.value
            : "url" in node
              ? `${node.url} ${"alt" in node ? node.alt : ""}`
              : "label" in node
                ? node.label
                : "",
        );
        if (!words.join("").includes("\\") && !isInvisible(flatten(root)))
          expect(text).not.toContain("\\");
        let from = 0;
        for (const node of walk(root)) {
          if (node.type === "tableCell" || node.type === "imageReference") return;
          if (node.type !== "text" && node.type !== "code") continue;
          for (const word of node.value.match(/[a-z]+/g) ?? []) {
            const at = text.indexOf(word, from);
            expect(at, `${word} after ${from}`).toBeGreaterThanOrEqual(0);
            from = at + word.length;
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it("is the same with and without the parser where it is plain", () => {
    const plain = fc
      .array(
        fc.constantFrom(
          "a",
          "b c",
          ".",
          "\n",
          "\n\n",
          " ",
          "1.",
          "é",
          "!",
          "(x)",
          "www.a.bc",
          "-",
          "@",
          "https://a.b/c",
        ),
        { maxLength: 30 },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(plain, (untrimmed) => {
        const text = untrimmed.trim();
        fc.pre(isPlain(text));
        // A heading in front brings the parser in.
        const [parsed] = formatMarkdown(`#### x\n\n${text}`);
        const [direct] = formatPlain(`x\n\n${text}`);
        expect(parsed?.text).toBe(direct?.text);
      }),
      { numRuns: 300 },
    );
  });
});
