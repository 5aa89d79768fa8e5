import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isBlank } from "../../src/text/blank.ts";

const invisible = [
  " ",
  "\n",
  "\r\n\t\v\f",
  "\0",
  "\u0085",
  "\u00A0",
  "\u00AD",
  "\u0301",
  "\u034F",
  "\u061C",
  "\u115F",
  "\u1160",
  "\u17B4",
  "\u180E",
  "\u2003",
  "\u200B",
  "\u200D",
  "\u200F",
  "\u2028",
  "\u202E",
  "\u2060",
  "\u2064",
  "\u2065",
  "\u2800",
  "\u3000",
  "\u3164",
  "\uFE0F",
  "\uFEFF",
  "\uFFA0",
  "\u{E0020}",
  "\u{E0100}",
];

const visible = [
  "x",
  "é",
  "e\u0301",
  "क्षि",
  "日",
  "한",
  "ᄀ",
  "ﾡ",
  ".",
  "#",
  "\u200B.\u200B",
  "😀",
  "❤\uFE0F",
  "👨‍👩‍👧‍👦",
  "1\uFE0F\u20E3",
  "🇺🇦",
  "⠁",
  "\uFFFD",
  "\ud83d",
  // Private use and not assigned: fonts and newer emoji.
  "\uF8FF",
  "\u{1FAFF}",
];

const codes = (text: string): string =>
  Array.from(text, (each) => each.codePointAt(0)?.toString(16)).join(" ");

describe("a text is blank", () => {
  it("when it is empty", () => {
    expect(isBlank("")).toBe(true);
  });

  it.each(invisible.map((text) => [codes(text), text]))("when it is nothing but %s", (_, text) => {
    expect(isBlank(text)).toBe(true);
    expect(isBlank(text.repeat(1_000))).toBe(true);
  });

  it("when it is any of these together", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...invisible)), (parts) => {
        expect(isBlank(parts.join(""))).toBe(true);
      }),
    );
  });
});

describe("a text is not blank", () => {
  it.each(visible.map((text) => [codes(text), text]))("with %s", (_, text) => {
    expect(isBlank(text)).toBe(false);
  });

  it("with anything visible anywhere", () => {
    const some = fc.array(fc.constantFrom(...invisible)).map((all) => all.join(""));
    fc.assert(
      fc.property(some, fc.constantFrom(...visible), some, (before, seen, after) => {
        expect(isBlank(before + seen + after)).toBe(false);
      }),
    );
  });
});
