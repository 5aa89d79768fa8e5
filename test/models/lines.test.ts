import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventSplitter, LineSplitter } from "../../src/models/lines.ts";

/** Text in pieces of these lengths, over and over. */
function piecesOf(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const length = lengths[pieces.length % lengths.length] ?? 1;
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}

const lengths = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 });
const textOf = (...parts: string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 30 }).map((each) => each.join(""));

describe("lines", () => {
  it("are the same however the text is cut", () => {
    fc.assert(
      fc.property(textOf("a", "bc", "\n", "\r", "\r\n", "é"), lengths, (text, each) => {
        const splitter = new LineSplitter();
        const lines = piecesOf(text, each).flatMap((piece) => splitter.push(piece));
        expect([...lines, splitter.flush()]).toEqual(text.split(/\r\n|\r|\n/));
      }),
    );
  });
});

const eventsOf = (...pieces: string[]): string[] => {
  const splitter = new EventSplitter();
  const events = [...pieces.flatMap((piece) => splitter.push(piece)), ...splitter.flush()];
  return events.map(({ data, isError }) => (isError ? `error: ${data}` : data));
};

describe("events", () => {
  it.each<[string, string, string[]]>([
    ["with a blank", "data: one\n\n", ["one"]],
    ["without one", "data:one\n\n", ["one"]],
    ["framed by CRLF", "data: one\r\n\r\ndata: two\r\n\r\n", ["one", "two"]],
    ["framed by CR", "data: one\r\rdata: two\r\r", ["one", "two"]],
    ["of several lines", "data: one\ndata: two\n\n", ["one\ntwo"]],
    ["with names, ids and comments", ": ping\nevent: x\nid: 7\ndata: one\n\n", ["one"]],
    ["without data", "event: ping\n\n\n\n", []],
    ["and a mark that its line ends", "data: one\n\ndata: [DONE]\n", ["one", "[DONE]"]],
    ["and a mark that the stream ends", "data: one\n\ndata: [DONE]", ["one", "[DONE]"]],
    ["of which the last is cut off", 'data: one\n\ndata: {"two":', ["one"]],
    ["of which the last is not ended", 'data: one\n\ndata: {"two":2}\n', ["one", '{"two":2}']],
    ["of which the last has no end of line", 'data: one\n\ndata: {"two":2}', ["one", '{"two":2}']],
    ["of which the last has several lines", 'data: {\ndata: "two":2}', ['{\n"two":2}']],
    ["with an error", "event: error\ndata: one\n\ndata: two\n\n", ["error: one", "two"]],
    ["with an error after its data", "data: one\nevent:error\n\n", ["error: one"]],
    ["with an error without data", "event: error\n\n", ["error: "]],
    ["with an error that is not ended", "event: error\ndata: on", ["error: on"]],
    ["with another name", "event: errors\ndata: one\n\n", ["one"]],
  ])("%s", (_what, text, events) => {
    expect(eventsOf(text)).toEqual(events);
  });

  it("are the same however the text is cut", () => {
    const parts = textOf(
      "data: ",
      "data:",
      "[DONE]",
      "{}",
      "\n",
      "\r\n",
      "\n\n",
      ": ",
      "event: error",
    );
    fc.assert(
      fc.property(parts, lengths, (text, each) => {
        expect(eventsOf(...piecesOf(text, each))).toEqual(eventsOf(text));
      }),
    );
  });
});
