import type { LogEntry } from "./history.ts";

/**
 * By index: whether an entry belongs to the sample of a persona that was being made. The persona may
 * never have been approved, and its maker said nothing: no other turn sees it. Empty where there is
 * none. Pure.
 * @param openTurn the one that is running, which sees its own sample.
 */
export function sampleTurns(entries: readonly LogEntry[], openTurn?: number): readonly boolean[] {
  if (!entries.some((entry) => entry.kind === "message" && entry.sampleOf !== undefined)) return [];
  const isSample = entries.map(() => false);
  /** The newest sample's message, while nothing says which turn it has. */
  let asked: number | undefined;
  let turn: number | undefined;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "message") {
      if (asked !== undefined) isSample[asked] = true;
      asked = entry.sampleOf === undefined ? undefined : index;
      turn = undefined;
    }
    if (entry.kind !== "assistant" && entry.kind !== "tool" && entry.kind !== "end") continue;
    if (asked !== undefined) {
      turn = entry.turn;
      isSample[asked] = turn !== openTurn;
      asked = undefined;
    }
    if (entry.turn === turn) isSample[index] = turn !== openTurn;
  }
  return isSample;
}
