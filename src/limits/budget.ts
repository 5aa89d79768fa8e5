import type { Budget, Cap, Consumption, Reservation, Spender, Took } from "../core/limits.ts";
import { isWindow } from "../core/limit-windows.ts";
import type { LimitCounters, Spent } from "../store/limits/limit-counters.ts";
import type { UnlimitedCounts } from "../store/limits/unlimited-counts.ts";
import type { TurnPermits } from "../store/limits/turn-permits.ts";
import type { UsageWarning } from "../store/limits/limit-replies.ts";
import { countBy, hitOf, namesOf, standingOf, type CounterDeps } from "./counter.ts";

interface BudgetDeps extends CounterDeps {
  readonly counters: LimitCounters;
  readonly unlimited: Pick<UnlimitedCounts, "add">;
  readonly permits: TurnPermits;
  /**
   * Notifies the right people that a limit is nearly used up. Never rejects.
   */
  readonly warn: (spender: Spender, warnings: readonly UsageWarning[]) => Promise<void>;
}

const isBudget = ({ limit: { metric, per } }: Cap): boolean =>
  (metric === "tokens" || metric === "cost") && isWindow(per);
const isPlace = ({ limit }: Cap): boolean => limit.metric === "turns";

const spentOf = ({ inputTokens, outputTokens, costUsd }: Consumption) => ({
  tokens: inputTokens + outputTokens,
  costUsd,
});

const tookOf = ({ models = {}, isFirst = false, ...consumption }: Took): Spent => ({
  ...spentOf(consumption),
  turns: isFirst ? 1 : 0,
  models,
});

/** The budget of all workers: usage in Redis, compared with the effective limits. */
export function createBudget(deps: BudgetDeps): Budget {
  const { book, counters, unlimited, permits, warn } = deps;
  const isLimited = async (spender: Spender): Promise<boolean> =>
    (await standingOf(deps, spender)).caps.some(isBudget);
  const settle = async (spender: Spender, id: string, took: Spent): Promise<void> => {
    const { warnings } = await countBy(deps, { spender, only: isBudget }, (counting) =>
      counters.settle(id, took, counting),
    );
    if (warnings.length > 0) await warn(spender, warnings);
  };
  /** The turns that have taken a permit here: others don't need to release one. */
  const entered = new Set<string>();
  return {
    refresh: () => book.refresh(),
    async turnCaps(spender) {
      const { book: rules, standing } = await standingOf(deps, spender);
      return rules.turnCapsOf(standing);
    },
    isLimited,
    async reserve(spender, id, atMost): Promise<Reservation> {
      const { tokens, costUsd } = spentOf(atMost);
      const taken = await countBy(deps, { spender, only: isBudget }, (counting) =>
        counters.reserve(id, { tokens, costUsd }, counting),
      );
      if (taken.type !== "refused") return { type: "reserved" };
      const needs = taken.cap.limit.metric === "cost" ? costUsd : tokens;
      return { type: "refused", hit: { ...hitOf(taken), needs } };
    },
    async settle(spender, id, consumption) {
      const took = tookOf(consumption);
      if (await isLimited(spender)) return await settle(spender, id, took);
      unlimited.add({
        type: "call",
        names: namesOf(spender),
        id,
        took,
        settle: () => settle(spender, id, took),
      });
    },
    async enter(spender, turnId, ttlMs): Promise<Reservation> {
      const { caps } = await standingOf(deps, spender);
      if (!caps.some(isPlace)) return { type: "reserved" };
      const entry = await countBy(deps, { spender, only: isPlace }, (counting) =>
        permits.enter(turnId, ttlMs, counting),
      );
      if (entry.type === "refused") {
        const { cap, running } = entry;
        return { type: "refused", hit: hitOf({ cap, used: running }) };
      }
      entered.add(turnId);
      return { type: "reserved" };
    },
    async leave(spender, turnId) {
      if (!entered.delete(turnId)) return;
      await permits.leave(turnId, namesOf(spender));
    },
  };
}
