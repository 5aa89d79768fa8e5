/**
 * `npm run chaos:kill`: plays every scenario once for every step and kills Parley there, until a
 * run completes unkilled. Nothing is random but ids. Exits with 1 when a promise was broken.
 *
 *     --scenario once,plain   only these
 *     --at 17,18              only these steps; so does KILL_AT=17
 *     --victim worker         one of two processes instead of the only one: bots or worker
 *     --parallel 6            runs at the same time
 */
import { parseArgs } from "node:util";
import { isBroken, type Cut } from "./cut.ts";
import { victims, type Victim } from "./deployment.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";
import { sweep, type Sweep } from "./sweep.ts";
import { tableOf } from "./table.ts";

const defaultParallel = 6;

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      scenario: { type: "string" },
      at: { type: "string" },
      victim: { type: "string", default: "all" },
      parallel: { type: "string", default: String(defaultParallel) },
    },
  });
  const victim = victimOf(values.victim);
  const at = numbersOf(values.at ?? process.env["KILL_AT"], "--at");
  const [parallel = defaultParallel] = numbersOf(values.parallel, "--parallel") ?? [];
  const sweeps: Sweep[] = [];
  for (const scenario of scenariosOf(values.scenario)) {
    const startedMs = Date.now();
    const done = await sweep({
      scenario,
      victim,
      parallel,
      ...(at === undefined ? {} : { at }),
      onCut: (cut) => report(scenario, victim, cut),
    });
    for (const each of done.late) console.log(`${scenario.name}: ${each}`);
    sweeps.push(done);
    const seconds = Math.round((Date.now() - startedMs) / 1_000);
    console.log(`${scenario.name}: ${done.cuts.length} runs in ${seconds} s`);
  }
  console.log(`\n${tableOf(sweeps)}`);
  return sweeps.every(({ cuts, late }) => late.length === 0 && !cuts.some(isBroken));
}

function report({ name }: Scenario, victim: Victim, cut: Cut): void {
  const { at, step = "not cut", recoveredMs, problems } = cut;
  const notes = [
    `${name} ${step === "not cut" ? at : ""} ${step}`.replace(/ +/, " "),
    ...(recoveredMs > 0 ? [`recovered in ${recoveredMs} ms`] : []),
    ...(cut.unknown > 0 ? ["outcome unknown"] : []),
    ...(cut.labelled > 0 ? ["labelled"] : []),
  ];
  console.log(notes.join(", "));
  if (!isBroken(cut)) return;
  for (const problem of problems) console.log(`  BROKEN ${problem}`);
  const who = victim === "all" ? "" : ` --victim ${victim}`;
  console.log(`  again: npm run chaos:kill -- --scenario ${name}${who} --at ${at}`);
}

function scenariosOf(given: string | undefined): readonly Scenario[] {
  if (given === undefined) return scenarios;
  return given.split(",").map((wanted) => {
    const found = scenarios.find(({ name }) => name === wanted);
    if (found === undefined)
      throw new TypeError(
        `--scenario ${wanted}: expected one of ${scenarios.map(({ name }) => name).join(", ")}`,
      );
    return found;
  });
}

function victimOf(given: string): Victim {
  const found = victims.find((each) => each === given);
  if (found === undefined)
    throw new TypeError(`--victim ${given}: expected one of ${victims.join(", ")}`);
  return found;
}

function numbersOf(given: string | undefined, name: string): readonly number[] | undefined {
  const numbers = given?.split(",").map(Number);
  if (numbers?.some((each) => !Number.isInteger(each) || each < 1))
    throw new TypeError(`${name} ${given}: expected whole numbers from 1 on, with commas between`);
  return numbers;
}

// By an exit, so that no server and no Parley is left behind.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(2));
main().then(
  (isFine) => process.exit(isFine ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof TypeError ? error.message : error);
    process.exit(2);
  },
);
