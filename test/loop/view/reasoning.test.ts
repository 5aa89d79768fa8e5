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
  it("goes back to its own provider", () => {
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
  ])("behind %s stays", (_case, change, more) => {
    const before = [...thoughtful(1), asked(), ...change];
    expect(reasoningOf([...before, ...thoughtful(3)], more)).toHaveLength(4);
  });

  it("behind a result that is shown short stays", () => {
    const history = [...thoughtful(1), ...thoughtful(2)];
    expect(reasoningOf(history, { keepTurns: 2 })).toHaveLength(4);
  });

  it("without words is none", () => {
    expect(reasoningOf([asked(), said("Yes.", { reasoning: " " })])).toEqual([]);
  });
});

describe("what a provider alone knows", () => {
  const extras = { reasoning_details: [{ type: "reasoning.encrypted", id: "call_9", data: "x" }] };
  const signed = { extra_content: { google: { thought_signature: "s" } } };
  const history: LogEntry[] = [
    asked(),
    said("", {
      extras,
      reasoning: "hm",
      calls: [{ index: 0, wireId: "call_9", name: "keep_a", arguments: "{}", extras: signed }],
    }),
    { kind: "tool", v: 1, turn: 1, round: 1, index: 0, name: "keep_a", text: "noon" },
    said("Noon.", { extras: { reasoning_opaque: "y" } }),
    asked(),
  ];
  const reader = { ...card, thinking: false };
  const answersOf = (id: string) =>
    viewOf(history, { card: { ...reader, id } }).messages.filter(
      ({ role }) => role === "assistant",
    );

  it("goes back to it with its answers and calls, whose ids are ours", () => {
    const named = [{ type: "reasoning.encrypted", id: "t1_1_0", data: "x" }];
    expect(answersOf("test/other")).toEqual([
      {
        role: "assistant",
        text: "",
        calls: [{ id: "t1_1_0", name: "keep_a", arguments: "{}", extras: signed }],
        own: { reasoning: "hm", extras: { reasoning_details: named } },
      },
      { role: "assistant", text: "Noon.", calls: [], own: { extras: { reasoning_opaque: "y" } } },
    ]);
  });

  it("goes to no other provider", () => {
    expect(JSON.stringify(viewOf(history, { card: { ...reader, id: "other/model" } }))).not.toMatch(
      /reasoning_|extra_content|"own"/,
    );
  });
});
