import { isBlank } from "../../text/blank.ts";
import type { FailureKind, ToolEntry } from "../../core/history.ts";
import type { Tool } from "../../core/tool.ts";
import { withoutOurBrackets } from "../../text/platform-voice.ts";
import { cutText } from "./cut-text.ts";
import type { Exchange, Part } from "./group-rounds.ts";
import { fromPlatform } from "./platform-words.ts";

/** Characters of an old result of the class `action`, the mark of the cut included. */
const maxActionLength = 200;

const outdated = fromPlatform(
  "an old result was left out; a newer one of this tool stands further down.",
);

/**
 * How a tool's old results are reduced; undefined for a tool that no longer
 * exists.
 */
export type ReducibleTool = (wireName: string) => Pick<Tool, "history" | "summarise"> | undefined;

/**
 * The results that are shown shortened, with the shown text: as a compaction
 * says, and, for results older than the last `keepTurns` turns, as their class
 * says. A failure's kind always comes first. Pure, whatever `summarise` does.
 */
export function shortResults(
  parts: readonly Part[],
  options: { readonly tool: ReducibleTool; readonly keepTurns: number },
): ReadonlyMap<Exchange, string> {
  const wholeFrom = firstWholePart(parts, options.keepTurns);
  const newest = newestOfEachTool(parts);
  const short = new Map<Exchange, string>();
  parts.forEach((part, index) => {
    if (part.type !== "round") return;
    for (const exchange of part.exchanges) {
      const { call, result, cut } = exchange;
      if (result === undefined) continue;
      const tool = options.tool(call.name);
      if (tool?.history === "keep") continue;
      let text = cut === undefined ? result.text : led(cut, result.failure);
      const isNewest = newest.get(call.name) === exchange;
      const isOld = index < wholeFrom;
      if (isOld) {
        const reduced = reducedResult(result, tool, isNewest);
        if (reduced.length < text.length) text = reduced;
      }
      // However short its text, an old result is shown without its images.
      const losesImages =
        result.images !== undefined && isOld && !(tool?.history === "state" && isNewest);
      if (text !== result.text || losesImages)
        short.set(exchange, text === outdated ? text : withoutOurBrackets(text));
    }
  });
  return short;
}

function reducedResult(
  { text, failure }: ToolEntry,
  tool: ReturnType<ReducibleTool>,
  isNewest: boolean,
): string {
  if (failure !== undefined) return cutText(led(text, failure), maxActionLength);
  if (tool?.history === "state") return isNewest ? text : outdated;
  if (text.length <= maxActionLength) return text;
  return cutText(summaryOf(text, tool) ?? text, maxActionLength);
}

/** Undefined where the tool has no summary of this result. */
function summaryOf(text: string, tool: ReturnType<ReducibleTool>): string | undefined {
  try {
    const summary: unknown = tool?.summarise?.(text);
    return typeof summary === "string" && !isBlank(summary) ? summary : undefined;
  } catch {
    // A summary is a tool's courtesy; without it the result is cut.
    return undefined;
  }
}

const led = (text: string, failure: FailureKind | undefined): string =>
  failure === undefined || text.startsWith(failure) ? text : `${failure}: ${text}`;

/** What a tool last said of the state of things; a failure says nothing of it. */
function newestOfEachTool(parts: readonly Part[]): Map<string, Exchange> {
  const newest = new Map<string, Exchange>();
  for (const part of parts) {
    if (part.type !== "round") continue;
    for (const exchange of part.exchanges)
      if (exchange.result !== undefined && exchange.result.failure === undefined)
        newest.set(exchange.call.name, exchange);
  }
  return newest;
}

/**
 * The index from which on everything is whole: that of the last turns, the open one included, which
 * always is.
 */
function firstWholePart(parts: readonly Part[], keepTurns: number): number {
  const turns = new Set<number>();
  const limit = Math.max(1, keepTurns) - (isBetweenTurns(parts) ? 1 : 0);
  for (let index = parts.length - 1; index >= 0; index -= 1)
    for (const turn of turnsOf(parts[index])) {
      if (turns.has(turn)) continue;
      if (turns.size >= limit) return index + 1;
      turns.add(turn);
    }
  return 0;
}

/** Those that have written it. */
function turnsOf(part: Part | undefined): readonly number[] {
  if (part?.type === "plain") return part.turns;
  if (part?.type === "round") return [part.entry.turn];
  return part?.type === "end" ? [part.turn] : [];
}

/**
 * Whether the last messages have just opened a turn. Behind a result stands only one that joined a
 * running turn.
 */
function isBetweenTurns(parts: readonly Part[]): boolean {
  const last = parts.findLast(({ type }) => type !== "gap");
  const isMessage =
    last?.type === "message" || (last?.type === "plain" && last.messages.at(-1)?.role === "user");
  if (!isMessage) return false;
  const before = parts.findLast((part) => turnsOf(part).length > 0);
  return before?.type !== "round" || before.exchanges.length === 0;
}
