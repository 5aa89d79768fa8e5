import type { ChatKey } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import { isLimitedRole, limitedChat } from "../core/limit-scopes.ts";
import { isWindow, spanOf } from "../core/limit-windows.ts";
import type {
  Cap,
  Counter,
  Limit,
  LimitMetric,
  LimitRule,
  LimitScope,
  Per,
  Spender,
  TurnCaps,
  Usage,
  Window,
} from "../core/limits.ts";
import type { Role } from "../core/roles.ts";
import type { LimitCounters } from "../store/limits/limit-counters.ts";
import type { UnlimitedCounts } from "../store/limits/unlimited-counts.ts";
import type { TurnPermits } from "../store/limits/turn-permits.ts";
import type { RuleChange } from "../store/limits/limit-rules.ts";
import { namesOf, standingOf, type CounterDeps } from "./counter.ts";

/** A limit that holds, and how much of it is used, in its own unit. */
export interface CapInUse {
  readonly cap: Cap;
  readonly used: number;
  /** Milliseconds since the epoch; absent where no window ends it. */
  readonly resetsAtMs?: number;
}

type Counted =
  | { readonly type: "person"; readonly id: string; readonly role: Role }
  | { readonly type: "chat"; readonly chat: ChatKey }
  | { readonly type: "everyone" };

/**
 * One limit before and after a change; undefined: nothing is set, `Infinity`: it is switched off.
 */
export interface LimitChanged {
  readonly metric: LimitMetric;
  readonly per: Per;
  readonly before: number | undefined;
  readonly now: number | undefined;
}

/** The interface of `/limits` and `/usage`. */
export interface LimitService {
  effective(spender: Spender): Promise<{
    /** Milliseconds since the epoch. */
    readonly atMs: number;
    readonly caps: readonly CapInUse[];
    readonly turn: TurnCaps;
  }>;
  /**
   * What holds for a person in all their chats, for a chat, or for everyone together.
   * @param of `role`: to be given if there are limits for roles.
   */
  capsOn(of: Counted): Promise<readonly Cap[]>;
  /** All limits that were set from chats. */
  allSet(): Promise<readonly LimitRule[]>;
  /** Sets limits for a scope, once per event. */
  set(
    eventId: string,
    scope: LimitScope,
    limits: readonly Limit[],
  ): Promise<readonly LimitChanged[]>;
  /**
   * Returns to the operator's file; limits that weren't set from a chat are
   * skipped.
   */
  reset(
    eventId: string,
    scope: LimitScope,
    which: readonly Pick<Limit, "metric" | "per">[],
  ): Promise<readonly LimitChanged[]>;
  /** Usage of a person, and of everyone, in the current windows. */
  usage(of: Pick<Spender, "person"> | "everybody"): Promise<Readonly<Record<Window, Usage>>>;
}

export function createLimitService(
  deps: CounterDeps & {
    readonly counters: LimitCounters;
    readonly unlimited: Pick<UnlimitedCounts, "flush">;
    readonly permits: TurnPermits;
    /** Milliseconds since the epoch. */
    readonly now: () => number;
  },
): LimitService {
  const { book, counters, unlimited, permits, now } = deps;
  const change = async (
    eventId: string,
    changes: readonly RuleChange[],
  ): Promise<readonly (LimitChanged & { readonly wasSet: boolean })[]> => {
    const before = await book.change(eventId, changes);
    const rules = await book.current();
    return changes.map(({ scope, metric, per }, index) => {
      const fromFile = rules.fileMaxOf(scope, metric, per);
      const wasSet = before[index] !== undefined;
      return {
        metric,
        per,
        before: before[index] ?? fromFile,
        now: rules.maxOf(scope, metric, per),
        wasSet,
      };
    });
  };
  return {
    async effective(spender) {
      const { book: rules, standing, caps } = await standingOf(deps, spender);
      const names = namesOf(spender);
      await unlimited.flush();
      const atMs = now();
      const read = new Map(
        [...new Set(caps.map(({ counter }) => counter))].map((counter) => [
          counter,
          counters.usage(counter, names[counter]),
        ]),
      );
      const inUse = await Promise.all(
        caps.map(async (cap): Promise<CapInUse> => {
          const { counter, limit } = cap;
          const usage = await read.get(counter);
          const used =
            usage && isWindow(limit.per)
              ? usage[limit.per][usageField(limit.metric)]
              : await permits.running(counter, names[counter]);
          return isWindow(limit.per)
            ? { cap, used, resetsAtMs: spanOf(limit.per, atMs).endMs }
            : { cap, used };
        }),
      );
      return { atMs, caps: inUse, turn: rules.turnCapsOf(standing) };
    },
    capsOn: async (of) => (await book.current()).capsOn(...scopesOn(of)),
    allSet: async () => (await book.current()).set,
    set: (eventId, scope, limits) =>
      change(
        eventId,
        limits.map((limit) => ({ scope, ...limit })),
      ),
    async reset(eventId, scope, which) {
      const changed = await change(
        eventId,
        which.map(({ metric, per }) => ({
          scope,
          metric,
          per,
          max: undefined,
        })),
      );
      return changed.filter(({ wasSet }) => wasSet);
    },
    async usage(of) {
      await unlimited.flush();
      return of === "everybody"
        ? await counters.usage("global", "all")
        : await counters.usage("person", of.person.id);
    },
  };
}

function scopesOn(of: Counted): [Counter, readonly LimitScope[]] {
  switch (of.type) {
    case "person": {
      const role = isLimitedRole(of.role) ? [{ kind: "role", role: of.role } as const] : [];
      return ["person", [{ kind: "person", id: of.id }, ...role, { kind: "person" }]];
    }
    case "chat":
      return ["chat", [{ kind: "chat", chat: limitedChat(of.chat) }, { kind: "chat" }]];
    case "everyone":
      return ["global", [{ kind: "global" }]];
    default:
      return unreachable(of);
  }
}

/** For the metrics that are counted over time. */
const usageField = (metric: LimitMetric): keyof Usage =>
  metric === "cost" ? "costUsd" : metric === "tokens" ? "tokens" : "messages";
