/**
 * What more workers and more machines bring: `npm run bench:scale`. Measures one, two, four and
 * eight workers here and what each kind of Redis' slots takes of a turn, and prints what follows
 * for 1, 10 and 100 machines beside how well the same prediction fits here. `-- --cores 8` for
 * machines with another number of cores than this one, `-- --rounds 3` instead of 1, `-- --from
 * <file>` asks nothing and reads a run's results.
 */
import { parseArgs } from "node:util";
import { scaleQuestions } from "./scale-questions.ts";
import { fullSizes } from "./support/measure.ts";
import { markdownOf } from "./support/report.ts";
import { readResults, UsageError } from "./support/results.ts";
import { runBench } from "./support/run-bench.ts";
import { scaleReport } from "./support/scale-report.ts";
import { systemsNamed } from "./systems.ts";

function wholeNumber(name: string, given: string): number {
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= 1_000) return number;
  throw new UsageError(`--${name} is ${given}: expected a whole number from 1 to 1000`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      cores: { type: "string" },
      rounds: { type: "string", default: "1" },
      from: { type: "string" },
    },
  });
  const results =
    values.from === undefined
      ? await runBench({
          systems: systemsNamed(["Parley"]),
          questions: scaleQuestions,
          rounds: wholeNumber("rounds", values.rounds),
          sizes: fullSizes,
          say: (line) => console.error(line),
        })
      : readResults(values.from);
  const cores =
    values.cores === undefined ? results.machine.cores : wholeNumber("cores", values.cores);
  const report = scaleReport(results, cores);
  if (report === undefined) throw new UsageError("these results say nothing of workers and slots");
  if (values.from === undefined) console.log(markdownOf(results, scaleQuestions));
  console.log(report);
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
