import type { CountTokens } from "../../models/tokens.ts";
import { maxTokensOf } from "../../models/tokens.ts";
import { oneLine, type Line } from "./lines.ts";

/** A summary made by cutting: what is used where no model is to be had. */

const mark = "…";
/** Characters. Few tokens are longer, and never many in a row: enough of a text to look at. */
const longestToken = 16;
/** Characters. More than a token of prose has: then the second guess is right. */
const usualToken = 8;
/** Of the tokens that a text may have, what is as good as all of them. */
const nearly = 0.8;

/** About the first `tokens` tokens of a text, with a mark where something is missing. Pure. */
export function firstTokens(text: string, tokens: number, count: CountTokens): string {
  if (maxTokensOf(text) <= tokens) return text;
  const longest = Math.min(text.length, tokens * longestToken);
  let length = Math.min(longest, tokens * usualToken);
  for (let tries = 0; tries < 4; tries += 1) {
    const counted = count(text.slice(0, length));
    const isEnough = length === longest || counted >= nearly * tokens;
    if (counted <= tokens && isEnough) break;
    length = Math.min(longest, Math.floor((length * tokens) / counted));
  }
  return length >= text.length ? text : whole(text, length) + mark;
}

/** The beginning and the end of a text, about as many tokens of it in all. Pure. */
export function bothEnds(text: string, tokens: number, count: CountTokens): string {
  const start = firstTokens(text, Math.ceil((tokens * 2) / 3), count);
  if (start === text) return text;
  const length = Math.floor(start.length / 2);
  return `${start} [cut] ${text.slice(-length).toWellFormed()}`;
}

/** Never half of a character. */
function whole(text: string, length: number): string {
  const splits = /[\uD800-\uDBFF]/.test(text[length - 1] ?? "");
  return text.slice(0, splits ? length - 1 : length);
}

/** How many tokens a text has, of those that count. What is far too long is not counted. Pure. */
export const atMost = (text: string, tokens: number, count: CountTokens): number =>
  text.length > tokens * longestToken ? tokens : Math.min(tokens, count(text));

/** Shares of the usual targets that are tried one after the other until everything fits. */
const shares = [1, 0.5, 0.25, 0.12];
/** A line that is cut has never less of its share than this. */
const leastOfShare = 0.5;

/** A line with about so many tokens of its text. */
export type ShortenLine = (line: Line, tokens: number) => string;

/**
 * Remembers what it made of a line: a plan tries many cuts, and most lines are part of all of them.
 */
export function lineShortener(count: CountTokens): ShortenLine {
  const known = new WeakMap<Line, Map<number, string>>();
  return (line, tokens) => {
    const made = known.get(line) ?? new Map<number, string>();
    known.set(line, made);
    const shortened = made.get(tokens) ?? shortenedLine(line, tokens, count);
    made.set(tokens, shortened);
    return shortened;
  };
}

function shortenedLine({ who, text }: Line, tokens: number, count: CountTokens): string {
  const start = text.slice(0, tokens * longestToken);
  const words = firstTokens(oneLine(start), tokens, count);
  const isCut = start.length < text.length && !words.endsWith(mark);
  return `${who}: ${words}${isCut ? mark : ""}`;
}

/** Lines in the place of what was said, at most `budgetTokens` in all. Pure. */
export function shortenLines(
  lines: readonly Line[],
  budgetTokens: number,
  means: { readonly count: CountTokens; readonly shorten: ShortenLine },
): string {
  const { count, shorten } = means;
  for (const share of shares) {
    if (leastTokens(lines, share, count) > budgetTokens) continue;
    const shortened = lines.map((line) => shorten(line, ofShare(line, share)));
    if (tokensOf(shortened, count) <= budgetTokens) return shortened.join("\n");
  }
  const least = shares.at(-1) ?? 1;
  return withoutMiddle(lines, (line) => shorten(line, ofShare(line, least)), {
    budgetTokens,
    count,
  });
}

const ofShare = ({ targetTokens }: Line, share: number): number => Math.ceil(targetTokens * share);

/** What shortened lines have at least: of a long conversation most would be shortened in vain. */
const leastTokens = (lines: readonly Line[], share: number, count: CountTokens): number =>
  lines.reduce((sum, line) => {
    const own = atMost(line.text, ofShare(line, share), count);
    return sum + count(line.who) + 1 + leastOfShare * own;
  }, 0);

const asItIs = (line: string): string => line;

/** A summary at most so long: the lines in its middle go. Pure. */
export function shortenSummary(summary: string, budgetTokens: number, count: CountTokens): string {
  if (count(summary) <= budgetTokens) return summary;
  return withoutMiddle(summary.split("\n"), asItIs, { budgetTokens, count });
}

/** A line break, at most. */
const tokensOf = (lines: readonly string[], count: CountTokens): number =>
  lines.reduce((sum, line) => sum + count(line) + 1, 0);

interface Room {
  readonly budgetTokens: number;
  readonly count: CountTokens;
}

/**
 * How a conversation began and where it got to matters more than what lies between: a third and two
 * thirds of the room. Only what may have room is written.
 */
function withoutMiddle<Line>(
  lines: readonly Line[],
  write: (line: Line) => string,
  { budgetTokens, count }: Room,
): string {
  const room = budgetTokens - count(leftOut(lines.length)) - 1;
  const head = taken(lines, write, { budgetTokens: room / 3, count });
  const rest = room - tokensOf(head, count);
  const tail = taken(lines.slice(head.length).toReversed(), write, {
    budgetTokens: rest,
    count,
  }).toReversed();
  const missing = lines.length - head.length - tail.length;
  if (missing === lines.length)
    return firstTokens(
      // More lines than tokens are never seen.
      lines.slice(0, Math.max(1, budgetTokens)).map(write).join("\n"),
      budgetTokens,
      count,
    );
  const words = [...head, leftOut(missing), ...tail].join("\n");
  return count(words) <= budgetTokens ? words : firstTokens(words, budgetTokens, count);
}

const leftOut = (lines: number): string => `[${lines} lines left out]`;

/** The first lines that have room. */
function taken<Line>(
  lines: readonly Line[],
  write: (line: Line) => string,
  { budgetTokens, count }: Room,
): string[] {
  const fitting: string[] = [];
  let left = budgetTokens;
  for (const line of lines) {
    const text = write(line);
    left -= count(text) + 1;
    if (left < 0) break;
    fitting.push(text);
  }
  return fitting;
}
