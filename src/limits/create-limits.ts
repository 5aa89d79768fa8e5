import type { Budget, LimitRule } from "../core/limits.ts";
import { createLimitCounters } from "../store/limits/limit-counters.ts";
import { createTurnPermits } from "../store/limits/turn-permits.ts";
import { createLimitRules } from "../store/limits/limit-rules.ts";
import { UnlimitedCounts } from "../store/limits/unlimited-counts.ts";
import type { Store } from "../store/redis/redis.ts";
import { createBudget } from "./budget.ts";
import type { CounterDeps } from "./counter.ts";
import { LimitCache } from "./limit-cache.ts";
import { createLimitService, type LimitService } from "./limit-service.ts";
import { createMessageLimits, type MessageLimits } from "./message-limits.ts";
import { warn, type WarnDeps } from "./warn.ts";

/** All parts of the limits, on one shared cache of rules. */
export interface Limits {
  /** For the loop: budgets of model calls, and permits for turns. */
  readonly budget: Budget;
  /** For the ingress. */
  readonly messages: MessageLimits;
  /** For commands. */
  readonly limitService: LimitService;
  /** Writes what is counted but not written yet; gives up after a second. */
  readonly flush: () => Promise<void>;
}

export function createLimits({
  store,
  file,
  monotonic,
  ...rest
}: WarnDeps &
  Pick<CounterDeps, "roleOf"> & {
    readonly store: Store;
    /** The limits of the operator's file. */
    readonly file: readonly LimitRule[];
    /** Milliseconds, never going back. */
    readonly monotonic: () => number;
  }): Limits {
  const { roleOf, log, now } = rest;
  const book = new LimitCache({
    rules: createLimitRules(store),
    file,
    now: monotonic,
    log,
  });
  const counters = createLimitCounters(store, now);
  const unlimited = new UnlimitedCounts({
    counters,
    onVersion: (version) => book.onVersion(version),
    log,
  });
  const deps = {
    book,
    roleOf,
    counters,
    unlimited,
    permits: createTurnPermits(store),
  };
  return {
    budget: createBudget({
      ...deps,
      warn: (spender, warnings) => warn(rest, spender, warnings),
    }),
    messages: createMessageLimits(deps),
    limitService: createLimitService({ ...deps, now }),
    flush: () => unlimited.flush(),
  };
}
