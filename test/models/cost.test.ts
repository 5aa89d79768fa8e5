import { describe, expect, it } from "vitest";
import { costOf } from "../../src/models/cost.ts";
import { toolsUnavailableNote } from "../../src/models/tools-note.ts";
import { card, currentTime, tools } from "./helpers.ts";

const usage = { inputTokens: 2_000, outputTokens: 500 };

describe("what an answer has cost", () => {
  it.each([
    [{ input: 0.25, output: 2 }, 0.0015],
    [{ input: 0, output: 0 }, 0],
    [undefined, undefined],
  ])("at %j is %s", (prices, expected) => {
    const priced = prices === undefined ? card : { ...card, usdPerMillionTokens: prices };
    const cost = costOf(priced, usage);
    if (expected === undefined) expect(cost).toBeUndefined();
    else expect(cost).toBeCloseTo(expected, 12);
  });
});

describe("the note for a model without tools", () => {
  it("names them, and is not there where there are none", () => {
    expect(toolsUnavailableNote(tools)).toContain("(current_time, write_note, read_notes)");
    expect(toolsUnavailableNote([])).toBeUndefined();
  });

  it("does not grow without end", () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...currentTime,
      name: `tool_${index}`,
    }));
    const note = toolsUnavailableNote(many) ?? "";
    expect(note).toContain("and 460 more");
    expect(note.length).toBeLessThan(1_000);
  });
});
