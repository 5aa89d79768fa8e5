import { cutText } from "../../view/cut-text.ts";
import { linesOf } from "../lines.ts";
import type { Outlook } from "../outlook.ts";
import type { Plan } from "../plan.ts";
import { isKept } from "../record.ts";

/** Characters of an entry, and of a page of them, that are shown at once. */
const shownLength = 600;
const pageLength = 12_000;

/**
 * What an agent sees of the conversation that it is to compress: a page of it, and where it may
 * cut. Pure.
 */
export function pageFrom(
  plan: Plan,
  view: {
    readonly fromSeq: number;
    /** By index. */
    readonly isDone: (index: number) => boolean;
  },
): Record<string, unknown> {
  const { outlook } = plan;
  const { part, layout, beforeTokens } = outlook;
  const from = Math.max(part.start, view.fromSeq - part.viewStart);
  const entries: unknown[] = [];
  let index = from;
  for (let length = 0; index < plan.limit && length < pageLength; index += 1) {
    const entry = described(outlook, index, view.isDone(index));
    if (entry === undefined) continue;
    entries.push(entry);
    length += JSON.stringify(entry).length;
  }
  const to = Math.min(index, plan.limit);
  return {
    tokensAtFirst: Math.round(beforeTokens),
    goalTokens: Math.round(plan.goalTokens),
    compressible: {
      fromSeq: part.viewStart + part.start,
      toSeq: part.viewStart + plan.limit - 1,
    },
    segmentsMayEndAtSeq: layout.cuts
      .filter((cut) => cut > from && cut <= to)
      .map((cut) => part.viewStart + cut - 1),
    entries,
    nextPageFromSeq: index < plan.limit ? part.viewStart + index : null,
  };
}

function described(
  outlook: Outlook,
  index: number,
  done: boolean,
): Record<string, unknown> | undefined {
  const { part, count } = outlook;
  const lines = linesOf(part, index, index + 1);
  if (lines.length === 0) return undefined;
  const text = lines.map((line) => `${line.who}: ${line.text}`).join("\n");
  return {
    seq: part.viewStart + index,
    tokens: count(text),
    text: cutText(text, shownLength),
    ...(isKept(outlook, index) ? { kept: true } : {}),
    ...(done ? { done } : {}),
  };
}
