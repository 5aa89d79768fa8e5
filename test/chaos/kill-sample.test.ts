import { integer, sample, shuffledSubarray } from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cutAt } from "./kill/cut.ts";
import { Deployment } from "./kill/deployment.ts";
import { scenarios } from "./kill/scenarios.ts";

/** Every scenario has at least as many steps. */
const mostSteps = 55;

// All steps of all scenarios: npm run chaos:kill. These are chosen by the run's seed.
const seed = Number(process.env["PARLEY_TEST_SEED"]);
const [steps = []] = sample(
  integer({ min: 1, max: mostSteps }).chain((one) =>
    integer({ min: 1, max: mostSteps }).map((other) => [one, other]),
  ),
  { numRuns: 1, seed },
);
// None of them needs a Parley of its own, so that one is started and cut again.
const [names = []] = sample(
  shuffledSubarray(["once", "approval", "three-chunks"], {
    minLength: 2,
    maxLength: 2,
  }),
  { numRuns: 1, seed },
);

const scenarioOf = (name: string | undefined) => {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined) throw new TypeError(`no scenario ${name}`);
  return scenario;
};

describe("Parley, killed in the middle of a turn", () => {
  let deployment: Deployment;
  beforeAll(async () => {
    deployment = await Deployment.open(scenarioOf(names[0]), "all");
  });
  afterAll(async () => {
    await deployment[Symbol.asyncDispose]();
  });

  it.each(names.map((name, index) => [name, steps[index] ?? 1] as const))(
    "keeps its promises: npm run chaos:kill -- --scenario %s --at %i",
    async (name, at) => {
      const { step, problems } = await cutAt(deployment, at, scenarioOf(name));
      expect(step).toMatch(new RegExp(`^${at} (?:before|behind) `));
      expect([...problems, ...deployment.late()]).toEqual([]);
    },
    120_000,
  );
});
