import { parseArgs } from "node:util";
import { fuzzers, slowFuzzers } from "./fuzzers.ts";
import { percent, runFuzzer } from "./run-fuzzer.ts";
import { Watchdog } from "./watchdog.ts";

/*
 * npm run fuzz -- [--runs 100000] [--only telegram,discord] [--seed 1] [--from 0]
 *
 * npm run fuzz -- --only files --runs 216: files, pages and expressions that ask for much, some
 * seconds each
 *
 * Every input is a function of the seed and its number, so that a line of this program's repeats
 * what it has found.
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "100000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    from: { type: "string", default: "0" },
    only: { type: "string" },
  },
});
const all = { ...fuzzers, ...slowFuzzers };
const only = values.only?.split(",");
const unknown = only?.filter((name) => !(name in all)) ?? [];
if (unknown.length > 0)
  throw new Error(
    `no fuzzer is called ${unknown.join(", ")} must be ${Object.keys(all).join(", ")}`,
  );
const [runs, seed, from] = [values.runs, values.seed, values.from].map((text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(`expected a whole number, not ${text}`);
  return number;
}) as [number, number, number];

process.stdout.write(`fuzz: seed ${seed}, ${runs} inputs each\n`);
let failures = 0;
const watchdog = new Watchdog(seed);
for (const [name, open] of Object.entries(all)) {
  if (!(only ?? Object.keys(fuzzers)).includes(name)) continue;
  const startedAtMs = performance.now();
  const fuzzer = await open();
  const report = await runFuzzer({ fuzzer, seed, from, runs, watchdog });
  await fuzzer[Symbol.asyncDispose]();
  const seconds = ((performance.now() - startedAtMs) / 1_000).toFixed(1);
  const outcomes = [...report.outcomes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${outcome} ${count}`)
    .join(", ");
  process.stdout.write(
    `${name}: ${report.runs} inputs in ${seconds} s, ${percent(report.share)} passed the first parse; ${outcomes}\n`,
  );
  if (report.problem !== "") {
    failures += 1;
    process.stdout.write(`${name}: FAILED: ${report.problem}\n`);
  }
}
await watchdog[Symbol.asyncDispose]();
process.stdout.write(failures === 0 ? "fuzz: all properties held\n" : "fuzz: FAILED\n");
process.exitCode = failures === 0 ? 0 : 1;
