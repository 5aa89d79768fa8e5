import type { ChatKey, Person, Platform } from "./chat.ts";
import type { GivenRole, Role } from "./roles.ts";
import type { Spending } from "./turn.ts";

/**
 * A window in which something is counted, by the calendar in UTC; `turn` and `at-once` are none.
 */
export const windows = ["minute", "hour", "day", "month"] as const;
export type Window = (typeof windows)[number];
export type Per = Window | "turn" | "at-once";

/**
 * The metrics that can be limited, and their windows, the default first. Amounts are counts; US
 * dollars for `cost`, active milliseconds for `deadline`.
 */
export const limitMetrics = {
  messages: ["day", "hour", "minute", "month"],
  tokens: ["day", "month", "hour", "turn"],
  cost: ["day", "month", "hour", "turn"],
  turns: ["at-once"],
  "model-calls": ["turn"],
  "tool-executions": ["turn"],
  deadline: ["turn"],
} as const satisfies Readonly<Record<string, readonly [Per, ...Per[]]>>;
export type LimitMetric = keyof typeof limitMetrics;

/** At most `max` of `metric` per `per`. Compared with `>=`. */
export interface Limit {
  readonly metric: LimitMetric;
  readonly per: Per;
  readonly max: number;
}

/**
 * The scope of a limit. `person` without an id: everyone without a limit of
 * their own or of their role. `chat` without an id: every chat without its own.
 * `person` and `role` count each person over all chats; `chat`, `platform` and
 * `global` count all people together.
 */
export type LimitScope =
  | { readonly kind: "person"; readonly id?: string }
  | { readonly kind: "role"; readonly role: GivenRole | "owner" }
  | { readonly kind: "chat"; readonly chat?: ChatKey }
  | { readonly kind: "platform"; readonly platform: Platform }
  | { readonly kind: "global" };

/** A limit as it was set for a scope; `max` is `Infinity` where it was switched off. */
export interface LimitRule {
  readonly scope: LimitScope;
  readonly limit: Limit;
}

/**
 * The scopes with counters of their own: a person over all chats, a chat with its topics and
 * threads, a platform, and everything.
 */
export const counters = ["person", "chat", "platform", "global"] as const;
export type Counter = (typeof counters)[number];

/** An applicable limit, and the counter it is compared with. */
export interface Cap {
  readonly counter: Counter;
  /** Where it was set. */
  readonly scope: LimitScope;
  readonly limit: Limit;
}

/**
 * So much was used within a window, what is reserved included; `costUsd` as far as prices are
 * known.
 */
export interface Usage {
  readonly messages: number;
  readonly tokens: number;
  readonly costUsd: number;
}

/** The spender and the chat, which determine the limits that apply. */
export interface Spender {
  readonly person: Person;
  readonly chat: ChatKey;
  /** Where it is known already. */
  readonly role?: Role | undefined;
  /** In a group, their message, which notices reply to. */
  readonly replyTo?: string | undefined;
}

/** Why something was refused, for a sentence: the limit, its usage, and when its window ends. */
export interface LimitHit {
  readonly scope: LimitScope;
  readonly limit: Limit;
  /** In the limit's own unit; includes reservations. */
  readonly used: number;
  /** The most that the model call might have taken, in the same unit; absent where it is none. */
  readonly needs?: number;
  /** Milliseconds since the epoch; absent where no window ends it. */
  readonly resetsAtMs?: number;
}

/** The most that a model call may use, or its usage. */
export interface Consumption {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; 0 where no price is known. */
  readonly costUsd: number;
}

/** What a model call has taken, all attempts together. */
export interface Took extends Consumption {
  /** What of it each model took, by `provider/model`; absent: none is known. */
  readonly models?: Readonly<Record<string, Spending>>;
  /** The first call of a turn. */
  readonly isFirst?: boolean;
}

/** The most that one turn may do, of all limits together; absent: none is set. */
export interface TurnCaps {
  readonly maxModelCalls?: number;
  readonly maxToolExecutions?: number;
  readonly deadlineMs?: number;
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
}

export type Reservation =
  { readonly type: "reserved" } | { readonly type: "refused"; readonly hit: LimitHit };

/**
 * Budgets for model calls, shared by all workers. Reservations count as used, so that a worker that
 * dies with a reservation has been charged for it.
 */
export interface Budget {
  /**
   * Refreshes the applicable limits ahead of time, so that reading them doesn't
   * wait: run it in parallel with other work before each turn.
   */
  refresh(): Promise<void>;
  /** What the spender's limits allow for a turn. */
  turnCaps(spender: Spender): Promise<TurnCaps>;
  /**
   * Whether a limit on tokens or cost holds: only then has a call to be reserved, and its output to
   * be capped.
   */
  isLimited(spender: Spender): Promise<boolean>;
  /**
   * Reserves for a model call, once per `id`, or says what forbids it; all windows at once, or
   * none.
   */
  reserve(spender: Spender, id: string, atMost: Consumption): Promise<Reservation>;
  /**
   * Replaces a reservation with the actual use of a call, once per `id`, and
   * sends warnings when a budget is nearly spent. Where no limit on tokens or cost holds, it is
   * counted soon, and not awaited.
   */
  settle(spender: Spender, id: string, took: Took): Promise<void>;
  /**
   * Takes one of the permits for turns that run at the same time, for `ttlMs` or until `leave`;
   * taken again it is kept for longer. Where nothing limits them there is always one.
   */
  enter(spender: Spender, turnId: string, ttlMs: number): Promise<Reservation>;
  leave(spender: Spender, turnId: string): Promise<void>;
}
