import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import type { ViewInput } from "../../../src/loop/view/build-request-view.ts";
import { asked, card, compacted, round, said, undone, viewOf } from "./view-input.ts";

const thoughtful = (turn: number): LogEntry[] => [
  asked(),
  ...round(turn, [{ name: "action_a", text: "x".repeat(500) }], {
    reasoning: `about calling in ${turn}`,
  }),
  said("Done.", { turn, round: 2, reasoning: `about answering in ${turn}` }),
];

const reasoningOf = (
  history: readonly LogEntry[],
  more: Partial<ViewInput> = {},
): readonly string[] =>
  viewOf([...history, asked("next")], more).messages.flatMap((message) =>
    message.role === "assistant" && message.reasoning !== undefined ? [message.reasoning] : [],
  );

const all = ["about calling in 1", "about answering in 1"];

describe("reasoning", () => {
  it("goes back to its own provider while nothing before it was changed", () => {
    expect(reasoningOf(thoughtful(1))).toEqual(all);
    expect(viewOf([...thoughtful(1), asked()]).diagnostics).toEqual([]);
  });

  it.each([
    ["of another provider", { ...card, id: "other/model" }],
    ["for a model that does not think", { ...card, thinking: false }],
  ])("%s is left out, and said once", (_case, reader) => {
    expect(reasoningOf(thoughtful(1), { card: reader })).toEqual([]);
    const { diagnostics } = viewOf([...thoughtful(1), asked()], {
      card: reader,
    });
    expect(diagnostics.filter((each) => each.startsWith("reasoning"))).toEqual([
      "reasoning: that of 2 answers is left out",
    ]);
  });

  it.each<[string, readonly LogEntry[], Partial<ViewInput>]>([
    ["a masked round", round(2, [{ name: "a", text: "b" }], { model: "other/model" }), {}],
    ["a repair", [said(" ")], {}],
    ["a summary", [asked(), compacted({ fromSeq: 5, toSeq: 5, summary: "So far." })], {}],
    ["an undo", [asked(), undone(5)], {}],
  ])("behind %s is left out", (_case, change, more) => {
    const before = [...thoughtful(1), asked(), ...change];
    expect(reasoningOf([...before, ...thoughtful(3)], more)).toEqual(all);
  });

  it("behind a result that is shown short is left out, before it stays", () => {
    const history = [...thoughtful(1), ...thoughtful(2)];
    expect(reasoningOf(history)).toHaveLength(4);
    expect(reasoningOf(history, { keepTurns: 2 })).toEqual(["about calling in 1"]);
  });

  it("of a round whose own call was repaired is left out", () => {
    const broken = round(1, [{ name: "a", text: "b", arguments: "{" }], {
      reasoning: "hm",
    });
    expect(reasoningOf([asked(), ...broken])).toEqual([]);
  });

  it("without words is none", () => {
    expect(reasoningOf([asked(), said("Yes.", { reasoning: " " })])).toEqual([]);
  });
});
