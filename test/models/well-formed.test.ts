import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AnswerText } from "../../src/models/answer-text.ts";
import { SurrogateJoiner, wellFormed, wellFormedJson } from "../../src/models/well-formed.ts";
import { answerOf } from "./helpers.ts";

const anyText = fc
  .array(fc.constantFrom("a", "😀", "\ud83d", "\ude00", "é", "\n"))
  .map((parts) => parts.join(""));

/** A text cut anywhere, between the halves of a character too. */
function cut(text: string, at: readonly number[]): string[] {
  const places = at.map((each) => each % (text.length + 1)).toSorted((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index]));
}

describe("well-formed texts", () => {
  it("joins pieces to what the whole would be", () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat()), (text, at) => {
        const joiner = new SurrogateJoiner();
        const pieces = cut(text, at).map((piece) => joiner.push(piece));
        const all = [...pieces, joiner.flush()];
        expect(all.every((piece) => piece.isWellFormed())).toBe(true);
        expect(all.join("")).toBe(text.toWellFormed());
      }),
    );
  });

  it("repairs values at any depth, keys included", () => {
    expect(wellFormed({ a: ["\ud83d", { "\ude00": "😀" }], b: 1, c: null })).toEqual({
      a: ["\ufffd", { "\ufffd": "😀" }],
      b: 1,
      c: null,
    });
  });

  it("repairs what an escape hides", () => {
    expect(wellFormedJson(String.raw`{"a":"\ud83d"}`)).toBe('{"a":"\ufffd"}');
    expect(wellFormedJson(String.raw`{"a":"\ud83d`)).toBe(String.raw`{"a":"\ud83d`);
    expect(wellFormedJson('{"a": 1.0}')).toBe('{"a": 1.0}');
  });
});

interface Expected {
  readonly text: string;
  readonly reasoning: string;
}

/** The answer that these pieces make. */
function read(pieces: readonly string[]): Expected {
  const words = new AnswerText();
  const all = [...pieces.flatMap((piece) => words.text(piece)), ...words.flush()];
  const { text, reasoning } = answerOf(all);
  return { text, reasoning };
}

describe("reasoning inside the text", () => {
  it.each<[string, Expected]>([
    ["<think>\nhm\n</think>\n\nYes", { text: "Yes", reasoning: "hm" }],
    ["\n<think></think>Yes", { text: "Yes", reasoning: "" }],
    ["<think>a < b </thin </think> Yes", { text: "Yes", reasoning: "a < b </thin" }],
    ["<think>never ends", { text: "", reasoning: "never ends" }],
    ["Yes <think>no</think>", { text: "Yes <think>no</think>", reasoning: "" }],
    ["hm\n</think>\n\nYes", { text: "Yes", reasoning: "hm" }],
    ["\n\n</think>\n\nYes", { text: "Yes", reasoning: "" }],
    ["one\ntwo</think>\nYes", { text: "Yes", reasoning: "one\ntwo" }],
    ["hm\n</think>Yes", { text: "Yes", reasoning: "hm" }],
    ["`a` b\n</think> Yes </think>\n", { text: "Yes </think>\n", reasoning: "`a` b" }],
    ["only thoughts</think>", { text: "", reasoning: "only thoughts" }],
    ...[
      "The mark `</think>`\nends thoughts.",
      "```\n</think>\n```\nends thoughts.",
      "Between <think> and\n</think>\nare thoughts.",
      "A </think> in a line\n</think>\nis text.",
      "</thin",
      "a <",
    ].map((text): [string, Expected] => [text, { text, reasoning: "" }]),
    ["<thinking>Yes", { text: "", reasoning: "Yes" }],
    ["<thi", { text: "<thi", reasoning: "" }],
    ["  ", { text: "  ", reasoning: "" }],
    ["", { text: "", reasoning: "" }],
  ])("reads %j, however it is cut", (text, expected) => {
    fc.assert(
      fc.property(fc.array(fc.nat()), (at) => {
        expect(read(cut(text, at))).toEqual(expected);
      }),
    );
  });
});
