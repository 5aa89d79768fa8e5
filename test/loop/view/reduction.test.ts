import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import type { ViewInput } from "../../../src/loop/view/build-request-view.ts";
import { cutText } from "../../../src/loop/view/cut-text.ts";
import { asked, round, said, viewOf } from "./view-input.ts";

const long = (words: string): string => `${words} ${"x".repeat(400)}`;

type Result = Parameters<typeof round>[1][number];

/** One turn for each of these results. */
const turns = (...results: readonly Result[]): LogEntry[] =>
  results.flatMap((result, index) => [
    asked(),
    ...round(index + 1, [result]),
    said("Done.", { turn: index + 1, round: 2 }),
  ]);

const resultsOf = (
  history: readonly LogEntry[],
  more: Partial<ViewInput> = {},
): readonly string[] =>
  viewOf([...history, asked("next")], {
    keepTurns: 2,
    ...more,
  }).messages.flatMap((message) => (message.role === "tool" ? [message.text] : []));

const outdated =
  "[From the platform: an old result was left out; a newer one of this tool stands further down.]";
const other = { name: "action_other", text: "short" };

describe("old results", () => {
  it("of the class `state` go, but the newest of each tool", () => {
    const history = turns(
      { name: "state_a", text: long("first") },
      { name: "state_b", text: long("only") },
      { name: "state_a", text: long("second") },
      other,
      other,
    );
    expect(resultsOf(history)).toEqual([outdated, long("only"), long("second"), "short", "short"]);
  });

  it("of the class `state` stay where a failure is all that is newer", () => {
    const history = turns(
      { name: "state_a", text: long("known") },
      { name: "state_a", text: long("timeout: no"), failure: "timeout" },
      other,
    );
    expect(resultsOf(history)).toEqual([
      long("known"),
      `timeout: no ${"x".repeat(181)}… [cut]`,
      "short",
    ]);
  });

  it.each([["action_a"], ["unheard_of"]])(
    "of the class `action`, and of unknown tools (%s), are cut",
    (name) => {
      const history = turns({ name, text: long("first") }, other, other);
      expect(resultsOf(history)[0]).toBe(`first ${"x".repeat(187)}… [cut]`);
      expect(resultsOf(history)[0]).toHaveLength(200);
    },
  );

  it("of the class `keep` stay whole", () => {
    const history = turns({ name: "keep_a", text: long("id") }, other, other);
    expect(resultsOf(history)[0]).toBe(long("id"));
  });

  it("stay where they are short already", () => {
    const history = turns(
      { name: "state_a", text: "noon" },
      { name: "action_a", text: "x".repeat(200) },
      { name: "state_a", text: "one" },
      other,
      other,
    );
    expect(resultsOf(history).slice(0, 2)).toEqual(["noon", "x".repeat(200)]);
  });

  it.each<[string, (text: string) => unknown, string]>([
    ["its tool's summary", () => "400 x", "400 x"],
    ["its tool's summary, cut", () => "y".repeat(300), `${"y".repeat(193)}… [cut]`],
    [
      "cut, where its tool cannot sum up",
      () => {
        throw new Error("no summary");
      },
      `first ${"x".repeat(187)}… [cut]`,
    ],
    ["cut, where its tool's summary is empty", () => " ", `first ${"x".repeat(187)}… [cut]`],
    [
      "cut, where its tool's summary is no text",
      () => undefined,
      `first ${"x".repeat(187)}… [cut]`,
    ],
  ])("of the class `action` are %s", (_case, summarise, expected) => {
    const history = turns({ name: "a", text: long("first") }, other, other);
    const tool = () => ({
      history: "action" as const,
      summarise: summarise as (text: string) => string,
    });
    expect(resultsOf(history, { tool })[0]).toBe(expected);
  });

  it("begin with the failure's kind, whatever was cut", () => {
    const history = turns(
      { name: "state_a", text: long("no"), failure: "tool-error" },
      { name: "action_a", text: long("timeout: no"), failure: "timeout" },
      other,
      other,
    );
    expect(resultsOf(history).slice(0, 2)).toEqual([
      expect.stringMatching(/^tool-error: no x/),
      expect.stringMatching(/^timeout: no x/),
    ]);
    for (const text of resultsOf(history)) expect(text.length).toBeLessThan(201);
  });

  it("are said, once for all", () => {
    const history = turns(
      { name: "action_a", text: long("1") },
      { name: "action_a", text: long("2") },
      { name: "action_a", text: long("3") },
    );
    expect(viewOf([...history, asked()], { keepTurns: 2 }).diagnostics).toEqual([
      "reduction: 2 results are shown short",
    ]);
  });
});

/** How many results are shown whole. */
const whole = (entries: readonly LogEntry[], keepTurns: number): number =>
  viewOf(entries, { keepTurns }).messages.filter(
    (message) => message.role === "tool" && message.text.length > 200,
  ).length;

describe("the last turns", () => {
  const history = turns(
    ...Array.from({ length: 12 }, (_, index) => ({
      name: "action_a",
      text: long(`${index + 1}`),
    })),
  );
  it("stay whole, the one that is just opened among them", () => {
    expect(whole([...history, asked()], 10)).toBe(9);
    expect(whole(history, 10)).toBe(10);
  });

  it("do not move while a turn goes on", () => {
    const going = [...history, asked(), ...round(13, [{ name: "action_a", text: long("13") }])];
    expect(whole(going, 10)).toBe(10);
    expect(whole([...going, asked("and this?")], 10)).toBe(10);
    const ended: LogEntry = {
      kind: "end",
      v: 1,
      turn: 13,
      reason: "cancelled",
    };
    expect(whole([...going, ended, asked("new")], 10)).toBe(9);
  });

  it("are never fewer than the open one", () => {
    const going = [...history, asked(), ...round(13, [{ name: "action_a", text: long("13") }])];
    expect(whole(going, 0)).toBe(1);
  });
});

describe("a cut", () => {
  it("never leaves half of a character", () => {
    fc.assert(
      fc.property(
        fc
          .array(fc.constantFrom("a", "😀", "é", "\n"), { maxLength: 60 })
          .map((parts) => parts.join("")),
        fc.integer({ min: 10, max: 60 }),
        (text, maxLength) => {
          const cut = cutText(text, maxLength);
          expect(cut.isWellFormed()).toBe(true);
          expect(cut.length).toBeLessThanOrEqual(maxLength);
          expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, maxLength - 1));
          if (text.length <= maxLength) expect(cut).toBe(text);
          else expect(text.startsWith(cut.slice(0, -"… [cut]".length))).toBe(true);
        },
      ),
    );
  });
});
