import type { Cap, LimitHit, Spender } from "../core/limits.ts";
import { isWindow } from "../core/limit-windows.ts";
import type { LimitCounters } from "../store/limits/limit-counters.ts";
import type { UnlimitedCounts } from "../store/limits/unlimited-counts.ts";
import { countBy, hitOf, namesOf, standingOf, type CounterDeps } from "./counter.ts";

type CountedMessage =
  | { readonly type: "counted" }
  | {
      readonly type: "refused";
      readonly hit: LimitHit;
      /** The first refusal in this window. */
      readonly isFirst: boolean;
    };

/** The limits that the ingress checks before it accepts a message. */
export interface MessageLimits {
  /**
   * Rereads the limits if they are old; can run in parallel with other work.
   */
  refresh(): Promise<void>;
  /**
   * Whether a limit on messages or tokens applies: only then can counting refuse the message.
   */
  isLimited(spender: Spender): Promise<boolean>;
  /**
   * Counts a message, once per id, unless a limit refuses it. Without an id, no
   * refusal is reported.
   */
  count(
    spender: Spender,
    message: { readonly id: string; readonly countedAs: string },
  ): Promise<CountedMessage>;
  /** Counts a message that no limit applies to, once per id, soon. */
  countUnlimited(spender: Spender, message: { readonly countedAs: string }): void;
}

/**
 * Where no tokens are left, too, a message need not come in: nothing could answer it. Money may be
 * left by a free model.
 */
const isOfMessages = ({ limit: { metric, per } }: Cap): boolean =>
  (metric === "messages" || metric === "tokens") && isWindow(per);

export function createMessageLimits(
  deps: CounterDeps & {
    readonly counters: LimitCounters;
    readonly unlimited: Pick<UnlimitedCounts, "add">;
  },
): MessageLimits {
  return {
    async refresh() {
      await deps.book.current();
    },
    async isLimited(spender) {
      return (await standingOf(deps, spender)).caps.some(isOfMessages);
    },
    async count(spender, message) {
      const taken = await countBy(deps, { spender, only: isOfMessages }, (counting) =>
        deps.counters.countMessage(message, counting),
      );
      if (taken.type !== "refused") return { type: "counted" };
      return { type: "refused", hit: hitOf(taken), isFirst: taken.isFirst };
    },
    countUnlimited(spender, { countedAs }) {
      deps.unlimited.add({ type: "message", names: namesOf(spender), countedAs });
    },
  };
}
