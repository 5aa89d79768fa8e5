import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { z } from "zod";
import { messageOf } from "../../src/core/errors.ts";

/**
 * One row of one question in one round: numbers by name, each name with its unit. Never NaN or
 * infinite: what is not known is left out.
 */
const figureSchema = z.strictObject({
  question: z.string().min(1),
  system: z.string().min(1),
  round: z.int().min(1),
  values: z.record(z.string(), z.number()),
});

/** What a run leaves behind: `bench/results/<date>.json`. */
const resultsSchema = z.strictObject({
  /** When it ended. */
  date: z.iso.datetime(),
  /** Whether every question was asked of every system, and answered. */
  complete: z.boolean(),
  rounds: z.int().min(1),
  machine: z.strictObject({
    cores: z.int().min(1),
    model: z.string(),
    kernel: z.string(),
    memoryGigabytes: z.number().positive(),
  }),
  versions: z.record(z.string(), z.string()),
  figures: z.array(figureSchema),
});

export type Figure = Readonly<z.infer<typeof figureSchema>>;
export type Results = Readonly<z.infer<typeof resultsSchema>>;

/** The file or what stands in it is not what was expected; the message is for people. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError for a file that is not there or holds something else */
export function readResults(file: string): Results {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`${file}: expected a run's results: ${messageOf(error)}`, {
      cause: error,
    });
  }
  const parsed = resultsSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file}: expected a run's results:\n${z.prettifyError(parsed.error)}`);
}

/**
 * Overwrites: a day's second run replaces its first. @throws ZodError for a figure that is no
 * finite number
 */
export function writeResults(file: string, results: Results): void {
  const text = JSON.stringify(resultsSchema.parse(results), undefined, 1);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
}

const cell = ({ question, system }: Figure): string => `${question}\n${system}`;

/**
 * Several runs as one: what a later run says of a question and a system takes the place of what
 * earlier ones said of them. Pure. @throws UsageError where the machines differ, since their
 * figures say nothing beside one another
 */
export function merged(runs: readonly Results[]): Results {
  const [first, ...others] = runs;
  if (first === undefined) throw new UsageError("no results were named");
  return others.reduce((known, next) => {
    if (JSON.stringify(known.machine) !== JSON.stringify(next.machine))
      throw new UsageError(`the runs of ${known.date} and ${next.date} are of different machines`);
    const replaced = new Set(next.figures.map(cell));
    return {
      ...next,
      complete: known.complete || next.complete,
      versions: { ...known.versions, ...next.versions },
      figures: [...known.figures.filter((figure) => !replaced.has(cell(figure))), ...next.figures],
    };
  }, first);
}
