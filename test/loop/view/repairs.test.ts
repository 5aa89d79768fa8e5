import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import { CallIds } from "../../../src/loop/view/call-ids.ts";
import { asked, round, said, undone, viewOf } from "./view-input.ts";

const called = (
  calls: readonly { name?: string; arguments?: string; index?: number }[],
): LogEntry =>
  said("", {
    calls: calls.map((call, index) => ({
      index,
      wireId: "w",
      name: "current_time",
      arguments: "{}",
      ...call,
    })),
  });
const answered = (index: number, text: string, name = "current_time") =>
  ({
    kind: "tool",
    v: 1,
    turn: 1,
    round: 1,
    index,
    name,
    text,
  }) satisfies LogEntry;

const ended = (
  reason: "model-failed" | "deadline" | "compacted",
  text = "I stopped.",
): LogEntry => ({ kind: "end", v: 1, turn: 1, reason, text });

describe("repairs, one by one", () => {
  it("nothing is repaired where nothing is broken", () => {
    const view = viewOf(
      [
        asked(),
        ...round(1, [{ name: "current_time", text: "noon" }]),
        said("It is noon."),
        asked("Thanks"),
      ],
      { context: ["You are Parley.", " ", "Be brief."] },
    );
    expect(view).toEqual({
      messages: [
        { role: "system", text: "You are Parley." },
        { role: "system", text: "Be brief." },
        { role: "user", text: "time?" },
        {
          role: "assistant",
          text: "",
          calls: [{ id: "t1_1_0", name: "current_time", arguments: "{}" }],
        },
        { role: "tool", callId: "t1_1_0", name: "current_time", text: "noon" },
        { role: "assistant", text: "It is noon.", calls: [] },
        { role: "user", text: "Thanks" },
      ],
      diagnostics: [],
    });
  });

  it("a missing result is unknown, and says so", () => {
    const view = viewOf([asked(), called([{}]), asked()]);
    expect(view.messages[2]).toMatchObject({
      role: "tool",
      callId: "t1_1_0",
      text: expect.stringMatching(/^outcome-unknown: /),
    });
    expect(view.diagnostics).toEqual(["repair: call t1_1_0 had no result"]);
  });

  it("a result without a call is left out, and says so", () => {
    const view = viewOf([asked(), answered(0, "noon")]);
    expect(view.messages).toHaveLength(1);
    expect(view.diagnostics).toEqual(["repair: result t1_1_0 had no call"]);
  });

  it("a second result is left out, and says so", () => {
    const view = viewOf([asked(), called([{}]), answered(0, "noon"), answered(0, "one")]);
    expect(view.messages.slice(2)).toMatchObject([{ text: "noon" }]);
    expect(view.diagnostics).toEqual(["repair: result t1_1_0 had no call"]);
  });

  it.each<[string, LogEntry]>([
    ["a message", asked()],
    ["an end", ended("deadline")],
    ["an undo that says something", undone(9, [{ name: "pay", arguments: "" }])],
  ])("a result behind %s belongs to no call", (_case, between) => {
    const view = viewOf([asked(), called([{}]), between, answered(0, "noon")]);
    expect(view.messages[2]).toMatchObject({
      role: "tool",
      text: expect.stringMatching(/^outcome-unknown: /),
    });
    expect(view.diagnostics).toContain("repair: result t1_1_0 had no call");
  });

  it("results stand in the order in which the model asked", () => {
    const view = viewOf([asked(), called([{}, {}]), answered(1, "second"), answered(0, "first")]);
    expect(view.messages.slice(2)).toMatchObject([
      { callId: "t1_1_0", text: "first" },
      { callId: "t1_1_1", text: "second" },
    ]);
    expect(view.diagnostics).toEqual([]);
  });

  it("an invented name is made sendable, on the call and on its result", () => {
    const view = viewOf([
      asked(),
      called([{ name: "tell time!" }]),
      answered(0, "?", "tell time!"),
    ]);
    expect(view.messages.slice(1)).toMatchObject([
      { calls: [{ name: "tell_time_" }] },
      { name: "tell_time_" },
    ]);
    expect(view.diagnostics).toEqual(["repair: call t1_1_0 named an invalid tool"]);
  });

  it("a result bears its call's name", () => {
    const view = viewOf([asked(), called([{}]), answered(0, "noon", "other")]);
    expect(view.messages[2]).toMatchObject({ name: "current_time" });
    expect(view.diagnostics).toEqual(["repair: result t1_1_0 bore another name than its call"]);
  });

  it("two calls with one index get ids of their own", () => {
    const view = viewOf([asked(), called([{ index: 0 }, { index: 0 }]), answered(0, "noon")]);
    expect(view.messages.slice(2)).toMatchObject([
      { callId: "t1_1_0", text: "noon" },
      { callId: "t1_1_0_2", text: expect.stringMatching(/^outcome-unknown/) },
    ]);
    expect(view.diagnostics).toEqual([
      "repair: call t1_1_0 could not have this id, now t1_1_0_2",
      "repair: call t1_1_0_2 had no result",
    ]);
  });

  it("an id that no provider takes becomes one", () => {
    const view = viewOf([asked(), ...round(1e21, [{ name: "current_time", text: "noon" }])]);
    expect(view.messages.slice(1)).toMatchObject([
      { calls: [{ id: "t1e_21_1_0" }] },
      { callId: "t1e_21_1_0", text: "noon" },
    ]);
    expect(view.diagnostics).toHaveLength(1);
  });

  it.each(["{", "", "[1]", "null", `{"a":${"[".repeat(500)}${"]".repeat(500)}}`])(
    "arguments no. %# become {}",
    (given) => {
      const view = viewOf([asked(), called([{ arguments: given }]), answered(0, "no")]);
      expect(view.messages[1]).toMatchObject({ calls: [{ arguments: "{}" }] });
      expect(view.diagnostics).toEqual([
        "repair: call t1_1_0 had arguments that are not a JSON object",
      ]);
    },
  );

  it("an empty answer is left out, and says so", () => {
    const view = viewOf([asked(), said(" "), asked()]);
    expect(view.messages).toHaveLength(2);
    expect(view.diagnostics).toEqual(["repair: the answer of round 1.1 was empty"]);
  });

  it("an apology for the model is not the model's word, an end by a limit is", () => {
    const failed = viewOf([asked(), ended("model-failed"), asked()]).messages;
    expect(failed[1]).toMatchObject({ role: "assistant", text: "(I could not answer this.)" });
    expect(viewOf([asked(), ended("compacted"), asked()]).messages).toHaveLength(2);
    expect(viewOf([asked(), ended("deadline", ""), asked()]).messages).toHaveLength(3);
    expect(viewOf([asked(), ended("deadline"), asked()]).messages[1]).toMatchObject({
      role: "assistant",
      text: "I stopped.",
    });
  });

  it("in a group the model is told who speaks", () => {
    const group = { ...asked(), group: true } as LogEntry;
    expect(viewOf([group]).messages).toMatchObject([{ text: "Ann: time?" }]);
  });

  it("what has no words is named so, and is no empty message", () => {
    const group = { ...asked("\n"), group: true } as LogEntry;
    const view = viewOf([
      asked(""),
      group,
      ...round(1, [{ name: "current_time", text: "" }], { text: "\n\n" }),
    ]);
    expect(view.messages).toMatchObject([
      { role: "user", text: "[no text]" },
      { role: "user", text: "Ann: [no text]" },
      { role: "assistant", text: "", calls: [{}] },
      { role: "tool", text: "[no text]" },
    ]);
    expect(view.diagnostics).toEqual(["blank: 4 texts without words are left out or named so"]);
  });

  it("someone speaks first, before calls, and last", () => {
    const view = viewOf([
      said("Hello."),
      ...round(1, [{ name: "current_time", text: "noon" }]),
      asked(),
      said("Noon."),
    ]);
    const nobody = {
      role: "user",
      text: "[From the platform: nobody wrote anything here.]",
    };
    expect(view.messages).toMatchObject([
      nobody,
      { role: "assistant", text: "Hello." },
      nobody,
      { role: "assistant", calls: [{}] },
      { role: "tool" },
      { role: "user", text: "time?" },
      { role: "assistant", text: "Noon." },
      nobody,
    ]);
    expect(view.diagnostics).toEqual([
      "repair: the conversation began with the assistant",
      "repair: calls came right behind the assistant's own words",
      "repair: the conversation ended with the assistant",
    ]);
  });

  it("where no one has said anything there is no request to repair", () => {
    expect(viewOf([said("Hello.")])).toEqual({
      messages: [{ role: "assistant", text: "Hello.", calls: [] }],
      diagnostics: [],
    });
    expect(viewOf([])).toEqual({ messages: [], diagnostics: [] });
  });
});

