import { graphemesOf, graphemeWidth } from "../format/width.ts";

/** A line being typed, as it is shown. */
export interface InputRows {
  readonly rows: readonly string[];
  /** The rows' widths in columns, without their indent. */
  readonly widths: readonly number[];
  /** Where the cursor stands: the row, and columns from the row's beginning, without its indent. */
  readonly row: number;
  readonly column: number;
}

/**
 * Breaks a line that is being typed at white space, which stays at its row's end, and inside words
 * only where they fill a row. Pure.
 * @param cursor UTF-16 units before it.
 * @param width columns of each row.
 */
export function inputRows(text: string, cursor: number, width: number): InputRows {
  const rows = [{ from: 0, end: 0, width: 0 }];
  let word = { from: 0, width: 0 };
  let offset = 0;
  for (const grapheme of graphemesOf(text)) {
    const columns = graphemeWidth(grapheme);
    let row = rows[rows.length - 1] ?? { from: 0, end: 0, width: 0 };
    const isSpace = grapheme.trim() === "";
    // White space that no longer fits stays at the end of its row, unseen.
    if (!isSpace && row.width + columns > width) {
      const isWholeRow = word.from === row.from;
      const moved = isWholeRow ? { from: offset, width: 0 } : word;
      row.end = moved.from;
      row.width -= moved.width;
      row = { from: moved.from, end: offset, width: moved.width };
      rows.push(row);
      word = { ...moved };
    }
    offset += grapheme.length;
    row.end = offset;
    row.width = Math.min(width, row.width + columns);
    word = isSpace ? { from: offset, width: 0 } : { ...word, width: word.width + columns };
  }
  const at = Math.max(
    0,
    rows.findLastIndex(({ from }) => from <= cursor),
  );
  const before = text.slice(rows[at]?.from ?? 0, cursor);
  let column = 0;
  for (const grapheme of graphemesOf(before)) column += graphemeWidth(grapheme);
  return {
    rows: rows.map(({ from, end }) => text.slice(from, end)),
    widths: rows.map((row) => row.width),
    row: at,
    column: Math.min(width, column),
  };
}
