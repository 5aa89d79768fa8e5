import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCut } from "../../../src/bots/markdown/cut.ts";
import { flatten } from "../../../src/bots/markdown/flatten.ts";
import { cutBefore, displayWidth, shorten } from "../../../src/bots/markdown/graphemes.ts";
import type { NodeOf, MarkdownNode } from "../../../src/bots/markdown/nodes.ts";
import { isPlain, parseMarkdown, parsePieces } from "../../../src/bots/markdown/parse.ts";
import { render } from "../../../src/bots/discord/format/render.ts";
import { formatMarkdown } from "../../../src/bots/telegram/format/format.ts";
import { alignTable } from "../../../src/bots/markdown/table.ts";

/** A document's tree, in short. */
function shape(markdown: string): string {
  const write = (node: MarkdownNode): string =>
    "children" in node
      ? `${node.type}(${node.children.map(write).join("")})`
      : node.type === "inlineCode"
        ? `code:${node.value}`
        : node.type === "code"
          ? `${node.lang}:${node.value}`
          : "value" in node
            ? node.value
            : node.type;
  return parseMarkdown(markdown)?.children.map(write).join("") ?? "";
}
const behind = (place: number) => (index: number) => index >= place;
const tableOf = (markdown: string) => parseMarkdown(markdown)?.children[0] as NodeOf<"table">;
const family = "👨‍👩‍👧‍👦";

describe("isPlain", () => {
  it.each([
    "Hello there!",
    "Two paragraphs.\n\nAnd a line\nbreak (really).",
    "See https://example.com/a?b=c, or write to me@example.com.",
    "5 - 3 = 2 + 0; 1. no list as it is not at the start",
    "",
  ])("needs no parser for %j", (text) => {
    expect(isPlain(text)).toBe(true);
  });

  it.each([
    "*a*",
    "_a_",
    "`a`",
    "# a",
    "- a",
    "+ a",
    "1. a",
    "2) a",
    "> a",
    "[a](b)",
    "a\n===",
    "a | b\n- | -",
    "<b>",
    "&amp;",
    String.raw`a\_b`,
    "    code",
    "a  \nb",
    "a\n\n\nb",
    "~~a~~",
    "a\tb",
  ])("needs the parser for %j", (text) => {
    expect(isPlain(text)).toBe(false);
  });
});

describe("parseMarkdown", () => {
  it("takes one tilde for a tilde", () => {
    const root = parseMarkdown("~5 or 6~ and ~~gone~~");
    const types = root?.children.flatMap((node) =>
      "children" in node ? node.children.map(({ type }) => type) : [],
    );
    expect(types).toEqual(["text", "delete"]);
  });

  it("leaves texts as they are that would hold everybody up", () => {
    expect(parseMarkdown("[a](".repeat(20_000))).toBeUndefined();
    expect(parseMarkdown("*a".repeat(5_000))).toBeUndefined();
    // In code a mark costs nothing, and a list is many paragraphs.
    expect(parseMarkdown(`\`\`\`\n${"*a".repeat(5_000)}`)).toBeDefined();
    const list = [...parsePieces("- **a** b_c\n".repeat(600))];
    expect(list.every(({ root }) => root !== undefined)).toBe(true);
  });

  it("knows formulas, in which nothing is a mark", () => {
    expect(shape("$a_1 * b_2$ *c* $$d$$ \\(e\\) \\[f_1\\] \\[g\\] $5 or $6$7 \\$h$")).toBe(
      "paragraph(code:$a_1 * b_2$ emphasis(c) code:$$d$$ code:\\(e\\) code:\\[f_1\\] [g] $5 or $6$7 $h$)",
    );
    expect(shape("a\n$$\nb\n- c\n\n# d\n$$\ne")).toBe(
      "paragraph(a)latex:$$\nb\n- c\n\n# d\n$$paragraph(e)",
    );
    expect(shape("> \\[\n> a\nb")).toBe("blockquote(latex:\\[\na)paragraph(b)");
    expect(shape("$$\nopen *a*\n\n- b")).toBe("latex:$$\nopen *a*\n\n- b");
  });

  it("knows spoilers and underlined words, and tells marks that are none", () => {
    expect(shape("||a *b*|| <u>c ||d</u> e|| ||f||||g||")).toBe(
      "paragraph(spoiler(a emphasis(b)) underline(c ||d) e|| spoiler(f)spoiler(g))",
    );
    expect(shape("a || b || c |||| \\||d|| </u> <u>")).toBe(
      "paragraph(a || b || c |||| ||d|| </u> <u>)",
    );
  });

  it("parses long documents in pieces, and loses nothing between them", () => {
    const paragraph = `${"word ".repeat(99)}word`;
    const code = `\`\`\`ts\n${"line\n\n".repeat(5_000)}\`\`\``;
    const markdown = `${`${paragraph}\n\n`.repeat(60)}${code}\n\n- a\n\n  b\n\nend`;
    const pieces = [...parsePieces(markdown)];
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.every(({ root }) => root !== undefined)).toBe(true);
    const words = pieces.map(({ root }) => (root ? flatten(root) : "")).join("\n");
    expect(words.match(/word/g)).toHaveLength(6_000);
    expect(words.match(/line/g)).toHaveLength(5_000);
    expect(shape(pieces.at(-1)?.source ?? "")).toMatch(
      /list\(listItem\(paragraph\(a\)paragraph\(b\)\)\)paragraph\(end\)$/,
    );
  });

  it("parses a tree as deep as people write it, and leaves a deeper one", () => {
    const root = parseMarkdown(`${">".repeat(39)} deep`);
    expect(root && flatten(root)).toBe("deep");
    expect(parseMarkdown(`${">".repeat(40)} deep`)).toBeUndefined();
    expect(parseMarkdown(`a\n${"- ".repeat(5_000)}`)).toBeUndefined();
  });
});

