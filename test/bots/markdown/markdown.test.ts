import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCut } from "../../../src/bots/markdown/cut.ts";
import { flatten } from "../../../src/bots/markdown/flatten.ts";
import {
  cutBefore,
  displayWidth,
  shorten,
} from "../../../src/bots/markdown/graphemes.ts";
import {
  isPlain,
  type NodeOf,
  parseMarkdown,
} from "../../../src/bots/markdown/parse.ts";
import { alignTable } from "../../../src/bots/markdown/table.ts";

const behind = (place: number) => (index: number) => index >= place;
const tableOf = (markdown: string) =>
  parseMarkdown(markdown)?.children[0] as NodeOf<"table">;
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

  it("gives up on texts that would hold everybody up", () => {
    expect(parseMarkdown("[a](".repeat(20_000))).toBeUndefined();
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

describe("alignTable", () => {
  it("aligns columns as the table says", () => {
    const markdown =
      "| Name | Price | ok |\n|:--|--:|:-:|\n| **Tea** | 3 | y |\n| 日本 | 12.50 | n |\n";
    expect(alignTable(tableOf(markdown))).toBe(
      [
        "Name  Price  ok",
        "────  ─────  ──",
        "Tea       3  y",
        "日本  12.50  n",
      ].join("\n"),
    );
  });

  it("bears rows of different lengths and empty cells", () => {
    expect(alignTable(tableOf("|a|b|\n|-|-|\n|c|\n||d|"))).toBe(
      "a  b\n─  ─\nc\n   d",
    );
  });
});
