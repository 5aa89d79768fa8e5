import { describe, expect, it } from "vitest";
import { cleanText } from "./clean-text.ts";
import { checkEntities } from "./formatted-text.ts";
import { linkProblem } from "./links.ts";

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
    ["abc", [{ type: "text_link", offset: 0, length: 1 }], /host is empty/],
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

// Each sentence is what TDLib 1.8.66 says.
describe("linkProblem", () => {
  it.each([
    ["http://localhost:3000/", "Wrong HTTP URL"],
    ["http://intranet", "Wrong HTTP URL"],
    ["http://example.com:0/", "Wrong port number specified in the URL"],
    ["http://example.com:000", "Wrong port number specified in the URL"],
    ["http://example.com:65536", "Wrong port number specified in the URL"],
    ["http://", "URL host is empty"],
    ["http://.", "Host is invalid"],
    ["http://[::x]/", "Wrong IPv6 address specified in the URL"],
    ['http://a"b.com', "Disallowed character in URL host"],
    ["ftp://example.com", "Unsupported URL protocol"],
    ["tg://user:1@resolve", "Wrong tg URL"],
  ])("refuses %s", (link, problem) => {
    expect(linkProblem(link)).toBe(problem);
  });

  it.each([
    "http://example.com",
    "example.com:65535/a b",
    "https://me:secret@example.com/?a#b",
    "http://127.0.0.1:8080",
    "http://[::1]:3000/",
    "http://localhost.",
    "tg://resolve?domain=a",
  ])("takes %s", (link) => {
    expect(linkProblem(link)).toBeUndefined();
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
