import { flatten } from "./flatten.ts";
import { displayWidth } from "./graphemes.ts";
import type { NodeOf } from "./parse.ts";

type Align = NonNullable<NodeOf<"table">["align"]>[number];

/** A table as lines of a monospaced font: columns aligned, a rule below the head. Cells keep their words only. */
export function alignTable({ children, align }: NodeOf<"table">): string {
  const rows = children.map((row) =>
    row.children.map((cell) => flatten(cell).replaceAll(/\s+/g, " ").trim()),
  );
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(1, ...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
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
  const before =
    align === "right" ? missing : align === "center" ? missing >> 1 : 0;
  return " ".repeat(before) + text + " ".repeat(missing - before);
}
