/**
 * What a turn costs beside what a person would pick instead: `npm run bench`. The peers are
 * installed apart, by `npm run bench:peers`; without them their rows are left out, and said so.
 * Rounds are interleaved, and turned round every other time.
 *
 * - `-- --smoke`: few of everything, which shows that it works and nothing else; keeps nothing.
 * - `-- --only floor,Parley`: some systems. A comma with a blank behind it is part of a name: `--only "Parley, one process"`.
 * - `-- --question "50 at once"`: the questions whose name holds this. Both may be given more than once.
 * - `-- --rounds 5`: instead of 3.
 * - `-- --results <file>`: where to keep the results, instead of `bench/results/<date>.json`.
 * - `-- --plots-from <file>`: asks nothing, and draws plots and page again from what was kept; of several files a later one
 *   replaces what earlier ones say of the same question and system.
 *
 * The goals that matter most, in three minutes:
 * `npm run bench -- --only "Durable floor,Chat SDK,Parley" --question "50 at once" --question "idle, plain, 0" --rounds 2`.
 *
 * Prints the goals and tables in Markdown. A run that asked everything of everybody, and got every answer, is
 * kept as `<date>.json` (a day's last one stays) and rewrites `docs/performance/*.svg` and
 * `bench/results/tables.md`. Any other is kept as `<date>-part.json` and touches no page.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { questions } from "./questions.ts";
import { fullSizes, smokeSizes } from "./support/measure.ts";
import type { Question } from "./support/question.ts";
import { markdownOf, writePage, writePlots } from "./support/report.ts";
import { merged, readResults, UsageError, writeResults, type Results } from "./support/results.ts";
import { inOrder, runBench } from "./support/run-bench.ts";
import { systems, systemsNamed } from "./systems.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const page = here("results/tables.md");
const plots = here("../docs/performance");

/** A complete run's. */
const usual = systems.filter(({ isOnRequest }) => !isOnRequest);

const say = (line: string): void => console.error(line);

const full = ({ name, row }: Question): string => (row === undefined ? name : `${name}, ${row}`);

/** @throws UsageError for a part of a name that none has */
function questionsLike(parts: readonly string[] | undefined): readonly Question[] {
  if (parts === undefined) return questions.filter(({ isOnRequest }) => !isOnRequest);
  const unknown = parts.find(
    (part) => !questions.some((question) => full(question).includes(part)),
  );
  if (unknown !== undefined)
    throw new UsageError(
      `--question: none is like "${unknown}": expected a part of one of ${questions.map((each) => `"${full(each)}"`).join(" ")}`,
    );
  return questions.filter((question) => parts.some((part) => full(question).includes(part)));
}

function roundsOf(given: string | undefined, otherwise: number): number {
  const rounds = Number(given ?? otherwise);
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 20)
    throw new UsageError(`--rounds is ${given}: expected a whole number from 1 to 20`);
  return rounds;
}

async function draw(results: Results): Promise<void> {
  const files = writePlots(plots, results, questions);
  await writePage(page, { plots, results, questions });
  say(`drawn: ${files.length} plots in ${plots}, and ${page}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      smoke: { type: "boolean", default: false },
      rounds: { type: "string" },
      only: { type: "string", multiple: true },
      question: { type: "string", multiple: true },
      results: { type: "string" },
      "plots-from": { type: "string", multiple: true },
    },
  });
  const kept = values["plots-from"];
  if (kept !== undefined) {
    await draw(inOrder(merged(kept.map(readResults))));
    return;
  }
  const results = await runBench({
    systems: values.only === undefined ? usual : systemsNamed(values.only),
    questions: questionsLike(values.question),
    rounds: roundsOf(values.rounds, values.smoke ? 1 : 3),
    sizes: values.smoke ? smokeSizes : fullSizes,
    say,
  });
  console.log(markdownOf(results, questions));
  if (results.failures > 0) process.exitCode = 1;
  await keep(results, {
    isSmoke: values.smoke,
    isWhole: values.only === undefined && values.question === undefined,
    file: values.results,
  });
}

async function keep(
  { failures, ...run }: Results & { readonly failures: number },
  {
    isSmoke,
    isWhole,
    file: given,
  }: {
    readonly isSmoke: boolean;
    readonly isWhole: boolean;
    readonly file: string | undefined;
  },
): Promise<void> {
  const complete = isWhole && !isSmoke && run.complete && failures === 0;
  const date = run.date.slice(0, 10);
  const file = given ?? here(`results/${date}${complete ? "" : "-part"}.json`);
  if (isSmoke && given === undefined) return;
  const results = { ...run, complete };
  writeResults(file, results);
  say(`written: ${file}`);
  if (complete) await draw(results);
}

const isUsage = (error: unknown): error is Error =>
  error instanceof UsageError ||
  (error instanceof TypeError &&
    "code" in error &&
    String(error.code).startsWith("ERR_PARSE_ARGS"));

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!isUsage(error)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
