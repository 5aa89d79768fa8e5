import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Cap } from "../../../src/core/limits.ts";
import {
  createLimitCounters,
  type Counting,
  type Spent,
} from "../../../src/store/limits/limit-counters.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { earlyInAMinute, newChat, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const counters = createLimitCounters(store);

const limits = { tokens: 1_000, costUsd: 2 };
const caps: readonly Cap[] = [
  {
    counter: "person",
    scope: { kind: "person" },
    limit: { metric: "tokens", per: "day", max: limits.tokens },
  },
  {
    counter: "global",
    scope: { kind: "global" },
    limit: { metric: "cost", per: "month", max: limits.costUsd },
  },
];

/** What the script has to come to, as plainly as it can be said. */
class Purse {
  readonly #calls = new Map<string, Spent & { readonly isSettled: boolean }>();

  used(): Spent {
    const all = [...this.#calls.values()];
    const sum = (of: (each: Spent) => number): number =>
      all.reduce((total, each) => total + of(each), 0);
    const costUsd = Math.round(sum((each) => each.costUsd) * 1e9) / 1e9;
    return { tokens: sum(({ tokens }) => tokens), costUsd };
  }

  reserve(id: string, { tokens, costUsd }: Spent): "taken" | "refused" {
    if (this.#calls.has(id)) return "taken";
    const used = this.used();
    const isOver =
      (tokens > 0 && used.tokens + tokens > limits.tokens) ||
      (costUsd > 0 && Math.round((used.costUsd + costUsd) * 1e9) > limits.costUsd * 1e9);
    if (isOver) return "refused";
    this.#calls.set(id, { tokens, costUsd, isSettled: false });
    return "taken";
  }

  settle(id: string, took: Spent): void {
    if (this.#calls.get(id)?.isSettled) return;
    this.#calls.set(id, { ...took, isSettled: true });
  }
}

const spent = fc.record({
  tokens: fc.integer({ min: 0, max: 400 }),
  costUsd: fc.integer({ min: 0, max: 409 }).map((part) => part / 512),
});
const step = fc.record({
  what: fc.constantFrom("reserve" as const, "settle" as const, "add" as const),
  // Few calls, so that the same one is reserved and settled again and again.
  id: fc.integer({ min: 1, max: 6 }).map((call) => `c${call}`),
  amount: spent,
});

it("whatever is reserved, settled and added in whatever order and however often, each call is charged once, and no reservation passes a limit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await store.redis.flushdb();
      await earlyInAMinute();
      const names = {
        person: "telegram:1",
        chat: newChat(),
        platform: "telegram",
        global: "all",
      };
      const counting: Counting = { names, version: "0", caps };
      const purse = new Purse();
      for (const { what, id, amount } of steps) {
        if (what === "add") {
          // Where nothing limits the call; settled then, if something was reserved.
          const { reserved } = await counters.add([{ type: "call", names, id, took: amount }]);
          if (reserved.length > 0) await counters.settle(id, amount, counting);
          purse.settle(id, amount);
        } else if (what === "settle") {
          await counters.settle(id, amount, counting);
          purse.settle(id, amount);
        } else {
          const { type } = await counters.reserve(id, amount, counting);
          expect(type).toBe(purse.reserve(id, amount));
        }
        const { day } = await counters.usage("person", names.person);
        const { month } = await counters.usage("global", "all");
        expect(day).toEqual({ messages: 0, ...purse.used() });
        expect(month).toEqual(day);
      }
    }),
    { numRuns: 60 },
  );
});
