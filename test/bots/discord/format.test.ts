import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { plain } from "../../../src/bots/discord/format/plain.ts";
import { sendable } from "../../../src/bots/discord/format/limits.ts";
import { render } from "../../../src/bots/discord/format/render.ts";
import { isBlank } from "../../../src/text/blank.ts";
import { flatten, walk } from "../../../src/bots/markdown/flatten.ts";
import type { MarkdownRoot } from "../../../src/bots/markdown/nodes.ts";
import { parseMarkdown } from "../../../src/bots/markdown/parse.ts";
import { narrowTable } from "../../../src/bots/markdown/table.ts";
import { visibleText } from "../../emulators/discord/visible-text.ts";

const one = (markdown: string) => {
  const chunks = render(markdown);
  expect(chunks.length).toBeLessThanOrEqual(1);
  return chunks[0]?.text;
};

describe("the model's Markdown", () => {
  test.each([
    ["", undefined],
    [" \n\t\n ", undefined],
    ["Plain words.", "Plain words."],
    [
      "**bold** *it* ~~gone~~ `code` [a](https://a.b)",
      "**bold** *it* ~~gone~~ `code` [a](https://a.b)",
    ],
    ["__strong__ and _soft_", "**strong** and *soft*"],
    [
      "# One\n## Two\n### Three ###\n#### Four\n##### *Five*\n#",
      "# One\n## Two\n### Three\n**Four**\n***Five***",
    ],
    ["Title\n===\nSub\n---\ntext", "# Title\n## Sub\ntext"],
    ["a | b\n--|--:\nx | 10\nlong | 2", "```\na      b\n────  ──\nx     10\nlong   2\n```"],
    ["![a cat](https://c.at/1.png)", "[a cat](https://c.at/1.png)"],
    [
      "See [the docs][d] and [x].\n\n[d]: https://d.oc\n[x]: https://x.y 'T'",
      "See [the docs](https://d.oc) and [x](https://x.y).",
    ],
    ["[free]: https://a.b", "[free]: https://a.b"],
    ["Hi @everyone <@1> <@&2> <#3>", "Hi @everyone <@1> <@&2> <#3>"],
    ["a &amp; b &lt;c&gt; &unknown; &#42;", "a & b <c> &unknown; \\*"],
    ["~~~python\nx = 1\n~~~", "```python\nx = 1\n```"],
    ["    indented = code", "```\nindented = code\n```"],
    ["```{r, echo=FALSE}\n1\n```", "```\n1\n```"],
    ["````md\n```js\n1\n```\n````", "```md\n`\u200B``js\n1\n`\u200B``\n```"],
    ["1. Do\n   ```sh\n   ls\n   ```\n2. Then", "1. Do\n```sh\nls\n```\n2. Then"],
    ["> quoted\n> ```\n> code\n> ```\n> more", "> quoted\n```\ncode\n```\n> more"],
    ["```unclosed words", "unclosed words"],
    ["an unclosed ``` in words", "an unclosed \\`\\`\\` in words"],
    ["`` a`b `` ``` c``d ```", "``a`b`` ``c`\u200B`d``"],
    ["one\\\ntwo", "one\ntwo"],
    ["-# small", "\\-# small"],
    ["***\ntext", "---\n\ntext"],
    ["- a\n  - b\n    - c", "- a\n  - b\n    - c"],
    ["1. a\n   - b\n\n   c\n2. d", "1. a\n\n   - b\n\n   c\n2. d"],
    ["- [x] done\n- [ ] open", "- ☑ done\n- ☐ open"],
    ["> a\n>\n> b\n> > c\n\nd", "> a\n> \n> b\n> \n> > c\n\nd"],
    ["- a\n  > b", "- a\n> b"],
    ["||hidden *words*|| and <u>under</u>", "||hidden *words*|| and __under__"],
    ["a || b || c, 2 ** 3 ** 4", "a \\|\\| b \\|\\| c, 2 \\*\\* 3 \\*\\* 4"],
    [
      "snake_case_name, 2 * 3 * 4, C:\\Users, ~5, a|b",
      "snake_case_name, 2 * 3 * 4, C:\\Users, ~5, a|b",
    ],
    ["_private\\_ and a\\_ b", "\\_private\\_ and a\\_ b"],
    ["so $a_1 * b_2$ and \\(x_1\\)", "so `$a_1 * b_2$` and `\\(x_1\\)`"],
    ["$$\nx_1 * y_1\n$$", "```latex\n$$\nx_1 * y_1\n$$\n```"],
    ["from $5 to $10", "from $5 to $10"],
    ["said[^1]\n\n[^1]: by *Ann*", "said[1]\n\n[1] by *Ann*"],
    [
      "<:wave:123456> <a:x_y_z:1> <t:1700000000:R> *now*",
      "<:wave:123456> <a:x_y_z:1> <t:1700000000:R> *now*",
    ],
    ["<b>x</b> <br> y", "<b>x</b> \ny"],
    ["[a](mailto:a@b.cd) [b](/c) <https://d.ef>", "a (mailto:a@b.cd) b (/c) https://d.ef"],
    ["[https://good.example](https://bad.example)", "https://good.example (https://bad.example)"],
    ["![](https://a.b/c_d.png)", "[image](https://a.b/c_d.png)"],
    ["see <https://a.b/c>**x** y", "see <https://a.b/c>**x** y"],
    ["[a] `](http://b)`", "\\[a] `](http://b)`"],
    ["[- dash](https://a.b) [1. x](https://a.b)", "[- dash](https://a.b) [1. x](https://a.b)"],
    ["[2*3](https://a.b) [_private](https://a.b)", "[2*3](https://a.b) [_private](https://a.b)"],
    ["[C:\\\\dir\\\\_x](https://a.b)", "[C:\\dir\\_x](https://a.b)"],
    [
      "[`__init__`](https://a.b) [a_b_c](https://a.b)",
      "[`__init__`](https://a.b) [a_b_c](https://a.b)",
    ],
    ["[\\_\\_init\\_\\_](https://a.b)", "\\_\\_init\\_\\_ (https://a.b)"],
    ["[*a* 2*3](https://a.b)", "*a* 2\\*3 (https://a.b)"],
    ["**[2*3](https://a.b)**", "**2\\*3 (https://a.b)**"],
    ["[a \\[b\\](c)](https://a.b)", "a [b]\\(c) (https://a.b)"],
    ["[a\\] b](https://a.b)", "a] b (https://a.b)"],
    ["[a\\\\](https://a.b)", "a\\\\ (https://a.b)"],
    ["[a \\[b\\]](https://a.b) `](http://x)`", "a \\[b] (https://a.b) `](http://x)`"],
    ["[![build](https://a.b/x.svg)](https://c.i)", "[build](https://c.i)"],
    ["看https://a.b/c，好", "看<https://a.b/c>，好"],
    ["**注意：**正文，*「強調」*は~~（旧）~~新", "**注意：**正文，*「強調」*は~~（旧）~~新"],
    ["这_是_的", "这\\_是\\_的"],
    ["*a***b**", "*a*\u200B**b**"],
    ["***a** b* **c *d***", "***a** b* **c *d***"],
    ["**a\nb**", "**a**\n**b**"],
    [
      "| name | what it does for all of the people |\n|--|--|\n| **a** | [docs](https://d.oc) of the first thing |\n| b | |",
      "**name:** **a**\n**what it does for all of the people:** [docs](https://d.oc) of the first thing\n\n**name:** b",
    ],
  ])("%j becomes %j", (markdown, expected) => {
    expect(one(markdown)).toBe(expected);
  });

  test("a long block of code is closed and opened again with its language", () => {
    const code = Array.from({ length: 600 }, (_, line) => `  line ${line};`).join("\n");
    const chunks = render(`Before\n\n\`\`\`ts\n${code}\n\`\`\`\n\nAfter`).map(({ text }) => text);
    expect(chunks.length).toBeGreaterThan(2);
    const bodies = chunks.map((text) => /```ts\n([\s\S]*)\n```/.exec(text)?.[1]);
    expect(bodies.join("\n")).toBe(code);
    expect(chunks[0]?.startsWith("Before\n```ts\n")).toBe(true);
    expect(chunks.at(-1)?.endsWith("```\nAfter")).toBe(true);
  });

  test("long text is cut at paragraphs, lines, words, and between characters last", () => {
    const paragraph = "word ".repeat(300).trim();
    expect(render(`${paragraph}\n\n${paragraph}`).map(({ text }) => text)).toEqual([
      paragraph,
      paragraph,
    ]);
    const words = render("word ".repeat(1_000)).map(({ text }) => text);
    expect(words.every((text) => /^word( word)*$/.test(text))).toBe(true);
    const family = "👨‍👩‍👧‍👦";
    const emoji = render(family.repeat(500)).map(({ text }) => text);
    expect(emoji.every((text) => text.replaceAll(family, "") === "")).toBe(true);
    expect(emoji.join("")).toBe(family.repeat(500));
  });

  test("marks and quotes are closed at a message's end and go on in the next", () => {
    const bold = render(`**${"bold words ".repeat(300)}end**`);
    expect(bold.length).toBe(2);
    for (const { text } of bold) expect(text).toMatch(/^\*\*[^*]+\*\*$/);
    const quote = render(`> *${"said words ".repeat(300)}end*`);
    for (const { text } of quote) expect(text).toMatch(/^> \*[^*]+\*$/);
    const link = `[${"a link ".repeat(20).trim()}](https://a.b/c)`;
    const [before, behind] = render(`${"word ".repeat(385)}${link} and more`);
    expect(before?.text).toMatch(/word$/);
    expect(behind?.text).toBe(`${link} and more`);
  });

  test("what begins a message within a line begins no list and no heading there", () => {
    const words = `${"w".repeat(9)} `.repeat(199);
    for (const mark of ["-", "#", ">", "1."]) {
      const [, second] = render(`${words}long-word ${mark} _x_`);
      expect(visibleText(second?.text ?? "")).toContain(`${mark} x`);
    }
  });

  test("what is too long to be parsed is shown as it was written", () => {
    const chunks = render("**x** ".repeat(20_000));
    expect(chunks[0]?.text.startsWith(String.raw`\*\*x\*\* `)).toBe(true);
  });
});