describe("the ids of calls", () => {
  it("are never the same, whatever the keys are", () => {
    const ids = new CallIds();
    const keys = ["t1_5_1", "t1_5_1", "t1.5_1_2", "t1.5_1_2"];
    expect([...keys, "t1_5_1_2"].map((key) => ids.take(key))).toEqual([
      "t1_5_1",
      "t1_5_1_2",
      "t1_5_1_2_2",
      "t1_5_1_2_3",
      "t1_5_1_2_4",
    ]);
  });

  it("are never too long", () => {
    const ids = new CallIds();
    const key = `t${"1".repeat(30)}_${"2".repeat(30)}_0`;
    const taken = Array.from({ length: 12 }, () => ids.take(key));
    expect(new Set(taken).size).toBe(12);
    for (const id of taken) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/);
  });
});

describe("what holds for this turn", () => {
  const now = { latest: "hot", recalled: "> Ann: seven hens" };

  it("stands in front of the person's newest message, in every round, and changes nothing else", () => {
    const history = [asked("Hi."), said("Hello."), asked("How many hens?")];
    const rounds = [...history, ...round(2, [{ name: "keep_this", text: "one" }])];
    const before = viewOf(history, now).messages;
    expect(before.slice(0, 2)).toEqual(viewOf(history).messages.slice(0, 2));
    expect(before.slice(2)).toMatchObject([
      { text: expect.stringMatching(/hot/) },
      { text: expect.stringMatching(/^\[From the platform: what follows.*\n> Ann: seven hens$/) },
      { role: "user", text: "How many hens?" },
    ]);
    // The first call's request is the beginning of the second call's.
    expect(viewOf(rounds, now).messages.slice(0, before.length)).toEqual(before);
  });

  it("is not there without words, or without a message", () => {
    const empty = { latest: " ", recalled: "" };
    expect(viewOf([asked()], empty)).toEqual(viewOf([asked()]));
    expect(viewOf([said("Hello.")], now)).toEqual(viewOf([said("Hello.")]));
  });
});

describe("the hint", () => {
  const hint = "You seem to go in circles.";
  const note = `[From the platform: ${hint}]`;
  const history = [
    asked(),
    ...round(1, [
      { name: "keep_this", text: "one" },
      { name: "keep_this", text: "two" },
    ]),
  ];

  it("stands behind the last result", () => {
    const view = viewOf(history, { hint });
    expect(view.messages.slice(2)).toMatchObject([{ text: "one" }, { text: `two\n\n${note}` }]);
    expect(view.diagnostics).toEqual(["hint: added to the last result"]);
  });

  it("else is a message of its own at the end", () => {
    const view = viewOf([...history, said("Hm."), asked("And?")], { hint });
    expect(view.messages.slice(-2)).toEqual([
      { role: "user", text: "And?" },
      { role: "user", text: note },
    ]);
    expect(view.diagnostics).toEqual(["hint: added at the end"]);
  });

  it("is not there without words", () => {
    expect(viewOf(history, { hint: " " })).toEqual(viewOf(history));
  });
});
