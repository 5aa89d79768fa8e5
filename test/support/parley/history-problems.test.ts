import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import { historyProblems } from "./history-problems.ts";

const message = (id: string): LogEntry => ({
  kind: "message",
  v: 1,
  id,
  person: { id: "telegram:1", name: "Ann" },
  text: "hello",
  atMs: 0,
});
const answer = (turn: number, ...names: string[]): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn,
  round: 1,
  model: "openai/gpt",
  text: "",
  calls: names.map((name, index) => ({
    index,
    wireId: "",
    name,
    arguments: "{}",
  })),
});
const result = (
  turn: number,
  index: number,
  name: string,
  failed: Partial<LogEntry & { kind: "tool" }> = {},
): LogEntry => ({
  kind: "tool",
  v: 1,
  turn,
  round: 1,
  index,
  name,
  text: "done",
  ...failed,
});
const end = (turn: number): LogEntry => ({
  kind: "end",
  v: 1,
  turn,
  reason: "cancelled",
});

const begun = [message("1"), answer(1, "look", "pay")];

const broken: Record<string, readonly LogEntry[]> = {
  "a call without a result": [...begun, result(1, 0, "look"), end(1)],
  "a call with two results": [
    ...begun,
    result(1, 0, "look"),
    result(1, 0, "look"),
    result(1, 1, "pay"),
    end(1),
  ],
  "results in another order": [...begun, result(1, 1, "pay"), result(1, 0, "look"), end(1)],
  "a result of another turn": [...begun, result(1, 0, "look"), result(2, 1, "pay"), end(1)],
  "a result behind something else": [...begun, result(1, 0, "look"), end(1), result(1, 1, "pay")],
  "a result that nobody asked for": [message("1"), result(1, 0, "look"), end(1)],
  "a failure that is not named": [
    message("1"),
    answer(1, "look"),
    result(1, 0, "look", { failure: "cancelled", text: "no" }),
    end(1),
  ],
  "words behind the end": [message("1"), end(1), answer(1)],
  "two ends": [message("1"), end(1), end(1)],
  "a message without an end": [message("1"), answer(1), message("2")],
  "results without an answer": [message("1"), answer(1, "look"), result(1, 0, "look")],
};

describe("the check of a history", () => {
  it("has nothing against turns that are answered, stopped, or never begun", () => {
    expect(
      historyProblems([
        ...begun,
        result(1, 0, "look"),
        result(1, 1, "pay", {
          failure: "outcome-unknown",
          text: "outcome-unknown: it may have run.",
        }),
        end(1),
        message("2"),
        end(2),
        message("3"),
        message("4"),
        answer(4),
      ]),
    ).toEqual([]);
  });

  it.each(Object.entries(broken))("finds %s", (_name, entries) => {
    expect(historyProblems(entries)).not.toEqual([]);
  });
});
