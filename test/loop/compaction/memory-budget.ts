import type { Budget, Consumption, Limit, LimitHit, TurnCaps } from "../../../src/core/limits.ts";

/**
 * Money is counted as the store counts it: in billionths of a US dollar, so that sums are exact.
 */
const nanoUsd = (usd: number): number => Math.round(usd * 1e9);

interface Amount {
  readonly tokens: number;
  readonly nanoUsd: number;
}

const amountOf = (took: Consumption): Amount => ({
  tokens: took.inputTokens + took.outputTokens,
  nanoUsd: nanoUsd(took.costUsd),
});

/**
 * A purse for all, in this process: what the loop's tests pay from. A call: `unknown → reserved →
 * settled`.
 */
export class MemoryBudget implements Budget {
  /** Of for everyone together, whatever the window. */
  limits: readonly Limit[] = [];
  caps: TurnCaps = {};
  /** What was asked of it, in order, e.g. `reserve 1.1`. */
  readonly asked: string[] = [];
  /** By the call's id. */
  readonly reserved = new Map<string, Consumption>();
  readonly settled = new Map<string, Consumption>();
  readonly #used = { tokens: 0, nanoUsd: 0 };
  readonly places = new Set<string>();

  constructor(limits: readonly Limit[] = [], caps: TurnCaps = {}) {
    this.limits = limits;
    this.caps = caps;
  }

  /** With what is reserved. */
  get used(): { readonly tokens: number; readonly costUsd: number } {
    const { tokens, nanoUsd: nano } = this.#used;
    return { tokens, costUsd: nano / 1e9 };
  }

  refresh = (): Promise<void> => Promise.resolve();

  turnCaps = (): Promise<TurnCaps> => Promise.resolve(this.caps);

  isLimited = (): Promise<boolean> =>
    Promise.resolve(this.limits.some(({ metric }) => metric === "tokens" || metric === "cost"));

  reserve: Budget["reserve"] = (_spender, id, atMost) => {
    this.asked.push(`reserve ${id}`);
    if (this.reserved.has(id) || this.settled.has(id)) return Promise.resolve({ type: "reserved" });
    const wanted = amountOf(atMost);
    const hit = this.#hit(wanted);
    if (hit !== undefined) return Promise.resolve({ type: "refused", hit });
    this.reserved.set(id, atMost);
    this.#add(wanted, 1);
    return Promise.resolve({ type: "reserved" });
  };

  settle: Budget["settle"] = (_spender, id, took) => {
    this.asked.push(`settle ${id}`);
    if (this.settled.has(id)) return Promise.resolve();
    const before = this.reserved.get(id);
    if (before !== undefined) this.#add(amountOf(before), -1);
    this.reserved.delete(id);
    this.settled.set(id, took);
    this.#add(amountOf(took), 1);
    return Promise.resolve();
  };

  enter: Budget["enter"] = (_spender, turnId) => {
    const limit = this.limits.find(({ metric }) => metric === "turns");
    if (limit === undefined) return Promise.resolve({ type: "reserved" });
    this.asked.push(`enter ${turnId}`);
    const used = this.places.size;
    if (!this.places.has(turnId) && used >= limit.max) {
      const hit: LimitHit = { scope: { kind: "global" }, limit, used };
      return Promise.resolve({ type: "refused", hit });
    }
    this.places.add(turnId);
    return Promise.resolve({ type: "reserved" });
  };

  leave: Budget["leave"] = (_spender, turnId) => {
    this.places.delete(turnId);
    return Promise.resolve();
  };

  /** The same one, but for what is given. */
  but(changes: Partial<Budget>): Budget {
    const { refresh, turnCaps, isLimited, reserve, settle, enter, leave } = this;
    const own = { refresh, turnCaps, isLimited, reserve, settle, enter, leave };
    return { ...own, ...changes };
  }

  #add(amount: Amount, sign: 1 | -1): void {
    this.#used.tokens += sign * amount.tokens;
    this.#used.nanoUsd += sign * amount.nanoUsd;
  }

  #hit(wanted: Amount): LimitHit | undefined {
    for (const limit of this.limits) {
      const isCost = limit.metric === "cost";
      if (!isCost && limit.metric !== "tokens") continue;
      const used = isCost ? this.#used.nanoUsd : this.#used.tokens;
      const max = isCost ? nanoUsd(limit.max) : limit.max;
      const more = isCost ? wanted.nanoUsd : wanted.tokens;
      if (more > 0 && used + more > max)
        return {
          scope: { kind: "global" },
          limit,
          used: isCost ? used / 1e9 : used,
          resetsAtMs: Date.now() + 3_600_000,
        };
    }
    return undefined;
  }
}
