import { parseCount, parseUsd } from "./amounts.ts";
import { durationText, parseDuration } from "./durations.ts";
import { limitMetrics, type Limit, type LimitMetric, type Per } from "../core/limits.ts";

/**
 * The words for each window after a number; `turn` and `at-once` may be left out if there is no
 * other.
 */
const periods: Readonly<Record<string, Per>> = {
  min: "minute",
  minute: "minute",
  h: "hour",
  hour: "hour",
  d: "day",
  day: "day",
  month: "month",
  turn: "turn",
  "at-once": "at-once",
};

const shortNames: Readonly<Record<Per, string>> = {
  minute: "min",
  hour: "hour",
  day: "day",
  month: "month",
  turn: "turn",
  "at-once": "at-once",
};

/** The accepted names of a metric. */
export const limitExamples = {
  messages: "20/min or 500/day",
  tokens: "200k/day or 200k tokens/day",
  cost: "5usd/day or 100usd/month",
  turns: "3",
  "model-calls": "10",
  "tool-executions": "40",
  deadline: "10m",
} as const satisfies Record<LimitMetric, string>;

/**
 * From and to; `cost` in US dollars, `deadline` in milliseconds. Zero forbids; a turn that may not
 * even begin would wait for ever, so that turns, model calls and time begin above it.
 */
const ranges: Readonly<Record<LimitMetric, readonly [number, number]>> = {
  messages: [0, 1e9],
  tokens: [0, 1e12],
  cost: [0, 1e6],
  turns: [1, 10_000],
  "model-calls": [1, 1_000],
  "tool-executions": [0, 10_000],
  deadline: [1_000, 3_650 * 86_400_000],
};

const counted =
  (noun: RegExp) =>
  (text: string): number | undefined =>
    parseCount(text.replace(noun, ""));

const amountReaders: Readonly<Record<LimitMetric, (text: string) => number | undefined>> = {
  messages: counted(/messages?$/),
  tokens: counted(/tokens?$/),
  cost: parseUsd,
  turns: counted(/(?:turns?|answers?)$/),
  "model-calls": counted(/(?:model[ -])?(?:calls?|requests?)$/),
  "tool-executions": counted(/(?:tool[ -])?(?:executions?|uses?)$/),
  deadline: parseDuration,
};

/** A billionth of a dollar is the least that is counted. */
const nanosPerUsd = 1e9;

/**
 * Where a metric's limits are written without their own names for it: `modelCalls`, `model_calls`.
 */
export const readLimitMetric = (text: string): LimitMetric | undefined =>
  (Object.keys(limitMetrics) as LimitMetric[]).find((each) =>
    [each, plainNames[each]].some((name) => plain(name) === plain(text)),
  );

/** What people call it, where its own name is a word of Parley's parts; typed, both count. */
export const plainNames = {
  messages: "messages",
  tokens: "tokens",
  cost: "cost",
  turns: "answers",
  "model-calls": "requests",
  "tool-executions": "tool-uses",
  deadline: "time",
} as const satisfies Record<LimitMetric, string>;

const plain = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, "");

/**
 * Reads `20/min`, `500 messages/day`, `200k tokens/day`, `$5/month`, `10m`, `off`: an amount
 * without a period is per day, or per the only thing that the metric is limited per. `off` is no
 * limit (`Infinity`): without a period, for all of the metric's. Undefined: it is no limit of this
 * metric.
 */
export function readLimits(metric: LimitMetric, text: string): readonly Limit[] | undefined {
  const [amount = "", period, ...rest] = text
    .toLowerCase()
    .split(/\/|\bper\b/)
    .map((piece) => piece.trim());
  const known: readonly Per[] = limitMetrics[metric];
  const per = period === undefined ? known[0] : periodOf(period);
  if (rest.length > 0 || per === undefined || !known.includes(per)) return undefined;
  if (amount === "off") {
    const pers = period === undefined ? known : [per];
    return pers.map((each) => ({ metric, per: each, max: Infinity }));
  }
  const max = amountOf(metric, amount);
  return max === undefined ? undefined : [{ metric, per, max }];
}

const periodOf = (text: string): Per | undefined =>
  Object.hasOwn(periods, text) ? periods[text] : undefined;

function amountOf(metric: LimitMetric, text: string): number | undefined {
  const amount = amountReaders[metric](text);
  const [least, most] = ranges[metric];
  if (amount === undefined || !(amount >= least && amount <= most)) return undefined;
  return metric === "cost" ? Math.round(amount * nanosPerUsd) / nanosPerUsd : amount;
}

/** The windows or things a metric can be limited per, as they are written. */
export const periodsOf = (metric: LimitMetric): readonly string[] =>
  limitMetrics[metric].map((per: Per) => shortNames[per]);

/**
 * A limit as people write it; `readLimits` reads it back. Behind the metric's name it is what a
 * command takes.
 */
export function limitText({ metric, per, max }: Limit): string {
  const amount = max === Infinity ? "off" : amountText(metric, max);
  return limitMetrics[metric].length === 1 ? amount : `${amount}/${shortNames[per]}`;
}

/** So much of a metric: `20`, `200k`, `4.98usd`, `10m`. */
function amountText(metric: LimitMetric, amount: number): string {
  switch (metric) {
    case "cost":
      return `${decimals(amount)}usd`;
    case "deadline":
      return durationText(amount);
    default:
      return countText(amount);
  }
}

/** Without an exponent, to the billionth that is counted. */
const decimals = (amount: number): string => amount.toFixed(9).replace(/\.?0+$/, "");

/** `200k` if that is exact. */
function countText(count: number): string {
  if (count >= 1e6 && count % 1e6 === 0) return `${count / 1e6}m`;
  if (count >= 1e4 && count % 1e3 === 0) return `${count / 1e3}k`;
  return String(count);
}
