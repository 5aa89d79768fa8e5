import { describe, expect, it } from "vitest";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { MemoryBudget } from "./memory-budget.ts";
import { defaultContext, openScene, type Scene } from "../scene.ts";
import { modelsOf, openaiKey } from "../model/two-providers.ts";
import { asksForSummary } from "./workshop.ts";

const redis = await testDatabase();

/** A chat that writes until its view has to be shortened, and the turn in which it was. */
async function shortened(budget: MemoryBudget, strategy: "summarise" | "agent" = "summarise") {
  const scene = await openScene({
    redis,
    deps: { budget, context: { ...defaultContext, strategy } },
  });
  scene.with({
    models: modelsOf(
      { openai: scene.parts.server },
      {
        overrides: {
          [openaiKey]: {
            card: {
              contextWindow: 4_000,
              usdPerMillionTokens: { input: 1, output: 2 },
            },
            options: { maxOutputTokens: 200 },
          },
        },
      },
    ),
  });
  return scene;
}

async function talkUntilShortened(
  scene: Scene,
  beforeEach: () => void = () => undefined,
): Promise<number> {
  for (let turn = 1; turn <= 40; turn += 1) {
    beforeEach();
    await scene.say(`turn ${turn} ${"word ".repeat(120)}`);
    await scene.settle();
    const log = await scene.log();
    if (log.some(({ kind }) => kind === "compaction")) return turn;
  }
  throw new Error("the view was never too long");
}

/** What of the settled calls no round has counted, as ids. */
const besides = (budget: MemoryBudget): string[] =>
  [...budget.settled.keys()].filter((id) => id.includes("/", id.indexOf(".")));

describe("a compaction's model calls", () => {
  it.each(["summarise", "agent"] as const)(
    "by %s are reserved and settled, each under a name of its own, and the turn's counters hold the same",
    async (strategy) => {
      const budget = new MemoryBudget([{ metric: "cost", per: "day", max: 100 }]);
      await using scene = await shortened(budget, strategy);
      await talkUntilShortened(scene);
      const names = besides(budget);
      expect(names.length).toBeGreaterThan(0);
      expect(new Set(names).size).toBe(names.length);
      for (const name of names)
        expect(budget.asked).toEqual(expect.arrayContaining([`reserve ${name}`, `settle ${name}`]));
      expect(budget.reserved.size).toBe(0);
      const { [openaiKey]: used } = await scene.usage();
      expect(budget.used.costUsd).toBeCloseTo(used?.costUsd ?? 0, 9);
      expect(scene.model.received).toBe(budget.settled.size);
      await scene.expectAtRest();
    },
  );

  it("that have no room are not made: the view is cut, and the turn goes on", async () => {
    const budget = new MemoryBudget();
    await using scene = await shortened(budget);
    const isAfford = budget.reserve;
    budget.limits = [{ metric: "cost", per: "day", max: 100 }];
    // Only what no round counts finds its purse empty.
    budget.reserve = (spender, id, atMost) =>
      id.includes("/", id.indexOf("."))
        ? Promise.resolve({
            type: "refused",
            hit: {
              scope: { kind: "global" },
              limit: { metric: "cost", per: "day", max: 100 },
              used: 100,
            },
          })
        : isAfford(spender, id, atMost);
    const turn = await talkUntilShortened(scene);
    expect(scene.model.requests.filter(asksForSummary)).toEqual([]);
    const record = (await scene.log()).find(({ kind }) => kind === "compaction");
    expect(record).toMatchObject({ strategy: "truncate" });
    expect((await scene.said()).at(-1)).toContain(`turn ${turn} `);
    await scene.expectAtRest();
  });
});
