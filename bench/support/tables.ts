import type { Figure } from "../questions.ts";

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

/** By system: every value over all rounds of one question. */
export function summary(
  figures: readonly Figure[],
  question: string,
): ReadonlyMap<string, Readonly<Record<string, Spread>>> {
  const bySystem = Map.groupBy(
    figures.filter((figure) => figure.question === question),
    ({ system }) => system,
  );
  return new Map(
    [...bySystem].map(([system, rounds]) => {
      const names = new Set(
        rounds.flatMap(({ values }) => Object.keys(values)),
      );
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

const digits = (value: number): string =>
  value.toFixed(Math.abs(value) < 100 ? 2 : 0);

const cell = (
  { median, least, greatest }: Spread,
  floor: Spread | undefined,
): string => {
  const ratio =
    floor === undefined || floor.median === 0
      ? ""
      : ` ×${(median / floor.median).toFixed(2)}`;
  return `${digits(median)} (${digits(least)}–${digits(greatest)})${ratio}`;
};

/** One table per question, in Markdown: medians with least and greatest, and the ratio to the floor. Pure. */
export function tables(figures: readonly Figure[]): string {
  const names = [...new Set(figures.map(({ question }) => question))];
  return names.map((question) => table(figures, question)).join("\n\n");
}

function table(figures: readonly Figure[], question: string): string {
  const rows = summary(figures, question);
  const columns = [
    ...new Set([...rows.values()].flatMap((row) => Object.keys(row))),
  ];
  const floor = rows.get("floor");
  const lines = [...rows].map(([system, row]) => {
    const cells = columns.map((column) => {
      const spread = row[column];
      const base = system === "floor" ? undefined : floor?.[column];
      return spread === undefined ? "–" : cell(spread, base);
    });
    return `| ${[system, ...cells].join(" | ")} |`;
  });
  return [
    `### ${question}`,
    "",
    `| ${["system", ...columns].join(" | ")} |`,
    `|${" --- |".repeat(columns.length + 1)}`,
    ...lines,
  ].join("\n");
}
