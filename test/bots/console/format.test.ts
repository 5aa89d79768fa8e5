import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftRows, draftSteps, rowsOf, rowSteps } from "../../../src/bots/console/format/rows.ts";
import { sanitize } from "../../../src/bots/console/format/sanitize.ts";
import { displayWidth } from "../../../src/bots/console/format/width.ts";

const plain = { width: 20, color: false };
const styled = { width: 20, color: true };
const markdown = (text: string) => ({ text, markup: "markdown" });
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const codes = /\u001b\[[0-9]+m/g;
const wordsOf = (rows: readonly { readonly text: string }[]) =>
  rows.map(({ text }) => text.replace(codes, "").trimEnd());

const letters = (value: string) => value.replace(/[^abc日]/g, "");

describe("text from elsewhere", () => {
  it.each([
    ["colours", "a\u001b[31mred\u001b[0m", "ared"],
    ["cursor moves and clearing", "x\u001b[2J\u001b[10;5Hy", "xy"],
    ["a window's title", "t\u001b]0;evil\u0007u", "tu"],
    ["a hyperlink", "\u001b]8;;http://x\u001b\\word\u001b]8;;\u001b\\", "word"],
    ["C1 control sequences", "a\u009b31mb\u0085c", "abc"],
    ["a lone escape", "a\u001b", "a"],
    ["bells and backspaces", "safe\b\b\b\bevil\u0007\u007f", "safeevil"],
    ["line ends", "a\r\nb\rc\u2028d", "a\nb\nc\nd"],
    ["reordering", "a\u202eb\u2066c", "abc"],
    ["tabs and newlines", "a\tb\nc", "a\tb\nc"],
  ])("loses what a terminal would obey: %s", (_, text, expected) => {
    expect(sanitize(text)).toBe(expected);
  });

  it("keeps no control character, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        // oxlint-disable-next-line no-control-regex -- those are what is looked for
        expect(sanitize(text)).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });
});

describe("width", () => {
  it.each([
    ["word", 4],
    ["日本語", 6],
    ["é", 1],
    ["e\u0301", 1],
    ["👩‍👩‍👧", 2],
    ["🇩🇪", 2],
    ["\u200b", 0],
    ["⚙ ✓", 3],
  ])("of %s is %i", (text, columns) => {
    expect(displayWidth(text)).toBe(columns);
  });
});

describe("laying out a long text", () => {
  it.each(["é", "日", "👩‍👩‍👧", "a ", "a\n\n", "\u200b", "⚙ a\n"])(
    "takes many short steps: %j",
    (part) => {
      const text = part.repeat(20_000 / part.length);
      for (const steps of [rowSteps, draftSteps]) {
        const count = [...steps(markdown(text), styled)].length;
        expect(count).toBeGreaterThan(15);
      }
    },
  );
});

describe("wrapping", () => {
  it("breaks at spaces", () => {
    expect(wordsOf(rowsOf({ text: "the quick brown fox jumps over it" }, plain))).toEqual([
      "the quick brown fox",
      "jumps over it",
    ]);
  });

  it("breaks a word only where it fills a row", () => {
    expect(wordsOf(rowsOf({ text: `a ${"x".repeat(45)}` }, plain))).toEqual([
      "a",
      "x".repeat(20),
      "x".repeat(20),
      "x".repeat(5),
    ]);
  });

  it("never exceeds the width, and loses no letter", () => {
    const text = fc
      .array(fc.constantFrom("a", "**b**", "`c`", "日", " ", "\n", "- ", "> "))
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 8, max: 40 }), (text, width) => {
        const rows = rowsOf(markdown(text), { width, color: true });
        for (const row of rows) {
          expect(row.width).toBeLessThanOrEqual(width);
          expect(displayWidth(row.text.replace(codes, ""))).toBe(row.width);
        }
        expect(letters(wordsOf(rows).join(""))).toBe(letters(text));
      }),
    );
  });
});

describe("Markdown", () => {
  it("is styled in a terminal with colours", () => {
    expect(rowsOf(markdown("**b** `c`"), styled)[0]?.text).toBe(
      "\u001b[1mb\u001b[22m \u001b[36mc\u001b[39m",
    );
  });

  it("is laid out the same without, and shows none of its marks", () => {
    const rows = rowsOf(markdown("# a\n**b** `c`"), plain);
    expect(rows.map(({ text }) => text)).toEqual(["a", "", "b c"]);
  });

  it("has headings, nested lists, quotes, code and tables", () => {
    const text =
      "# Title\n\n- one\n  1. two that is quite long\n- [x] done\n\n> said\n\n```ts\nlet a;\n```\n\n| a | b |\n|---|--:|\n| x | 12 |";
    expect(wordsOf(rowsOf(markdown(text), styled))).toEqual([
      "Title",
      "",
      "• one",
      "  1. two that is",
      "     quite long",
      "• ☑ done",
      "",
      "│ said",
      "",
      "ts",
      "  let a;",
      "",
      "a   b",
      "─  ──",
      "x  12",
    ]);
  });

  it("has what is underlined or hidden elsewhere, links with their targets, formulas and footnotes", () => {
    const text = "<u>a</u> ||b|| [c](https://d.ef) $x_1 * y_2$[^1]\n\n$$\nz_1\n$$\n\n[^1]: e";
    expect(wordsOf(rowsOf(markdown(text), { width: 60, color: true }))).toEqual([
      "a ||b|| c (https://d.ef) $x_1 * y_2$ [^1]",
      "",
      "latex",
      "  $$",
      "  z_1",
      "  $$",
      "",
      "[^1]: e",
    ]);
    expect(rowsOf(markdown("<u>a</u>"), styled)[0]?.text).toBe("\u001b[4ma\u001b[24m");
  });

  it("shows a table that is too wide as a list", () => {
    const text = "| name | text |\n|--|--|\n| a | more than the width has |";
    expect(wordsOf(rowsOf(markdown(text), styled))).toEqual([
      "name: a",
      "text: more than",
      "  the width has",
    ]);
  });

  it.each([
    ["quotes", ">".repeat(20_000)],
    ["lists", "- ".repeat(20_000)],
    ["a line", "x".repeat(100_000)],
  ])("takes %s without end", (_, text) => {
    const rows = rowsOf(markdown(`${text}z`), styled);
    expect(rows.at(-1)?.text).toContain("z");
  });
});

describe("a draft", () => {
  it("shows progress dim and fleeting, and the words as they will stay", () => {
    const rows = draftRows(markdown('⚙ current_time {"zone":"Asia/Tokyo"} ✓\n\nIt is **12**'), {
      width: 80,
      color: true,
    });
    expect(rows.map(({ text, fleeting }) => ({ text, fleeting }))).toEqual([
      {
        text: '\u001b[2m⚙ current_time {"zone":"Asia/Tokyo"} ✓\u001b[22m',
        fleeting: true,
      },
      { text: "", fleeting: true },
      { text: "It is \u001b[1m12\u001b[22m", fleeting: false },
    ]);
  });
});