describe("findCut", () => {
  it.each([
    ["a paragraph", "aaa aa\n\nbb bb\ncc cc", 16, "aaa aa"],
    ["a line", "aaa aa\nbb bb cc", 12, "aaa aa"],
    ["a word", "aaaa bbbb cccc", 11, "aaaa bbbb"],
    ["a limit that a word ends at", "aaaa bbbb cccc", 9, "aaaa bbbb"],
    ["no word, for one is too long", `${"a".repeat(9)} b`, 8, "aaaaaaaa"],
    ["an early paragraph", "a\n\nbbb bbb bbb", 12, "a\n\nbbb bbb"],
    ["no no-break space", "aaa bbb\u00A0cc", 9, "aaa"],
    ["a whole emoji", `aaa${family}${family}`, 20, `aaa${family}`],
    ["nothing", "short", 5, "short"],
  ])("cuts at %s", (_, text, maxUnits, expected) => {
    expect(text.slice(0, findCut(text, { from: 0, maxUnits }))).toBe(expected);
  });

  it("leaves what it is told to leave whole", () => {
    const text = "aaa\n\nb\n\nc ccc";
    const cut = findCut(text, { from: 0, maxUnits: 10, isInside: behind(5) });
    expect(text.slice(0, cut)).toBe("aaa");
  });

  it("always goes on, and never splits a surrogate pair", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 80 }),
        fc.integer({ min: 2, max: 20 }),
        (text, maxUnits) => {
          let from = 0;
          while (from < text.length) {
            const cut = findCut(text, { from, maxUnits });
            expect(cut).toBeGreaterThan(from);
            expect(cut - from).toBeLessThanOrEqual(maxUnits);
            expect(text.slice(from, cut).isWellFormed()).toBe(true);
            from = cut;
          }
        },
      ),
    );
  });
});

describe("graphemes", () => {
  it("keeps clusters whole where they are short enough", () => {
    const text = `ab${family}`;
    expect(cutBefore(text, 6, 0)).toBe(2);
    expect(cutBefore(family, 5, 0)).toBe(5);
    expect(cutBefore("😀", 1, 0)).toBe(2);
    const flags = `a${"🇩🇪".repeat(100)}`;
    for (let at = 200; at < 240; at += 1) expect((cutBefore(flags, at, 0) - 1) % 4).toBe(0);
  });

  it("measures columns", () => {
    expect(displayWidth("abc")).toBe(3);
    expect(displayWidth("日本")).toBe(4);
    expect(displayWidth("é\u0301")).toBe(1);
    expect(displayWidth(family)).toBe(2);
  });

  it("shortens", () => {
    expect(shorten("abc", 3)).toBe("abc");
    expect(shorten("abcd", 3)).toBe("ab…");
    expect(shorten("a😀😀", 3)).toBe("a…");
  });
});

describe("hostile texts of half a million characters", () => {
  const hostile = ["[", "*", "`", "a\n", "||", "<", "> ", "$", "\\", "_a "];
  it.each([
    ["Telegram", formatMarkdown],
    ["Discord", render],
  ])("hold no one up on %s", (_, format) => {
    for (const scrap of hostile) {
      const text = scrap.repeat(500_000 / scrap.length);
      const [first] = format(text);
      expect(first?.text.length).toBeGreaterThan(100);
    }
  });
});

describe("alignTable", () => {
  it("aligns columns as the table says", () => {
    const markdown =
      "| Name | Price | ok |\n|:--|--:|:-:|\n| **Tea** | 3 | y |\n| 日本 | 12.50 | n |\n";
    expect(alignTable(tableOf(markdown), Infinity)).toBe(
      ["Name  Price  ok", "────  ─────  ──", "Tea       3  y", "日本  12.50  n"].join("\n"),
    );
  });

  it("bears rows of different lengths and empty cells", () => {
    expect(alignTable(tableOf("|a|b|\n|-|-|\n|c|\n||d|"), Infinity)).toBe("a  b\n─  ─\nc\n   d");
  });
});
