import { isBlank } from "../../text/blank.ts";
import type { CompactionEntry } from "../../core/history.ts";
import type { Tool } from "../../core/tool.ts";
import { cutText } from "../view/cut-text.ts";
import { isShown } from "./layout.ts";
import { keptOf } from "./kept.ts";
import type { Outlook } from "./outlook.ts";

/** How far a compaction goes. */
export interface Extent {
  /**
   * Index of the first entry after the summarised ones; the part's start:
   * nothing new is summarised.
   */
  readonly cut: number;
  /** Indexes of results after the cut that are shown shortened. */
  readonly results: readonly number[];
}

/** Characters. */
const cutLength = 200;
/** Results barely longer than their shortened form stay. Characters. */
export const worthCutting = 400;

/** The record of a compaction, cumulative and measured. Pure. */
export function recordOf(
  outlook: Outlook,
  extent: Extent,
  made: Pick<CompactionEntry, "summary" | "strategy" | "model"> & {
    /** By index: the text shown instead of a result. */
    readonly shownAs?: ReadonlyMap<number, string | undefined>;
  },
): CompactionEntry {
  const { part, request, layout, beforeTokens, count } = outlook;
  const { last, viewStart, start } = part;
  const { summary, strategy, model, shownAs } = made;
  const record: CompactionEntry = {
    kind: "compaction",
    v: 1,
    turn: request.turn,
    fromSeq: Math.min(last?.fromSeq ?? Infinity, viewStart + start),
    toSeq: viewStart + Math.max(extent.cut, start) - 1,
    summary,
    kept: keptOf({
      part,
      cut: extent.cut,
      turn: request.turn,
      openFrom: layout.openFrom,
      tool: request.tool,
      roomTokens: outlook.keptTokens,
      skillTokens: outlook.skillTokens,
      count,
    }),
    results: resultsOf(outlook, extent, shownAs),
    strategy,
    ...(model === undefined ? {} : { model }),
    tokensBefore: Math.round(beforeTokens),
    tokensAfter: 0,
  };
  return { ...record, tokensAfter: outlook.tokensWith(record) };
}

function resultsOf(
  { part, request }: Outlook,
  { cut, results }: Extent,
  shownAs: ReadonlyMap<number, string | undefined> | undefined,
): CompactionEntry["results"] {
  const bySeq = new Map(
    (part.last?.results ?? [])
      .filter(({ seq }) => seq >= part.viewStart + cut)
      .map(({ seq, text }) => [seq, text]),
  );
  for (const index of results) {
    const entry = part.entries[index];
    if (entry?.kind !== "tool") continue;
    bySeq.set(
      part.viewStart + index,
      cutText(
        shownAs?.get(index) ?? ownWords(entry.text, request.tool(entry.name)) ?? entry.text,
        cutLength,
      ),
    );
  }
  return [...bySeq].map(([seq, text]) => ({ seq, text }));
}

/** Undefined where the tool has no summary of this result; one that fails is none. */
function ownWords(
  text: string,
  tool: Pick<Tool, "history" | "summarise"> | undefined,
): string | undefined {
  if (tool?.history !== "action") return undefined;
  try {
    const words = tool.summarise?.(text);
    return words === undefined || isBlank(words) ? undefined : words;
  } catch {
    return undefined;
  }
}

/** Whether the entry at this index is a result that is never reduced. */
export function isKept({ part, request }: Outlook, index: number): boolean {
  const entry = part.entries[index];
  return entry?.kind === "tool" && request.tool(entry.name)?.history === "keep";
}

/**
 * Indexes of the results in a stretch that are worth cutting, oldest first: none that is kept, was
 * cut before, is so old that the view cuts it anyway, or is the newest word of a tool that says how
 * things are. Pure.
 */
export function resultsIn(
  { part, request, settings }: Outlook,
  from: number,
  to: number,
): number[] {
  const known = new Set(part.last?.results.map(({ seq }) => seq));
  const newest = new Set<string>();
  const turns = new Set<number>();
  const found: number[] = [];
  for (let index = part.entries.length - 1; index >= from; index -= 1) {
    const entry = part.entries[index];
    if (entry === undefined || !isShown(part, index)) continue;
    if (entry.kind === "assistant" || entry.kind === "tool") turns.add(entry.turn);
    if (turns.size > Math.max(1, settings.keepTurns)) break;
    if (entry.kind !== "tool") continue;
    const history = request.tool(entry.name)?.history ?? "action";
    const isNewestState = history === "state" && !newest.has(entry.name);
    newest.add(entry.name);
    if (index >= to || history === "keep" || isNewestState) continue;
    if (entry.text.length >= worthCutting && !known.has(part.viewStart + index)) found.push(index);
  }
  return found.toReversed();
}
