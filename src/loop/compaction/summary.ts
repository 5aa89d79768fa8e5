import { isBlank } from "../../text/blank.ts";
import type { CountTokens } from "../../models/tokens.ts";
import { linesOf, type Line } from "./lines.ts";
import type { Outlook } from "./outlook.ts";
import { atMost, shortenLines, shortenSummary } from "./shorten.ts";

/** What a summary is made of, and how much room each part of it has. */
export interface Outline {
  /** The summary so far; it stays as it is when it has no more tokens than its budget. */
  readonly earlier: string;
  readonly earlierBudgetTokens: number;
  readonly lines: readonly Line[];
  readonly linesBudgetTokens: number;
}

/**
 * However much there is to say about the new part, the earlier summary keeps this share of the
 * whole.
 */
const minEarlierShare = 0.25;

/** Of a summary up to a cut after the part's start. Pure. */
export function outlineOf(outlook: Outlook, cut: number): Outline {
  const { part, count, summaryTokens } = outlook;
  const earlier = part.last?.summary ?? "";
  const lines = linesOf(part, part.start, cut);
  const had = count(earlier);
  const wanted = wantedTokens(lines, count);
  const room =
    had + wanted <= summaryTokens
      ? had
      : Math.min(had, summaryTokens * Math.max(minEarlierShare, had / (had + wanted)));
  const earlierBudgetTokens = Math.floor(room);
  return {
    earlier,
    earlierBudgetTokens,
    lines,
    linesBudgetTokens: Math.min(wanted, summaryTokens - earlierBudgetTokens),
  };
}

/** How long lines are when each is as long as it may be. */
export const wantedTokens = (lines: readonly Line[], count: CountTokens): number =>
  lines.reduce(
    (sum, { who, text, targetTokens }) =>
      sum + atMost(text, targetTokens + 2, count) + count(who) + 3,
    0,
  );

/** A summary without a model: everything is cut to its share. Pure. */
export function cutSummary(outlook: Outlook, cut: number): string {
  const { part, count } = outlook;
  if (cut <= part.start) return part.last?.summary ?? "";
  const outline = outlineOf(outlook, cut);
  return joined([
    shortenSummary(outline.earlier, outline.earlierBudgetTokens, count),
    shortenLines(outline.lines, outline.linesBudgetTokens, outlook),
  ]);
}

/** Parts of a summary as one. */
export const joined = (parts: readonly string[]): string =>
  parts.filter((text) => !isBlank(text)).join("\n");
