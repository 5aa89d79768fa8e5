import type { PlacedWindow } from "./windows.ts";
import type { TermCounts } from "../text/keyword-index.ts";
import { monthTerm, termsOf } from "../text/terms.ts";

/**
 * The terms of who said something, of the day, and of what was said, each as often as it occurs. What
 * is stored of them ends somewhere: late words of long messages are the least loss. Pure.
 */
export function termsOfWindow({ lines, at }: Pick<PlacedWindow, "lines" | "at">): TermCounts {
  const names = [...new Set(lines.flatMap(({ who }) => (who === undefined ? [] : [who])))];
  const counts = new Map<string, number>();
  for (const term of [
    ...names.flatMap((name) => [...termsOf(name), ...speakerTerms(name)]),
    ...termsOfDate(at),
    ...lines.flatMap(({ text }) => termsOf(text)),
  ])
    counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** A day by its number, its month and its year, in UTC. */
function termsOfDate(atMs: number): readonly string[] {
  const date = new Date(atMs);
  return [`${date.getUTCDate()}`, monthTerm(date.getUTCMonth()), `${date.getUTCFullYear()}`];
}

/** What the speaker's name is found by. A name in the text is another term. */
export const speakerTerms = (name: string): readonly string[] =>
  termsOf(name).map((term) => `@${term}`);
