import { Random } from "../chaos/storm/random.ts";
import type { Fuzzer } from "./fuzzer.ts";
import type { Watchdog } from "./watchdog.ts";

export interface FuzzRun {
  readonly fuzzer: Fuzzer;
  readonly seed: number;
  /** The number of the first input: one alone is repeated by `--from` and `--runs 1`. */
  readonly from: number;
  readonly runs: number;
  readonly watchdog: Pick<Watchdog, "begin" | "rest">;
}

export interface FuzzReport {
  readonly name: string;
  readonly runs: number;
  /** Of all inputs, those that passed the first parse: 0 to 1. */
  readonly share: number;
  readonly outcomes: ReadonlyMap<string, number>;
  /** Empty: every property held. */
  readonly problem: string;
}

/** Of all inputs, at least so many have to pass the first parse: others only test that parse. */
const leastShare = 0.5;
/** Fewer inputs than this say nothing about shares and outcomes. */
const tellingRuns = 1_000;
const checkEvery = 500;
const shownInput = 4_000;

/** Every input by itself is a function of the seed and its number. */
const randomOf = (seed: number, index: number): Random =>
  new Random(Math.imul(seed ^ 0x9e3779b9, index + 1) ^ (index * 0x85ebca6b));

/** Runs inputs until all are through or one breaks a property. Never rejects. */
export async function runFuzzer(run: FuzzRun): Promise<FuzzReport> {
  const { fuzzer, seed, from, runs, watchdog } = run;
  const outcomes = new Map<string, number>();
  let passed = 0;
  let input = "";
  let index = from;
  const report = (problem: string): FuzzReport => ({
    name: fuzzer.name,
    runs: index - from,
    share: index === from ? 0 : passed / (index - from),
    outcomes,
    problem,
  });
  try {
    while (index < from + runs) {
      watchdog.begin(fuzzer.name, index);
      input = fuzzer.make(randomOf(seed, index));
      const tried = await fuzzer.run(input);
      outcomes.set(tried.outcome, (outcomes.get(tried.outcome) ?? 0) + 1);
      if (tried.passed) passed += 1;
      index += 1;
      if ((index - from) % checkEvery === 0) await fuzzer.check?.();
    }
    await fuzzer.check?.();
  } catch (error) {
    const stack = error instanceof Error ? error.stack : String(error);
    return report(
      `input ${index} of seed ${seed} broke a property (npm run fuzz -- --only ${fuzzer.name} --seed ${seed} --from ${index} --runs 1)\n${stack}\n${input.slice(0, shownInput)}`,
    );
  } finally {
    watchdog.rest();
  }
  return report(runs < tellingRuns ? "" : weakness(fuzzer, report("")));
}

/** Why a run shows less than it claims to; empty where it does not. */
function weakness({ mustReach }: Fuzzer, { share, outcomes }: FuzzReport): string {
  if (share < leastShare) return `only ${percent(share)} of the inputs passed the first parse`;
  const missed = mustReach.filter((outcome) => !outcomes.has(outcome));
  return missed.length === 0 ? "" : `no input led to: ${missed.join(", ")}`;
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
