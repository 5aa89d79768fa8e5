import { spanOf } from "../../core/limit-windows.ts";
import {
  dayOf,
  monthOf,
  spentBy,
  type SpentBy,
  type SpentMetric,
  type SpentRow,
} from "../../store/limits/spent.ts";
import { pageNumber } from "../links.ts";
import type { ViewContext } from "../view.ts";

const dayMs = 86_400_000;
export const chartDays = 30;
/** Sums by person, chat and model are kept for so many days, with today. */
export const listedDays = 8;

/** What a reader of the view has asked for. */
export interface Shown {
  /** As in the address. */
  readonly period: string;
  /** As the sums are stored: a day, or a month. */
  readonly stored: string;
  readonly per: "day" | "month";
  readonly total: SpentRow;
  /** Undefined: the first rows of each. */
  readonly by: SpentBy | undefined;
  readonly sort: SpentMetric;
  /** From 1. */
  readonly page: number;
}

const lastMonthStart = (nowMs: number): number =>
  spanOf("month", spanOf("month", nowMs).startMs - 1).startMs;

/** Days since the last month began, and at least the chart's. */
export const listedSince = (nowMs: number): number =>
  Math.max(chartDays, Math.floor((nowMs - lastMonthStart(nowMs)) / dayMs) + 1);

export const periods = ["today", "yesterday", "month", "last-month"] as const;

/** What the address asks for; today, where it asks for nothing. Pure. */
export function shownOf({ query, nowMs }: ViewContext, days: readonly SpentRow[]): Shown {
  const named = {
    today: dayOf(nowMs),
    yesterday: dayOf(nowMs - dayMs),
    month: monthOf(nowMs),
    "last-month": monthOf(lastMonthStart(nowMs)),
  };
  const asked = query["period"] ?? "";
  const kept = days.slice(-listedDays).find(({ name }) => name === asked)?.name;
  const period = kept ?? periods.find((each) => each === asked) ?? "today";
  const stored = kept ?? named[period as keyof typeof named];
  const within = days.filter(({ name }) => name.startsWith(stored));
  const sumOf = (of: (row: SpentRow) => number) => within.reduce((sum, row) => sum + of(row), 0);
  const total = {
    name: stored,
    costUsd: sumOf(({ costUsd }) => costUsd),
    tokens: sumOf(({ tokens }) => tokens),
    count: sumOf(({ count }) => count),
  };
  return {
    period,
    stored,
    per: stored.length === named.month.length ? "month" : "day",
    total,
    by: spentBy.find((each) => each === query["by"]),
    // Free models have no most expensive one.
    sort:
      (["usd", "tokens", "count"] as const).find((each) => each === query["sort"]) ??
      (total.costUsd === 0 ? "tokens" : "usd"),
    page: pageNumber(query["page"]),
  };
}
