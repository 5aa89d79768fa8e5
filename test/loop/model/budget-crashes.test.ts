import { describe, expect, it } from "vitest";
import type { Budget } from "../../../src/core/limits.ts";
import type { TurnStore } from "../../../src/core/ports.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { MemoryBudget } from "../compaction/memory-budget.ts";
import { calls, openScene, until, type Scene } from "../scene.ts";

const redis = await testDatabase();

class Killed extends Error {}

/**
 * Dies at its n-th call to the store or to the budget, before or after it has taken effect, and
 * stays dead.
 */
function mortal(
  { store, budget }: { readonly store: TurnStore; readonly budget: Budget },
  death: { readonly at: number; readonly when: "before" | "after" },
) {
  let count = 0;
  let dead = false;
  const call = async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (dead) throw new Killed("dead");
    count += 1;
    const dies = count === death.at;
    dead = dies && death.when === "before";
    if (dead) throw new Killed("died before the call");
    const value = await run();
    dead ||= dies;
    if (dies) throw new Killed("died after the call");
    return value;
  };
  const mortalStore: TurnStore = {
    ...store,
    begin: (chat) => call(() => store.begin(chat)),
    commit: (session, revision, commit) => call(() => store.commit(session, revision, commit)),
    release: (session) => call(() => store.release(session)),
  };
  const mortalBudget: Budget = {
    ...budget,
    reserve: (spender, id, atMost) => call(() => budget.reserve(spender, id, atMost)),
    settle: (spender, id, took) => call(() => budget.settle(spender, id, took)),
    enter: (spender, turn, ttlMs) => call(() => budget.enter(spender, turn, ttlMs)),
    leave: (spender, turn) => call(() => budget.leave(spender, turn)),
  };
  return {
    deps: { store: mortalStore, budget: mortalBudget },
    isDead: () => dead,
  };
}

/**
 * One worker that dies, and after it one that does not. Returns whether the first came to its
 * death.
 */
async function live(
  scene: Scene,
  budget: MemoryBudget,
  death: Parameters<typeof mortal>[1],
): Promise<boolean> {
  const { store } = scene.deps;
  const worker = mortal({ store, budget: budget.but({}) }, death);
  try {
    await scene.settle(worker.deps);
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  if (!worker.isDead()) return false;
  await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
  await scene.settle({ budget });
  return true;
}

describe("a worker that dies at any call to the store or the budget", () => {
  it.each(["before", "after"] as const)(
    "%s it took effect leaves nothing reserved for ever, and no model call uncounted",
    async (when) => {
      let isAlive = false;
      let deaths = 0;
      for (let at = 1; !isAlive; at += 1) {
        const budget = new MemoryBudget([
          { metric: "cost", per: "day", max: 1_000 },
          { metric: "tokens", per: "day", max: 1_000_000 },
          { metric: "turns", per: "at-once", max: 1 },
        ]);
        await using scene = await openScene({
          redis,
          leaseMs: 40,
          deps: { budget },
        });
        scene.model.when("go", calls("look"));
        await scene.say("go");
        isAlive = !(await live(scene, budget, { at, when }));
        if (!isAlive) deaths += 1;
        await scene.settle({ budget });
        expect([...budget.reserved.keys()]).toEqual([]);
        expect(budget.settled.size).toBeGreaterThanOrEqual(scene.model.received);
        const sum = [...budget.settled.values()]
          .map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)
          .reduce((left, right) => left + right, 0);
        expect(budget.used.tokens).toBe(sum);
        expect(await scene.said()).toHaveLength(1);
        await scene.expectAtRest();
      }
      expect(deaths).toBeGreaterThan(7);
    },
  );
});
