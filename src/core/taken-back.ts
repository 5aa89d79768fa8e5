import type { LogEntry } from "./history.ts";

/**
 * By index: whether a later undo took an entry back; empty where none was. The edit of a message from
 * before what was taken back stays. Pure.
 * @param first the log position of the first entry.
 */
export function takenBack(entries: readonly LogEntry[], first: number): readonly boolean[] {
  if (!entries.some(({ kind }) => kind === "undo")) return [];
  const result: boolean[] = [];
  let from = Infinity;
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index] as LogEntry;
    const position = entry.kind === "edit" ? (entry.of ?? first + index) : first + index;
    result[index] = position >= from;
    if (entry.kind === "undo") from = Math.min(from, entry.fromSeq);
  }
  return result;
}
