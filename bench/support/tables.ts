import { headOf, isCompared, shownNumber } from "./figure-labels.ts";
import type { Shown } from "./question.ts";
import type { Figure } from "./results.ts";

/** The middle one of them, with the least and the greatest. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly greatest: number;
}

/** Pure. @param values at least one */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? NaN;
  return {
    median: (lower + upper) / 2,
    least: sorted[0] ?? NaN,
    greatest: sorted.at(-1) ?? NaN,
  };
}

/**
 * By system, in the order in which they first came: every value over all rounds of one question.
 */
export type Summary = ReadonlyMap<string, Readonly<Record<string, Spread>>>;

/** Pure. */
export function summary(figures: readonly Figure[], question: string): Summary {
  const bySystem = Map.groupBy(
    figures
      .filter((figure) => figure.question === question)
      // Rounds are turned round every other time; the first one has the systems' own order.
      .toSorted((one, other) => one.round - other.round),
    ({ system }) => system,
  );
  return new Map(
    [...bySystem].map(([system, rounds]) => {
      const names = new Set(rounds.flatMap(({ values }) => Object.keys(values)));
      return [
        system,
        Object.fromEntries(
          [...names].map((name) => [
            name,
            spreadOf(rounds.flatMap(({ values }) => values[name] ?? [])),
          ]),
        ),
      ];
    }),
  );
}

/** Beyond it a ratio says no more than that the base is next to nothing. */
const maxRatio = 100_000;

/** `×2.04`, or nothing where there is nothing to compare with. Pure. */
export function ratioTo({ median }: Spread, base: Spread | undefined): string {
  if (base === undefined || base.median <= 0 || median < 0) return "";
  const ratio = median / base.median;
  return ratio > maxRatio ? "" : `×${ratio.toFixed(ratio < 10 ? 2 : 1)}`;
}

const cell = (spread: Spread, base: Spread | undefined): string => {
  const { median, least, greatest } = spread;
  const range = least === greatest ? "" : ` (${shownNumber(least)}–${shownNumber(greatest)})`;
  return `${shownNumber(median)}${range} ${ratioTo(spread, base)}`.trim();
};

const line = (cells: readonly string[]): string =>
  `| ${cells.map((each) => each.replaceAll("|", "\\|")).join(" | ")} |`;

/** Cells in Markdown, whatever stands in them. Pure. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/**
 * One question in Markdown: medians with least and greatest, and the ratio to the row that is
 * called `base`. Pure. Empty where nothing is known of it.
 */
export function tableOf(
  figures: readonly Figure[],
  { name, base, columns: wanted }: Pick<Shown, "name" | "base" | "columns">,
): string {
  const rows = summary(figures, name);
  if (rows.size === 0) return "";
  const known = new Set([...rows.values()].flatMap((row) => Object.keys(row)));
  const columns = wanted?.filter((column) => known.has(column)) ?? [...known];
  return markdownTable(
    ["", ...columns.map(headOf)],
    [...rows].map(([system, row]) => [
      system,
      ...columns.map((column) => {
        const spread = row[column];
        const compared =
          system === base || !isCompared(column) ? undefined : rows.get(base)?.[column];
        return spread === undefined ? "–" : cell(spread, compared);
      }),
    ]),
  );
}
