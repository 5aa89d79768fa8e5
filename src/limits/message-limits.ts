import type { Cap, LimitHit, Spender } from "../core/limits.ts";
import { isWindow } from "../core/limit-windows.ts";
import type { LimitCounters } from "../store/limits/limit-counters.ts";
import { countBy, hitOf, standingOf, type CounterDeps } from "./counter.ts";

type CountedMessage =
  | { readonly type: "counted" }
  | {
      readonly type: "refused";
      readonly hit: LimitHit;
      /** Nobody was told of it in this window yet. */
      readonly isFirst: boolean;
    };

/** What the door asks before it lets a message in. */
export interface MessageLimits {
  /** Reads the limits anew where they were read a while ago; for the caller to wait for beside something else. */
  refresh(): Promise<void>;
  /** Whether a limit on messages or tokens holds: else counting forbids nothing, and nobody has to wait for it. */
  isLimited(spender: Spender): Promise<boolean>;
  /** Counts a message, once for all that is counted as the same, unless a limit forbids it. Without an id nobody is told. */
  count(
    spender: Spender,
    message: { readonly id: string; readonly countedAs: string },
  ): Promise<CountedMessage>;
}

/** Where no tokens are left, too, a message need not come in: nothing could answer it. Money may be left by a free model. */
const isOfMessages = ({ limit: { metric, per } }: Cap): boolean =>
  (metric === "messages" || metric === "tokens") && isWindow(per);

export function createMessageLimits(
  deps: CounterDeps & { readonly counters: LimitCounters },
): MessageLimits {
  return {
    async refresh() {
      await deps.book.current();
    },
    async isLimited(spender) {
      return (await standingOf(deps, spender)).caps.some(isOfMessages);
    },
    async count(spender, message) {
      const taken = await countBy(
        deps,
        { spender, only: isOfMessages },
        (counting) => deps.counters.countMessage(message, counting),
      );
      if (taken.type !== "refused") return { type: "counted" };
      return { type: "refused", hit: hitOf(taken), isFirst: taken.isFirst };
    },
  };
}
