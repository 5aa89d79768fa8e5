import { limitedChat } from "../../core/limit-scopes.ts";
import { spanOf, type Span } from "../../core/limit-windows.ts";
import type { Counter, Window } from "../../core/limits.ts";
import type { ChatKey } from "../../core/chat.ts";
import type { Spending } from "../../core/turn.ts";
import { limitsKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { nanosPerUsd } from "./limit-replies.ts";

const dayMs = 86_400_000;
/** Sums of a day are kept for a week after it, those of a month for a month. Milliseconds. */
const daysKeptMs = 7 * dayMs;
const monthsKeptMs = 31 * dayMs;
/** More than a model call can use: such a figure is a mistake somewhere. */
const maxTokens = 1e12;
const maxUsd = 1e6;

/** Whose sums are kept, by day and by month; `day`: each day's, by month. */
export const spentBy = ["person", "chat", "model"] as const;
export type SpentBy = (typeof spentBy)[number];
/** `count`: answers; of models, requests. */
const spentMetrics = ["usd", "tokens", "count"] as const;
export type SpentMetric = (typeof spentMetrics)[number];

/** `2026-11-25`, or `2026-11`, in UTC. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);
export const monthOf = (atMs: number): string => dayOf(atMs).slice(0, 7);

/** Followed by `<period>:<by>:<metric>`: sorted sets of sums, of US dollars in billionths. */
export const spentPrefix = limitsKey("spent:");

/** What a call adds to, as the scripts take it. Invalid amounts add nothing. */
export function spentEntries(
  names: Pick<Readonly<Record<Counter, string>>, "person" | "chat">,
  took: {
    readonly tokens: number;
    readonly costUsd: number;
    readonly turns?: number;
    readonly models?: Readonly<Record<string, Spending>>;
  },
  { day, month }: Pick<Readonly<Record<Window, Span>>, "day" | "month">,
): readonly (readonly (string | number)[])[] {
  const sum = amounts(took.costUsd, took.tokens, took.turns ?? 0);
  const of = [
    ["person", names.person, sum] as const,
    ["chat", names.chat, sum] as const,
    ...Object.entries(took.models ?? {}).map(
      ([model, { costUsd = 0, inputTokens, outputTokens, requests }]) =>
        ["model", model, amounts(costUsd, inputTokens + outputTokens, requests)] as const,
    ),
  ];
  const [today, thisMonth] = [dayOf(day.startMs), monthOf(month.startMs)];
  const monthUntilMs = month.endMs + monthsKeptMs;
  return [
    ...of.map(([by, member, each]) => [`${today}:${by}`, member, day.endMs + daysKeptMs, ...each]),
    ...of.map(([by, member, each]) => [`${thisMonth}:${by}`, member, monthUntilMs, ...each]),
    [`${thisMonth}:day`, today, monthUntilMs, ...sum],
  ];
}

const amounts = (usd: number, tokens: number, count: number): readonly number[] => [
  usd >= 0 && usd <= maxUsd ? Math.round(usd * nanosPerUsd) : 0,
  tokens >= 0 && tokens <= maxTokens ? Math.round(tokens) : 0,
  count >= 0 && count <= maxTokens ? Math.round(count) : 0,
];

/** What someone or something has spent in a day or a month. */
export interface SpentRow {
  /** A person's id, a group or chat as limits name it, `provider/model`, or a day. */
  readonly name: string;
  readonly costUsd: number;
  readonly tokens: number;
  /** Answers; of models, requests. */
  readonly count: number;
}

export interface SpentStore {
  /** The largest first. @param period `2026-11-25` or `2026-11`. */
  top(
    period: string,
    by: SpentBy,
    page: { readonly sort: SpentMetric; readonly from: number; readonly count: number },
  ): Promise<{ readonly rows: readonly SpentRow[]; readonly total: number }>;
  /** The last so many days with today's, the oldest first; nothing spent: zeros. */
  days(count: number): Promise<readonly SpentRow[]>;
}

const keyOf = (period: string, by: SpentBy | "day", metric: SpentMetric): string =>
  `${spentPrefix}${period}:${by}:${metric}`;

export function createSpent({ redis, clock }: Pick<Store, "redis" | "clock">): SpentStore {
  const read = async (
    period: string,
    by: SpentBy | "day",
    names: readonly string[],
  ): Promise<readonly SpentRow[]> => {
    if (names.length === 0) return [];
    const [usd = [], tokens = [], count = []] = await Promise.all(
      spentMetrics.map((metric) => redis.zmscore(keyOf(period, by, metric), ...names)),
    );
    return names.map((name, index) => ({
      name,
      costUsd: Number(usd[index] ?? 0) / nanosPerUsd,
      tokens: Number(tokens[index] ?? 0),
      count: Number(count[index] ?? 0),
    }));
  };
  return {
    async top(period, by, { sort, from, count }) {
      const key = keyOf(period, by, sort);
      const [names, total] = await Promise.all([
        redis.zrevrange(key, from, from + count - 1),
        redis.zcard(key),
      ]);
      return { rows: await read(period, by, names), total };
    },
    async days(count) {
      const today = spanOf("day", clock.now()).startMs;
      const days = Array.from({ length: count }, (_, each) =>
        dayOf(today - (count - 1 - each) * dayMs),
      );
      const months = [...new Set(days.map((day) => day.slice(0, 7)))];
      const rows = await Promise.all(
        months.map((month) =>
          read(
            month,
            "day",
            days.filter((day) => day.startsWith(month)),
          ),
        ),
      );
      return rows.flat();
    },
  };
}

/** Removes what these people and chats have spent; a group's topics are no chats of their own here. */
export async function eraseSpent(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  { people, chats }: { readonly people: readonly string[]; readonly chats: readonly ChatKey[] },
): Promise<void> {
  const nowMs = clock.now();
  // What is kept longest began with the last month but one.
  const days = Array.from({ length: 93 }, (_, each) => dayOf(nowMs - each * dayMs));
  const periods = new Set([
    ...days.slice(0, daysKeptMs / dayMs + 2),
    ...days.map((day) => day.slice(0, 7)),
  ]);
  const own = chats.filter((chat) => limitedChat(chat) === chat);
  const change = redis.pipeline();
  for (const period of periods)
    for (const metric of spentMetrics) {
      if (people.length > 0) change.zrem(`${spentPrefix}${period}:person:${metric}`, ...people);
      if (own.length > 0) change.zrem(`${spentPrefix}${period}:chat:${metric}`, ...own);
    }
  for (const [error] of (await change.exec()) ?? []) if (error) throw error;
}
