import { limitedChat, scopeName, type LimitedRole } from "../core/limit-scopes.ts";
import {
  limitMetrics,
  type Cap,
  type Counter,
  type LimitMetric,
  type LimitRule,
  type LimitScope,
  type Per,
  type TurnCaps,
} from "../core/limits.ts";
import { parseChatKey, type ChatKey } from "../core/chat.ts";

/** Who spends and where, as far as limits distinguish. */
export interface Standing {
  /** A person's id. */
  readonly person: string;
  /** Absent: no limit is set for roles, or theirs can have none. */
  readonly role?: LimitedRole | undefined;
  readonly chat: ChatKey;
}

/**
 * The effective limits at one moment: those set from chats, else those of the operator's file, for
 * each scope and window.
 */
export class EffectiveLimits {
  readonly version: string;
  readonly #limits = new Map<string, number>();
  readonly #fromFile = new Map<string, number>();
  /** Some limit is set for a role. */
  readonly hasRoles: boolean;
  /** Those that were set from chats. */
  readonly set: readonly LimitRule[];

  constructor(
    version: string,
    { file, set }: Readonly<Record<"file" | "set", readonly LimitRule[]>>,
  ) {
    this.version = version;
    this.set = set;
    for (const { scope, limit } of file) this.#fromFile.set(keyOf(scope, limit), limit.max);
    for (const [key, max] of this.#fromFile) this.#limits.set(key, max);
    for (const { scope, limit } of set) this.#limits.set(keyOf(scope, limit), limit.max);
    this.hasRoles = [...file, ...set].some(({ scope }) => scope.kind === "role");
  }

  /** `Infinity`: switched off. Undefined: nothing is set for exactly this scope. */
  maxOf(scope: LimitScope, metric: LimitMetric, per: Per): number | undefined {
    return this.#limits.get(keyOf(scope, { metric, per }));
  }

  /** The same by the operator's file alone. */
  fileMaxOf(scope: LimitScope, metric: LimitMetric, per: Per): number | undefined {
    return this.#fromFile.get(keyOf(scope, { metric, per }));
  }

  /**
   * Limits over time and on concurrency. For persons, the most specific
   * applies: their own, their role's, or everyone's. In addition: the chat's
   * own or every chat's, the platform's, and the total.
   */
  capsOf(standing: Standing): readonly Cap[] {
    if (this.#limits.size === 0) return [];
    const { person, role, chat, platform, global } = scopesOf(standing);
    const found: Cap[] = [];
    for (const [metric, per] of metricsAndPers) {
      if (per === "turn") continue;
      const add = (counter: Counter, scopes: readonly LimitScope[]): void => {
        const set = this.#first(scopes, metric, per);
        if (set !== undefined && set.max !== Infinity)
          found.push({
            counter,
            scope: set.scope,
            limit: { metric, per, max: set.max },
          });
      };
      add("person", [person, ...role, { kind: "person" }]);
      add("chat", [chat, { kind: "chat" }]);
      add("platform", [platform]);
      add("global", [global]);
    }
    return found;
  }

  /** Limits over time on one counter; for each, the first of the scopes in which it is set. */
  capsOn(counter: Counter, scopes: readonly LimitScope[]): readonly Cap[] {
    return metricsAndPers.flatMap(([metric, per]) => {
      const set = per === "turn" ? undefined : this.#first(scopes, metric, per);
      return set === undefined || set.max === Infinity
        ? []
        : [{ counter, scope: set.scope, limit: { metric, per, max: set.max } }];
    });
  }

  /**
   * The limits of one turn: the most specific value that is set, but never more than the global
   * one.
   */
  turnCapsOf(standing: Standing): TurnCaps {
    if (this.#limits.size === 0) return {};
    const { person, role, chat, platform, global } = scopesOf(standing);
    const scopes: readonly LimitScope[] = [
      person,
      chat,
      ...role,
      { kind: "chat" },
      platform,
      { kind: "person" },
    ];
    const cap = (metric: LimitMetric): number | undefined => {
      const most = Math.min(
        this.#first(scopes, metric, "turn")?.max ?? Infinity,
        this.maxOf(global, metric, "turn") ?? Infinity,
      );
      return most === Infinity ? undefined : most;
    };
    const caps = {
      maxModelCalls: cap("model-calls"),
      maxToolExecutions: cap("tool-executions"),
      deadlineMs: cap("deadline"),
      maxTokens: cap("tokens"),
      maxCostUsd: cap("cost"),
    };
    return Object.fromEntries(Object.entries(caps).filter(([, most]) => most !== undefined));
  }

  #first(
    scopes: readonly LimitScope[],
    metric: LimitMetric,
    per: Per,
  ): { readonly scope: LimitScope; readonly max: number } | undefined {
    for (const scope of scopes) {
      const max = this.maxOf(scope, metric, per);
      if (max !== undefined) return { scope, max };
    }
    return undefined;
  }
}

const metricsAndPers = (Object.entries(limitMetrics) as [LimitMetric, readonly Per[]][]).flatMap(
  ([metric, pers]) => pers.map((per) => [metric, per] as const),
);

const keyOf = (
  scope: LimitScope,
  { metric, per }: { readonly metric: LimitMetric; readonly per: Per },
): string => `${scopeName(scope)} ${metric}/${per}`;

const scopesOf = ({ person, role, chat }: Standing) => ({
  person: { kind: "person", id: person } as const,
  role: role === undefined ? [] : [{ kind: "role", role } as const],
  chat: { kind: "chat", chat: limitedChat(chat) } as const,
  platform: {
    kind: "platform",
    platform: parseChatKey(chat).platform,
  } as const,
  global: { kind: "global" } as const,
});
