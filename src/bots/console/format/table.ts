import { flatten } from "../../markdown/flatten.ts";
import type { NodeOf } from "../../markdown/nodes.ts";
import { alignTable } from "../../markdown/table.ts";
import { linesOf, type Line } from "./line.ts";

/**
 * Too wide for the screen: each row as `heading: value` lines, with an empty line between two rows.
 */
function stacked(table: NodeOf<"table">): Line[] {
  const cells = table.children.map((row) =>
    row.children.map((cell) => flatten(cell).replaceAll(/\s+/g, " ").trim()),
  );
  const [header = [], ...rows] = cells;
  return rows.flatMap((row, index) => [
    ...(index > 0 ? linesOf("") : []),
    ...row.map((cell, column) => ({
      spans: [
        { text: `${header[column] ?? ""}: `, styles: ["bold" as const] },
        { text: cell, styles: [] },
      ],
      first: "",
      rest: "  ",
    })),
  ]);
}

/** Aligned columns, or a list of the rows where the screen is too narrow for them. */
export function tableLines(table: NodeOf<"table">, width: number): Line[] {
  const hasRows = table.children.length > 1;
  const aligned = alignTable(table, hasRows ? width : Infinity);
  if (aligned === undefined) return stacked(table);
  const [head = "", rule = "", ...body] = aligned.split("\n");
  return [
    ...linesOf(head, ["bold"]),
    ...linesOf(rule, ["dim"]),
    ...body.flatMap((line) => linesOf(line)),
  ];
}
