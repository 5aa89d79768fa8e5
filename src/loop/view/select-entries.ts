import { unreachable } from "../../core/errors.ts";
import type {
  AssistantEntry,
  CompactionEntry,
  LogEntry,
  EditEntry,
  MessageEntry,
  ReadingEntry,
  ToolEntry,
} from "../../core/history.ts";
import { sampleTurns } from "../../core/sample-turns.ts";
import { takenBack } from "../../core/taken-back.ts";
import { pieceLength } from "../../util/memoised.ts";
import { plainPieces, type PlainExchanges } from "./plain-exchanges.ts";
import { summaryText, takenBackText } from "./platform-words.ts";

/** A turn's end without an answer of the model. */
export interface EndShown {
  readonly type: "end";
  readonly turn: number;
  readonly text: string;
  /** Why its question stays without an answer; absent: it is answered, or goes on in the next turn. */
  readonly unanswered?: "stopped" | "failed";
}

/** What of the history the view is made of, in order. */
export type Shown =
  | PlainExchanges
  | { readonly type: "message"; readonly entry: MessageEntry }
  | { readonly type: "edit"; readonly entry: EditEntry }
  | { readonly type: "assistant"; readonly entry: AssistantEntry }
  | {
      readonly type: "result";
      readonly entry: ToolEntry;
      /** What a compaction shows of it. */
      readonly cut: string | undefined;
    }
  | EndShown
  /** An answer was cut before a word of it was written. */
  | { readonly type: "cut" }
  /** Entries are omitted here; `text` replaces them, empty for nothing. */
  | { readonly type: "gap"; readonly text: string };

export interface Selection {
  readonly shown: readonly Shown[];
  /**
   * What attachments say, by their blobs: also of those that are not shown themselves, since
   * `/retry` repeats them.
   */
  readonly readings: ReadonlyMap<string, ReadingEntry>;
  readonly diagnostics: readonly string[];
}

/**
 * Begins at the last reset, replaces compacted entries with the newest summary,
 * and omits undone exchanges and other turns' samples of personas. Pure; positions in records may be invalid, but a
 * record never hides later entries.
 *
 * @param viewStart the log position of the first entry.
 * @param openTurn the turn that sees it.
 * @param inPieces whether plain exchanges may be joined.
 */
export function selectEntries(
  transcript: readonly LogEntry[],
  viewStart: number,
  { openTurn, inPieces = false }: { openTurn?: number | undefined; inPieces?: boolean } = {},
): Selection {
  const start = transcript.findLastIndex(({ kind }) => kind === "reset") + 1;
  const entries = transcript.slice(start);
  const first = viewStart + start;
  const compaction = readCompactions(entries, first);
  const isTakenBack = takenBack(entries, first);
  const isSample = sampleTurns(entries, openTurn);
  const shown: Shown[] = [];
  const diagnostics: string[] = [];
  const summaryAt = Math.max(0, compaction.isCovered.indexOf(true));
  let hidden = 0;
  let lasting = 0;
  const plain = inPieces ? plainPieces(entries) : [];
  /** Whether nothing of the piece that begins here is hidden: then no summary goes within. */
  const isUntouched = (from: number): boolean =>
    [compaction.isCovered, isTakenBack, isSample].every(
      (flags) => flags.length === 0 || !flags.slice(from, from + pieceLength).includes(true),
    );
  for (let index = 0; index < entries.length; index += 1) {
    const entry = entries[index] as LogEntry;
    if (index === summaryAt && compaction.summary !== undefined)
      shown.push({ type: "gap", text: compaction.summary });
    const exchanges = index % pieceLength === 0 ? plain[index / pieceLength] : undefined;
    if (exchanges !== undefined && isUntouched(index)) {
      shown.push(exchanges);
      index += pieceLength - 1;
      continue;
    }
    if (compaction.isCovered[index] === true || isSample[index] === true) continue;
    if (isTakenBack[index] === true) {
      if (entry.kind !== "compaction") hidden += 1;
      continue;
    }
    if (entry.kind === "undo") lasting += entry.ran.length;
    const piece = shownEntry(entry, compaction.cuts.get(first + index));
    if (piece !== undefined) shown.push(piece);
  }
  diagnostics.push(...compaction.diagnostics);
  if (hidden > 0) diagnostics.push(`undo: ${hidden} entries that were taken back are hidden`);
  if (lasting > 0) diagnostics.push(`undo: ${lasting} calls that it did not undo are named`);
  const readings = new Map<string, ReadingEntry>();
  for (const entry of entries) if (entry.kind === "reading") readings.set(entry.blob, entry);
  return { shown, readings, diagnostics };
}

