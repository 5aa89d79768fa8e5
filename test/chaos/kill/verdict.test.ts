import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import { judge, type Scene, type Verdict } from "./verdict.ts";

const label = "\n\n(sent again; you may see this twice)";
const person = { id: "telegram:1", name: "Ann" };

const said = (text: string): LogEntry => ({
  kind: "message",
  v: 1,
  id: text,
  person,
  text,
  atMs: 1,
});

const answer = (turn: number, text: string): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn,
  round: 1,
  text,
  calls: [],
  model: "openai/gpt-4o-mini",
});

/** Two messages, answered in order; `shown` and what else is given differ. */
const judged = (shown: readonly string[], rest: Partial<Scene> = {}): Verdict =>
  judge({
    shown: shown.map((text) => ({ text })),
    lines: [{ reads: "first" }, { reads: /^second$/ }],
    history: [said("a"), answer(1, "first"), said("b"), answer(2, "second")],
    said: ["a", "b"],
    effects: [],
    tool: undefined,
    ...rest,
  });

describe("the judge", () => {
  it("has nothing against each answer once, in order", () => {
    expect(judged(["first", "second"])).toEqual({
      lost: 0,
      doubled: 0,
      reordered: 0,
      twice: 0,
      unknown: 0,
      labelled: 0,
      problems: [],
    });
  });

  it("misses an answer", () => {
    expect(judged(["second"])).toMatchObject({
      lost: 1,
      problems: ["lost: first"],
    });
  });

  it("sees a repetition, and lets it pass where it says so", () => {
    expect(judged(["first", "first", "second"]).doubled).toBe(1);
    expect(judged(["first", `first${label}`, "second"])).toMatchObject({
      doubled: 0,
      labelled: 1,
      problems: [],
    });
  });

  it("sees what no one expected, unless the whole follows it with a label", () => {
    expect(judged(["fir", "first", "second"]).doubled).toBe(1);
    expect(judged(["fir", `first${label}`, "second"]).problems).toEqual([]);
  });

  it("sees a wrong order", () => {
    expect(judged(["second", "first"]).reordered).toBe(1);
  });

  it("wants news to be there, wherever they stand among the answers", () => {
    const news = { reads: "news", anywhere: true };
    const lines = [news, { reads: "first" }, { reads: "second" }];
    const clean = { lost: 0, doubled: 0, reordered: 0, problems: [] };
    expect(judged(["first", "news", "second"], { lines })).toMatchObject(clean);
    expect(judged(["news", "first", "second"], { lines })).toMatchObject(clean);
    expect(judged(["first", "second"], { lines }).lost).toBe(1);
  });

  it.each([
    ["once", [undefined], 0],
    ["once", [undefined, undefined], 1],
    ["keyed", ["1", "1"], 0],
    ["keyed", ["1", "2"], 1],
    ["keyed", [undefined], 1],
    ["read", [undefined, undefined], 0],
  ] as const)("counts effects: %s with the keys %j", (effect, keys, twice) => {
    const scene = {
      tool: { name: "pay", effect },
      effects: keys.map((key) => ({ tool: "pay", tag: "t", key })),
    };
    const verdict = judged(["first", "second"], scene);
    expect(verdict.twice).toBe(twice);
    expect(verdict.problems).toHaveLength(twice);
  });

  it("sees a message that the history has twice, or a turn without its end", () => {
    expect(judged(["first", "second"], { said: ["a"] }).problems).toHaveLength(1);
    expect(judged(["first", "second"], { history: [said("a"), said("b")] }).problems).toEqual([
      "its last turn has no end",
    ]);
  });

  it.each([
    ["says that it is a repetition, until it is decided", label, 0],
    ["does not say so", "", 1],
  ])("sees a card that was sent again and %s", (_what, mark, doubled) => {
    const shown = [
      { text: "card?" },
      { text: "decided", history: [`card?${mark}`] },
      { text: "first" },
      { text: "second" },
    ];
    const lines = [{ reads: "decided" }, { reads: "first" }, { reads: "second" }];
    expect(judged([], { shown, lines })).toMatchObject({ doubled, lost: 0 });
  });
});