describe("what cannot be seen", () => {
  test.each([
    "\u200B",
    "\u2060",
    "\u3164",
    "\uFE0F",
    "\u00AD \u2800\n\u115F",
    "\u200B".repeat(50),
    "\u200B\n\n\u3164\n\n\uFE0F\n",
  ])("is not sent: %j", (text) => {
    expect(render(text)).toEqual([]);
    expect(plain(text)).toEqual([]);
  });

  test("makes no message of its own in a long text", () => {
    const chunks = render(`${"word ".repeat(400)}\n\n${"\u200B".repeat(3_000)}`);
    expect(chunks).toHaveLength(1);
  });
});

describe("our own words", () => {
  test.each([
    ["Approved.", "Approved."],
    ["*not* _bold_ `x` ~y~ |z|", String.raw`\*not\* \_bold\_ \`x\` \~y\~ \|z\|`],
    ["# no\n> no\n- no\n1. no", "\\# no\n\\> no\n\\- no\n1\\. no"],
    ["<@1> [a](b)", String.raw`\<@1> \[a](b)`],
    ["see https://a.b/c_d_e?f=*g* now", "see https://a.b/c_d_e?f=*g* now"],
    [" \n ", undefined],
  ])("%j is written %j", (text, expected) => {
    expect(plain(text)[0]?.text).toBe(expected);
  });

  test("are never cut behind a backslash", () => {
    const chunks = plain("*".repeat(5_001)).map(({ text }) => text);
    expect(chunks.join("")).toBe(String.raw`\*`.repeat(5_001));
    expect(chunks.every((text) => text.length <= 2_000 && text.startsWith("\\"))).toBe(true);
  });
});

