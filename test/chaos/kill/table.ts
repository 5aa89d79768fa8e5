import { isBroken, type Cut } from "./cut.ts";
import type { Sweep } from "./sweep.ts";

const heads = [
  "scenario",
  "cuts",
  "lost",
  "doubled",
  "reordered",
  "effects twice",
  "broken otherwise",
  "unknown outcomes",
  "labelled repeats",
  "worst recovery",
];

/** One row per sweep, as Markdown. */
export function tableOf(sweeps: readonly Sweep[]): string {
  const rows = sweeps.map(rowOf);
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join(
    "\n",
  );
}

function rowOf({ scenario, victim, cuts, late }: Sweep): string[] {
  const sum = (of: (cut: Cut) => number): number => cuts.reduce((total, cut) => total + of(cut), 0);
  const otherwise = cuts.filter(
    (cut) => isBroken(cut) && cut.lost + cut.doubled + cut.reordered + cut.twice === 0,
  ).length;
  const worstMs = Math.max(0, ...cuts.map(({ recoveredMs }) => recoveredMs));
  return [
    victim === "all" ? scenario : `${scenario} (${victim})`,
    String(cuts.filter(({ step }) => step !== undefined).length),
    ...[
      sum(({ lost }) => lost),
      sum(({ doubled }) => doubled) + late.length,
      sum(({ reordered }) => reordered),
      sum(({ twice }) => twice),
      otherwise,
      sum(({ unknown }) => unknown),
      sum(({ labelled }) => labelled),
    ].map(String),
    `${(worstMs / 1_000).toFixed(1)} s`,
  ];
}
