import type { CompactionEntry, LogEntry } from "../../core/history.ts";
import { sampleTurns } from "../../core/sample-turns.ts";
import { takenBack } from "../../core/taken-back.ts";

/** The part of the history that a view shows, and the summary of the rest. */
export interface Part {
  readonly entries: readonly LogEntry[];
  /** The log position of the first of `entries`. */
  readonly viewStart: number;
  /** The newest compaction since the last reset. */
  readonly last: CompactionEntry | undefined;
  /**
   * Index of the first entry that the view may show: after the last reset and
   * the entries that `last` summarises.
   */
  readonly start: number;
  /** By index: whether an undo hides the entry, or it is another turn's sample of a persona. */
  readonly hidden: readonly boolean[];
}

/** @param turn the open turn; absent: none is. */
export function partOf(entries: readonly LogEntry[], viewStart: number, turn?: number): Part {
  const reset = entries.findLastIndex(({ kind }) => kind === "reset");
  let last: CompactionEntry | undefined;
  let start = reset + 1;
  for (let index = reset + 1; index < entries.length; index += 1) {
    const entry = entries[index];
    if (entry?.kind !== "compaction") continue;
    last = entry;
    // As the view reads it: a record never covers later entries.
    const to = Math.min(index - 1, Math.floor(entry.toSeq - viewStart));
    if (Math.ceil(entry.fromSeq - viewStart) <= to) start = Math.max(start, to + 1);
  }
  const isSample = sampleTurns(entries, turn);
  const isTakenBack = takenBack(entries, viewStart);
  const hidden = entries.map((_, index) => isSample[index] === true || isTakenBack[index] === true);
  return {
    entries,
    viewStart,
    last,
    start,
    hidden,
  };
}

/** Whether the view shows something of this entry's own. */
export function isShown({ entries, hidden }: Part, index: number): boolean {
  const entry = entries[index];
  if (entry === undefined || hidden[index]) return false;
  if (entry.kind === "undo") return entry.ran.length > 0;
  if (entry.kind === "edit") return entry.past !== true;
  return entry.kind !== "compaction" && entry.kind !== "reset";
}

/** Where a conversation may be cut, and how much of it is protected. */
export interface Layout {
  /**
   * Indexes at which the history may be cut, i.e. of the first entry that stays, ascending: between
   * two turns, and within the open turn before a round, but never after its last one, whose results
   * no model has seen. No cut parts a call from its result.
   */
  readonly cuts: readonly number[];
  /** How many of the cuts leave the protected pairs alone. */
  readonly free: number;
  /** Index at which the open turn begins; the number of entries where none is open. */
  readonly openFrom: number;
}

/**
 * @param turn the open turn.
 * @param protectPairs how many of the newest finished turns are left alone.
 */
export function layoutOf(
  part: Part,
  { turn, protectPairs }: { turn: number; protectPairs: number },
): Layout {
  const shown = part.entries
    .map((_, index) => index)
    .filter((index) => index >= part.start && isShown(part, index));
  const openFrom = openTurnStart(part, shown, turn);
  const finished = shown.filter((index) => index < openFrom);
  const turns = finished.filter(
    (index, place) => place === 0 || beginsTurn(part, index, finished[place - 1]),
  );
  const open = shown.filter((index) => index >= openFrom);
  const cuts = [
    ...turns.slice(1),
    ...(turns.length === 0 ? [] : [openFrom]),
    ...roundsOf(part, open),
  ];
  const protectedFrom = protectPairs === 0 ? openFrom : (turns.at(-protectPairs) ?? part.start);
  return {
    cuts,
    free: cuts.filter((cut) => cut <= Math.min(protectedFrom, openFrom)).length,
    openFrom,
  };
}

/** Behind the last thing that another turn has said or done: what follows is the open turn's. */
function openTurnStart({ entries, start }: Part, shown: readonly number[], turn: number): number {
  const foreign = shown.findLast((index) => {
    const entry = entries[index] as LogEntry;
    return (
      (entry.kind === "assistant" || entry.kind === "tool" || entry.kind === "end") &&
      entry.turn !== turn
    );
  });
  return foreign === undefined ? start : foreign + 1;
}

/** A message begins a turn, unless it continues the burst of the one before it. */
const beginsTurn = ({ entries }: Part, index: number, before: number | undefined): boolean =>
  entries[index]?.kind === "message" && !ofMessages.has(entries[before ?? -1]?.kind);

const ofMessages: ReadonlySet<LogEntry["kind"] | undefined> = new Set([
  "message",
  "reading",
  "edit",
] as const);

/** Before every round of the open turn but the first. */
const roundsOf = ({ entries }: Part, shown: readonly number[]): number[] =>
  shown.filter((index) => entries[index]?.kind === "assistant").slice(1);
