import { flatten } from "./flatten.ts";
import { displayWidth } from "./graphemes.ts";
import type { NodeOf } from "./nodes.ts";

type Align = NonNullable<NodeOf<"table">["align"]>[number];

type Cell = NodeOf<"tableCell">;

/** Columns of a monospaced font that a phone shows in one row. */
const phoneColumns = 36;

/**
 * The table, aligned, where a phone can show it so; else undefined: `recordsOf` is then what can be
 * read.
 */
export function narrowTable(table: NodeOf<"table">): string | undefined {
  return alignTable(table, phoneColumns);
}

export interface Field {
  /** The column's heading; empty if there is none. */
  readonly name: string;
  readonly cell: Cell;
}

/** A table as a list: each row's cells with the names of their columns, empty cells left out. */
export function recordsOf({ children }: NodeOf<"table">): readonly Field[][] {
  const [head, ...rows] = children;
  const names = head?.children.map(wordsOf) ?? [];
  const records = rows.map((row) =>
    row.children.flatMap((cell, column) =>
      wordsOf(cell) === "" ? [] : [{ name: names[column] ?? "", cell }],
    ),
  );
  const isHeadAlone = records.every((record) => record.length === 0);
  return isHeadAlone
    ? [(head?.children ?? []).map((cell) => ({ name: "", cell }))]
    : records.filter((record) => record.length > 0);
}

const wordsOf = (cell: Cell): string => flatten(cell).replaceAll(/\s+/g, " ").trim();

/**
 * A table as lines of a monospaced font: columns aligned, a rule below the head. Cells keep their
 * words only. Undefined where it is wider than `maxWidth`: each row would be padded to its widest
 * one.
 */
export function alignTable(
  { children, align }: NodeOf<"table">,
  maxWidth: number,
): string | undefined {
  const rows = children.map((row) => row.children.map(wordsOf));
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
  const gaps = 2 * Math.max(0, columns - 1);
  if (widths.reduce((sum, width) => sum + width, gaps) > maxWidth) return undefined;
  const lines = rows.map((row) =>
    widths
      .map((width, column) => pad(row[column] ?? "", width, align?.[column]))
      .join("  ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  return [head, rule, ...body].join("\n");
}

function pad(text: string, width: number, align: Align | undefined): string {
  const missing = width - displayWidth(text);
  const before = align === "right" ? missing : align === "center" ? missing >> 1 : 0;
  return " ".repeat(before) + text + " ".repeat(missing - before);
}
