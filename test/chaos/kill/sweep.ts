import { cutAt, isBroken, type Cut } from "./cut.ts";
import { Deployment, type Victim } from "./deployment.ts";
import type { Scenario } from "./scenario.ts";

export interface SweepOptions {
  readonly scenario: Scenario;
  readonly victim: Victim;
  /**
   * Runs at the same time; each has a Redis, a platform and a Parley of its own, and mostly waits.
   */
  readonly parallel: number;
  /** Only these steps; absent: 1, 2, … until a run completes unkilled. */
  readonly at?: readonly number[];
  readonly onCut: (cut: Cut) => void;
}

export interface Sweep {
  readonly scenario: string;
  readonly victim: Victim;
  /** By the step at which they were cut. */
  readonly cuts: readonly Cut[];
  /** What came when all was over. */
  readonly late: readonly string[];
}

/** Plays a scenario once for every step, and kills the victim there. */
export async function sweep(options: SweepOptions): Promise<Sweep> {
  const { scenario, victim, at, onCut } = options;
  const steps = at === undefined ? countUp() : at.values();
  const cuts: Cut[] = [];
  const late: string[] = [];
  let isOver = false;
  const drive = async (): Promise<void> => {
    while (!isOver) {
      await using deployment = await Deployment.open(scenario, victim);
      for (;;) {
        const next = isOver ? undefined : steps.next();
        if (next === undefined || next.done) {
          isOver = true;
          break;
        }
        const cut = await cutAt(deployment, next.value);
        cuts.push(cut);
        onCut(cut);
        isOver ||= cut.step === undefined && at === undefined;
        // What is left of a broken run would break the next one.
        if (isBroken(cut)) break;
      }
      late.push(...deployment.late());
    }
  };
  const parallel = Math.min(options.parallel, at?.length ?? Infinity);
  await Promise.all(Array.from({ length: parallel }, drive));
  cuts.sort((one, other) => one.at - other.at);
  return { scenario: scenario.name, victim, cuts, late };
}

function* countUp(): Generator<number, undefined> {
  for (let step = 1; ; step += 1) yield step;
}
