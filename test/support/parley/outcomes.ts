import { expect } from "vitest";
import type { FailureKind, LogEntry } from "../../../src/core/history.ts";

export type ToolOutcome = FailureKind | "done";

/** What became of calls, in the order in which their results lie in the history. */
export const outcomesIn = (entries: readonly LogEntry[]): ToolOutcome[] =>
  entries.filter((entry) => entry.kind === "tool").map(({ failure }) => failure ?? "done");

/** A message without the line below it that names the turn's tools. */
export const withoutTools = (text: string): string => text.replace(/\n+\*?⚙ [^\n]*$/u, "");

/** Whether a text is the expected one, whatever tools are named below it. */
export const reads =
  (expected: string | RegExp) =>
  (shown: string): boolean => {
    const text = withoutTools(shown);
    return typeof expected === "string" ? text === expected : expected.test(text);
  };

/** Each of the expected texts once, in any order, and no other. */
export function expectTexts(
  texts: readonly string[],
  expected: readonly (string | RegExp)[],
): void {
  const all = JSON.stringify(texts);
  for (const each of expected)
    expect(texts.filter(reads(each)), `${String(each)} in ${all}`).toHaveLength(1);
  expect(texts, all).toHaveLength(expected.length);
}
