import { parseCount, parseUsd } from "./amounts.ts";

const periods = {
  min: "minute",
  minute: "minute",
  h: "hour",
  hour: "hour",
  d: "day",
  day: "day",
  month: "month",
} as const;

export type Period = (typeof periods)[keyof typeof periods];
export type LimitMetric = "messages" | "tokens" | "cost";

/** At most `max` of `metric` in each `per`; `max` counts messages, tokens or, for `cost`, US dollars. */
export type Limit = {
  readonly metric: LimitMetric;
  readonly max: number;
  readonly per: Period;
};

const readers = {
  messages: (text: string) => parseCount(text.replace(/\s*messages?$/i, "")),
  tokens: (text: string) => parseCount(text.replace(/\s*tokens?$/i, "")),
  cost: parseUsd,
} as const satisfies Record<LimitMetric, (text: string) => number | undefined>;

/** Reads `20/min`, `500 messages/day`, `200k tokens/day`, `5usd/month`; an amount without a period is per day. */
export function parseLimit(
  metric: LimitMetric,
  text: string,
): Limit | undefined {
  const [amount = "", period = "day", ...rest] = text
    .split(/\/|\bper\b/i)
    .map((piece) => piece.trim().toLowerCase());
  const max = readers[metric](amount);
  if (max === undefined || rest.length > 0 || !Object.hasOwn(periods, period))
    return undefined;
  return { metric, max, per: periods[period as keyof typeof periods] };
}