/**
 * Scraps that meet badly: fences, lists, quotes, tables, references, half pairs, marks that stack.
 */
const scrap = fc.oneof(
  fc.constantFrom(
    "```",
    "````",
    "~~~",
    "`",
    "``",
    "**",
    "__",
    "*",
    "_",
    "~~",
    "||",
    "\n",
    "\n\n",
    "\n```js\n",
    "\n```\n",
    "    ",
    "\t",
    "> ",
    "- ",
    "1. ",
    "10) ",
    "# ",
    "###### ",
    "===\n",
    "---\n",
    "|",
    "|-|-|\n",
    "\na|b\n-|-\n1|`2`\n",
    "[a](",
    "](http://x.y)",
    "[a]: <b c>\n",
    "[a]",
    "![",
    "<@1>",
    "@everyone",
    "&amp;",
    "&#96;",
    "\\",
    "<b>",
    "<!--",
    "\r\n",
    "\0",
    "\uD83D",
    "\uDE00",
    "👩‍👩‍👧",
    "e\u0301\u0301\u0301",
    "\u200B",
    "-# ",
    ">>> ",
    "<details>\n```\n",
    "[^1]",
    "[^1]: ",
    "https://a.b/c_d",
  ),
  fc.string({ maxLength: 20 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.nat({ max: 1_500 }).map((length) => "word ".repeat(length / 5)),
  fc.nat({ max: 2_500 }).map((length) => "y".repeat(length)),
);
const hostile = fc.array(scrap, { maxLength: 60 }).map((scraps) => scraps.join(""));

/** Letters and figures, in order; a code's first line and addresses may come between them. */
const letters = (text: string) => text.normalize().match(/[\p{L}\p{N}]/gu) ?? [];
function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const letter of whole) if (letter === part[at]) at += 1;
  return at === part.length;
}

