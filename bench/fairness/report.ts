import { loadavg } from "node:os";
import { markdownTable } from "../support/tables.ts";
import type { Waits } from "./quiet-people.ts";

export interface FairnessFigure {
  readonly abuse: string;
  /** Messages of the flood. */
  readonly messages: number;
  /** What quiet people waited, before the flood and while it lasted. */
  readonly calm: Waits;
  readonly flooded: Waits;
  /**
   * What the bot has said to those who flood, beside answers, and how many model calls they have
   * cost.
   */
  readonly noticesPerPerson: number;
  readonly modelCalls: number;
  /** Of Parley's process, before and behind it. */
  readonly rssMegabytes: readonly [before: number, after: number];
}

const shownMs = (ms: number): string =>
  ms < 1_000 ? `${ms.toFixed(0)} ms` : `${(ms / 1_000).toFixed(1)} s`;
const shownWaits = ({ medianMs, p95Ms, p99Ms }: Waits): string =>
  [medianMs, p95Ms, p99Ms].map(shownMs).join(", ");

/** The rows of docs/security.md, "Load". Pure. */
export const describeFairness = (figures: readonly FairnessFigure[]): string =>
  markdownTable(
    [
      `flood of ${figures[0]?.messages.toLocaleString("en") ?? "no"} messages`,
      "before it",
      "while it lasts",
      "p99, ratio",
      "notices each",
      "model calls",
      "memory of Parley",
    ],
    figures.map(({ calm, flooded, rssMegabytes: [before, after], ...each }) => [
      each.abuse,
      shownWaits(calm),
      shownWaits(flooded),
      (flooded.p99Ms / calm.p99Ms).toFixed(2),
      String(Number(each.noticesPerPerson.toFixed(2))),
      String(each.modelCalls),
      `${before.toFixed(0)} to ${after.toFixed(0)} MB`,
    ]),
  );

/**
 * How much of it to believe: what else the machine does, and of how many answers a percentile is.
 */
export const describeCircumstances = (figures: readonly FairnessFigure[]): string =>
  [
    `load average ${loadavg()[0]?.toFixed(1)}`,
    ...figures.map(
      ({ abuse, calm, flooded }) => `${abuse}: of ${calm.count} and ${flooded.count} answers`,
    ),
  ].join("; ");
