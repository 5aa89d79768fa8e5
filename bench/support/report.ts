import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { format } from "prettier";
import { shownNumber } from "./figure-labels.ts";
import { goalsTable } from "./goals.ts";
import { filled } from "./page.ts";
import { plotOf } from "./plots.ts";
import type { Shown } from "./question.ts";
import type { Results } from "./results.ts";
import { scaleReport } from "./scale-report.ts";
import { markdownTable, spreadOf, tableOf } from "./tables.ts";

/**
 * `1-000 in flight` would be a strange file: commas between digits go, all else becomes a dash.
 * Pure.
 */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/(?<=\d),(?=\d)/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");

/** Questions of one name share a table and a plot. Pure. */
const once = (questions: readonly Shown[]): readonly Shown[] => [
  ...new Map(questions.map((each) => [each.name, each])).values(),
];

/** The goals, every table of a run, and what it was made on, in Markdown. Pure. */
export function markdownOf(results: Results, questions: readonly Shown[]): string {
  const tables = once(questions).flatMap((question) => {
    const table = tableOf(results.figures, question);
    return table === "" ? [] : [`### ${question.name}\n\n${table}`];
  });
  const goals = goalsTable(results);
  return [...(goals === "" ? [] : [`### Goals\n\n${goals}`]), ...tables, runOf(results)].join(
    "\n\n",
  );
}

/** Whether the machine had other things to do. Pure. */
function elsewhere({ figures }: Results): string {
  const cores = figures.flatMap(({ values }) => values["coresElsewhere"] ?? []);
  if (cores.length === 0) return "";
  const { median, greatest } = spreadOf(cores);
  return ` Other processes used ${shownNumber(median)} cores meanwhile (median), ${shownNumber(greatest)} at most.`;
}

/** When, on what and with which versions. Pure. */
function runOf(results: Results): string {
  const { date, rounds, machine, versions, complete } = results;
  const { cores, model, kernel, memoryGigabytes } = machine;
  return [
    `${date.slice(0, 10)}, ${rounds} ${rounds === 1 ? "round" : "rounds"}${complete ? "" : ", in part"}: ${cores} cores of ${model}, ${memoryGigabytes} GB, Linux ${kernel}.${elsewhere(results)}`,
    "",
    markdownTable(["", "version"], Object.entries(versions)),
  ].join("\n");
}

/** Draws a plot for each question that the run knows. Returns the names of the files. */
export function writePlots(
  folder: string,
  results: Results,
  questions: readonly Shown[],
): readonly string[] {
  mkdirSync(folder, { recursive: true });
  return once(questions).flatMap((question) => {
    const plot = plotOf(results.figures, question);
    if (plot === undefined) return [];
    const file = `${slugOf(question.name)}.svg`;
    writeFileSync(join(folder, file), plot);
    return [file];
  });
}

/**
 * Fills the page's own parts: one for each question, by its slug, `goals`, `run` and `scale-model`. What the
 * run says nothing of stays as it was. @param page its file; @param plots the folder of the plots,
 * which the page links by a relative path
 */
export async function writePage(
  page: string,
  {
    plots,
    results,
    questions,
  }: {
    readonly plots: string;
    readonly results: Results;
    readonly questions: readonly Shown[];
  },
): Promise<void> {
  const contents = new Map([["run", runOf(results)]]);
  const folder = relative(dirname(page), plots);
  for (const question of once(questions)) {
    const table = tableOf(results.figures, question);
    if (table === "") continue;
    const slug = slugOf(question.name);
    const image = `![${question.name}](${folder}/${slug}.svg)`;
    contents.set(slug, `${image}\n\n${table}`);
  }
  const goals = goalsTable(results);
  if (goals !== "") contents.set("goals", goals);
  const scale = scaleReport(results);
  if (scale !== undefined) contents.set("scale-model", scale);
  await fillPage(page, contents);
}

/**
 * Rewrites parts of a page, formatted as the repository's other pages. @throws UsageError for an
 * unknown part
 */
export async function fillPage(page: string, contents: ReadonlyMap<string, string>): Promise<void> {
  const text = filled(readFileSync(page, "utf8"), contents);
  writeFileSync(page, await format(text, { parser: "markdown" }));
}
