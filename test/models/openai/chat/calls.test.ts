import { describe, expect, it } from "vitest";
import { CallAssembler } from "../../../../src/models/openai/chat/calls.ts";
import type { CallDelta } from "../../../../src/models/openai/chat/chunk.ts";

function assembled(...deltas: CallDelta[]): unknown[] {
  const assembler = new CallAssembler();
  for (const delta of deltas) assembler.add(delta);
  return assembler.calls().map((call) => [call.name, call.arguments]);
}

const whole = (name: string, given: unknown, more = {}): CallDelta => ({
  ...more,
  function: { name, arguments: given },
});

describe("calls put together from pieces", () => {
  it("tells calls apart that all come with index 0, as Gemini sends them", () => {
    expect(
      assembled(
        whole("a", "{}", { index: 0, id: "1" }),
        whole("a", '{"x":1}', { index: 0, id: "2" }),
      ),
    ).toEqual([
      ["a", "{}"],
      ["a", '{"x":1}'],
    ]);
  });

  it("takes a call without an id that is said again for the same one", () => {
    const call = whole("a", '{"x":1}', { index: 0 });
    expect(assembled(call, call, whole("a", '{"x":2}', { index: 0 }))).toEqual([
      ["a", '{"x":1}'],
      ["a", '{"x":2}'],
    ]);
  });

  it("goes on with a call whose later pieces have another id but no name", () => {
    expect(
      assembled(whole("a", '{"x"', { index: 0, id: "1" }), {
        index: 0,
        id: "2",
        function: { name: null, arguments: ":1}" },
      }),
    ).toEqual([["a", '{"x":1}']]);
  });

  it("takes the name from a later piece", () => {
    expect(
      assembled(
        { index: 0, id: "1", function: { arguments: "" } },
        whole("late", "{}", { index: 0 }),
      ),
    ).toEqual([["late", "{}"]]);
  });

  it("begins another call of the same tool once the last one is complete", () => {
    expect(assembled(whole("a", { x: 1 }), whole("a", { x: 2 }))).toEqual([
      ["a", '{"x":1}'],
      ["a", '{"x":2}'],
    ]);
  });

  it("reads no arguments as an empty object, and drops what has no name", () => {
    expect(
      assembled(whole("a", null, { index: 0 }), {
        index: 1,
        function: { arguments: "{}" },
      }),
    ).toEqual([["a", "{}"]]);
  });

  it("sorts pieces by id where there is no index", () => {
    expect(
      assembled(
        whole("a", '{"x"', { id: "1" }),
        whole("b", '{"y"', { id: "2" }),
        { id: "1", function: { arguments: ":1}" } },
        { id: "2", function: { arguments: ":2}" } },
      ),
    ).toEqual([
      ["a", '{"x":1}'],
      ["b", '{"y":2}'],
    ]);
  });
});
