import type { LogEntry, ToolEntry } from "../../core/history.ts";
import {
  findTools,
  isKeptTools,
  keptToolsText,
  namesKept,
  toolsFoundIn,
} from "../../tools/find-tools.ts";
import { selectEntries } from "./select-entries.ts";

/** Names that a compaction keeps, the ones used last. */
const maxKept = 64;

/**
 * The tools that a conversation has found or called since its last reset, by the names that the
 * model sees, in the order in which they came up first. With each, how late it was used: more is
 * later. Pure.
 */
export function foundTools(
  transcript: readonly LogEntry[],
  viewStart: number,
): ReadonlyMap<string, number> {
  const reset = transcript.findLastIndex(({ kind }) => kind === "reset");
  const compaction = transcript.slice(reset + 1).findLast((entry) => entry.kind === "compaction");
  const shown = selectEntries(transcript, viewStart).shown.flatMap((piece) =>
    piece.type === "assistant" || piece.type === "result" ? [piece.entry] : [],
  );
  return usesIn(compaction?.kept ?? [], shown);
}

/**
 * What a compaction keeps of the entries that it summarises, and of an earlier one: nothing where
 * no tool was found. Pure.
 */
export function keptTools(kept: readonly string[], entries: readonly LogEntry[]): string[] {
  if (!kept.some(isKeptTools) && !entries.some(isSearch)) return [];
  const uses = [...usesIn(kept, entries)].toSorted(([, one], [, other]) => one - other);
  const names = uses.slice(-maxKept).map(([name]) => name);
  return names.length === 0 ? [] : [keptToolsText(names)];
}

const isSearch = (entry: LogEntry): entry is ToolEntry =>
  entry.kind === "tool" && entry.name === findTools && entry.failure === undefined;

function usesIn(kept: readonly string[], entries: readonly LogEntry[]): Map<string, number> {
  const uses = new Map<string, number>();
  let time = 0;
  const note = (names: readonly string[]): void => {
    for (const name of names) uses.set(name, (time += 1));
  };
  for (const text of kept) note(namesKept(text));
  for (const entry of entries) {
    if (entry.kind === "assistant")
      note(entry.calls.map(({ name }) => name).filter((name) => name !== findTools));
    if (!isSearch(entry)) continue;
    // Where not all have room, the best ones stay.
    const found = toolsFoundIn(entry.text);
    note([...found, ...found.toReversed()]);
  }
  return uses;
}
