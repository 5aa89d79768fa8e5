import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";
import { checkEntities } from "./formatted-text.ts";

const bold = (offset: number, length: number) => ({
  type: "bold",
  offset,
  length,
});

describe("checkEntities", () => {
  it.each([
    ["abc", [bold(0, 4)], /ends after the end of the text at UTF-16 offset 4/],
    ["a😀b", [bold(0, 2)], /ends in a middle of a UTF-16 symbol/],
    ["a😀b", [bold(2, 2)], /begins in a middle of a UTF-16 symbol/],
    ["abc", [bold(-1, 2)], /incorrect offset/],
    ["abc", [bold(0, 0)], /incorrect length/],
    ["abc", [{ type: "loud", offset: 0, length: 1 }], /unsupported type/],
    ["abc", [{ type: "text_link", offset: 0, length: 1 }], /wrong HTTP URL/],
    ["abcd", [bold(0, 3), { ...bold(1, 3), type: "italic" }], /BOUNDS_INVALID/],
    ["abcd", [bold(0, 4), { ...bold(1, 2), type: "code" }], /BOUNDS_INVALID/],
    ["abcd", [{ ...bold(0, 4), type: "pre" }, bold(1, 2)], /BOUNDS_INVALID/],
  ])("refuses %j with %j", (text, entities, reason) => {
    expect(() => checkEntities(text, entities)).toThrow(reason);
  });

  it("takes what may nest: styles in each other and in a quote, code in a quote", () => {
    const entities = [
      { type: "blockquote", offset: 0, length: 9 },
      { type: "code", offset: 6, length: 3 },
      { type: "bold", offset: 0, length: 5 },
      { type: "italic", offset: 1, length: 2 },
    ];
    expect(checkEntities("abcde fgh", entities)).toHaveLength(4);
    expect(checkEntities("a😀b", [bold(1, 2)])).toEqual([bold(1, 2)]);
  });
});

describe("cleanText", () => {
  it("replaces tabs, drops carriage returns, trims, and moves entities along", () => {
    const entity = { type: "bold", offset: 5, length: 3 } as const;
    expect(cleanText(" \n\r\ta😀b \r\n", [entity])).toEqual({
      text: "a😀b",
      entities: [{ type: "bold", offset: 1, length: 3 }],
    });
  });

  it("keeps spaces that an entity covers at the start, and drops entities of spaces alone", () => {
    const pre = { type: "pre", offset: 1, length: 5 } as const;
    const blank = { type: "bold", offset: 6, length: 1 } as const;
    expect(cleanText("   abc d", [pre, blank])).toEqual({
      text: "  abc d",
      entities: [{ type: "pre", offset: 0, length: 5 }],
    });
  });
});