/** A wide table repeats its head, so that the order is another. */
function wordsOf(root: MarkdownRoot) {
  const nodes = [...walk(root)];
  const tables = nodes.filter((node) => node.type === "table");
  const addresses = nodes.map((node) =>
    "url" in node ? `${node.url} ${"alt" in node ? node.alt : ""}` : "",
  );
  const labels = nodes.map((node) => ("label" in node ? node.label : ""));
  const names = nodes.map((node) => ("lang" in node ? `${node.lang} ${node.meta}` : ""));
  const words = flatten(root);
  return {
    words,
    slashes: [words, ...addresses, ...labels, ...names].join("").split("\\").length - 1,
    isInOrder: tables.every((table) => narrowTable(table) !== undefined),
  };
}

describe("a link's words", () => {
  test("are shown as they are, without a backslash, whatever they are", () => {
    const scrap = fc.constantFrom(
      ..."*|_|`|~~||||\\|[|]|](|(|)|<|>|- |1. |# |a|b|题|：|<@1>".split("|"),
      "|",
      "||",
    );
    const words = fc.array(scrap, { minLength: 1, maxLength: 8 }).map((all) => all.join("").trim());
    const around = fc.constantFrom("", "*", "**", "~~", "- ", "> ");
    fc.assert(
      fc.property(words, around, (label, mark) => {
        fc.pre(label !== "");
        const source = label.replaceAll(/[!-/:-@[-`{-~]/g, (each) => `&#${each.charCodeAt(0)};`);
        const end = mark.trim() === mark ? mark : "";
        const chunks = render(`${mark}[${source}](https://a.b)${end} end`);
        const seen = chunks.map(({ text }) => visibleText(text)).join("");
        expect(seen.replace(" (https://a.b)", "")).toBe(`${label} end`);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("whatever is written", () => {
  test("is cut into messages that Discord takes, with every fence closed and every word kept", () => {
    fc.assert(
      fc.property(hostile, (markdown) => {
        const chunks = render(markdown).map(({ text }) => text);
        expect(chunks.length > 0).toBe(!isBlank(sendable(markdown)));
        for (const text of chunks) {
          expect(text.length).toBeLessThanOrEqual(2_000);
          expect(text.trim()).not.toBe("");
          expect(text.isWellFormed()).toBe(true);
          expect((text.match(/```/g) ?? []).length % 2).toBe(0);
        }
        const root = parseMarkdown(markdown.toWellFormed().replaceAll("\0", "\uFFFD"));
        if (!root) return;
        const seen = chunks.map(visibleText).join("\n");
        const { words, slashes, isInOrder } = wordsOf(root);
        if (isInOrder) expect(isWithin(letters(words), letters(seen))).toBe(true);
        else expect(letters(seen).length).toBeGreaterThanOrEqual(letters(words).length);
        if (slashes === 0) expect(seen).not.toContain("\\");
      }),
      { numRuns: 250 },
    );
  });

  test("a fence behind an address opens nothing", () => {
    expect(plain("](http://x.y)```")).toEqual([{ text: "](<http://x.y)>\\`\\`\\`" }]);
  });

  test("our own words lose nothing", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const chunks = plain(text).map((chunk) => chunk.text);
        for (const chunk of chunks) {
          expect(chunk.length).toBeLessThanOrEqual(2_000);
          expect(chunk.trim()).not.toBe("");
          expect(chunk.isWellFormed()).toBe(true);
          expect(chunk).not.toMatch(/```/);
        }
        expect(letters(chunks.join("\n"))).toEqual(letters(text.toWellFormed()));
      }),
    );
  });
});