function shownEntry(entry: LogEntry, cut: string | undefined): Shown | undefined {
  switch (entry.kind) {
    case "message":
      return { type: "message", entry };
    case "edit":
      return entry.past ? undefined : { type: "edit", entry };
    case "assistant":
      return { type: "assistant", entry };
    case "tool":
      return { type: "result", entry, cut };
    case "end":
      return entry.cut === undefined || endText(entry) !== ""
        ? { type: "end", turn: entry.turn, text: endText(entry), ...unansweredBy(entry) }
        : { type: "cut" };
    case "undo":
      return { type: "gap", text: takenBackText(entry.ran) };
    case "reading":
    case "compaction":
    case "reset":
      return undefined;
    default:
      return unreachable(entry);
  }
}

/** An apology for the model is no part of the conversation, nor is a word about its length. */
function endText({ reason, text = "" }: Extract<LogEntry, { kind: "end" }>): string {
  return reason === "model-failed" || reason === "compacted" ? "" : text;
}

/** A message that replaces another one is answered together with it. */
function unansweredBy({
  reason,
}: Extract<LogEntry, { kind: "end" }>): Pick<EndShown, "unanswered"> {
  if (reason === "superseded" || reason === "compacted" || reason === "answered") return {};
  return { unanswered: reason === "cancelled" ? "stopped" : "failed" };
}

interface Compactions {
  /** By index: whether a summary covers it; empty where none covers any. */
  readonly isCovered: readonly boolean[];
  /** Undefined: nothing is summed up. Empty: it is left out without a word. */
  readonly summary: string | undefined;
  /** By log position: the shown text of results. */
  readonly cuts: ReadonlyMap<number, string>;
  readonly diagnostics: readonly string[];
}

function readCompactions(entries: readonly LogEntry[], first: number): Compactions {
  const cuts = new Map<number, string>();
  if (!entries.some(({ kind }) => kind === "compaction"))
    return { isCovered: [], summary: undefined, cuts, diagnostics: [] };
  // How many records begin and end to cover at an index.
  const changes = Array.from({ length: entries.length + 1 }, () => 0);
  let newest: { record: CompactionEntry; index: number } | undefined;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== "compaction") continue;
    for (const { seq, text } of entry.results) cuts.set(seq, text);
    const from = Math.max(0, Math.ceil(entry.fromSeq - first));
    const to = Math.min(index - 1, Math.floor(entry.toSeq - first));
    if (from <= to) {
      changes[from] = (changes[from] ?? 0) + 1;
      changes[to + 1] = (changes[to + 1] ?? 0) - 1;
    }
    // One that only cuts results takes no summary's place.
    if (entry.fromSeq <= entry.toSeq || summaryText(entry, false) !== "")
      newest = { record: entry, index };
  }
  let depth = 0;
  const isCovered = entries.map((_, index) => {
    depth += changes[index] ?? 0;
    return depth > 0;
  });
  if (newest === undefined) return { isCovered, summary: undefined, cuts, diagnostics: [] };
  const { record, index } = newest;
  const isPartlyTakenBack = entries
    .slice(index)
    .some((entry) => entry.kind === "undo" && entry.fromSeq <= record.toSeq);
  const diagnostics = [
    `compaction: a summary stands for the positions ${record.fromSeq} to ${record.toSeq}`,
  ];
  if (isPartlyTakenBack) diagnostics.push("undo: it reaches into what the summary stands for");
  const summary = summaryText(record, isPartlyTakenBack);
  return { isCovered, summary, cuts, diagnostics };
}
