import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../src/core/history.ts";
import { recapOf } from "../../src/roles/recap.ts";

const person = { id: "console:local", name: "you" };
const asked = (text: string): LogEntry => ({
  kind: "message",
  v: 1,
  id: text,
  person,
  text,
  atMs: 0,
});
const answered = (text: string): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn: 1,
  round: 1,
  model: "openai/gpt",
  text,
  calls: [],
});
const recap = (...entries: LogEntry[]) =>
  recapOf(entries.map((entry, index) => ({ position: 100 + index, entry }))).map(
    ({ by, text }) => `${by}: ${text}`,
  );

describe("the recap of a conversation", () => {
  it("has its last two exchanges, without calls", () => {
    expect(
      recap(asked("1"), answered("one"), asked("2"), answered(""), answered("two"), asked("3"), {
        kind: "end",
        v: 1,
        turn: 3,
        reason: "model-failed",
        text: "Sorry",
      }),
    ).toEqual(["person: 2", "bot: two", "person: 3", "bot: Sorry"]);
  });

  it("has nothing of what was reset or undone", () => {
    const reset: LogEntry = { kind: "reset", v: 1, id: "r", atMs: 0 };
    const undo: LogEntry = { kind: "undo", v: 1, id: "u", fromSeq: 105, ran: [], atMs: 0 };
    expect(
      recap(
        asked("1"),
        answered("one"),
        reset,
        asked("2"),
        answered("two"),
        asked("3"),
        answered("three"),
        undo,
      ),
    ).toEqual(["person: 2", "bot: two"]);
    expect(recap(asked("1"), reset)).toEqual([]);
  });

  it("has the goal of /auto, not what the model reads of it", () => {
    const auto = { goal: "tidy up", step: 1, of: 2 };
    expect(recap({ ...asked("wrapped"), auto } as LogEntry)).toEqual(["person: tidy up"]);
  });
});
