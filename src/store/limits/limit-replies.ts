import { isWindow, type Span } from "../../core/limit-windows.ts";
import { counters, windows, type Cap, type Usage, type Window } from "../../core/limits.ts";
import { number, text, type Reply } from "../redis/redis.ts";

/** Billionths of a dollar are whole numbers, so that sums stay exact. */
export const nanosPerUsd = 1e9;

/**
 * The limits that a take or settlement was compared with, in the order of the script's arguments.
 */
export interface Counted {
  readonly reply: readonly Reply[];
  readonly spans: Readonly<Record<Window, Span>>;
  readonly caps: readonly Cap[];
}

export type Take =
  | { readonly type: "taken" }
  /** Other rules hold by now: read them again. */
  | { readonly type: "stale" }
  | {
      readonly type: "refused";
      readonly cap: Cap;
      /** In the limit's own unit. */
      readonly used: number;
      /** Milliseconds since the epoch. */
      readonly resetsAtMs: number;
      /** The first refusal in this window, or the same event again. */
      readonly isFirst: boolean;
    };

/** A cap of which so much is used for the first time in its window. */
export interface UsageWarning {
  readonly cap: Cap;
  readonly percent: number;
  readonly used: number;
  readonly span: Span;
}

export type Settlement =
  | { readonly type: "stale" }
  | { readonly type: "settled"; readonly warnings: readonly UsageWarning[] };

/** As the script numbers them, from 1. */
const metrics = ["messages", "tokens", "cost"] as const;
const fields = { messages: "messages", tokens: "tokens", cost: "nanoUsd" };

/** Never infinite, which JSON cannot say. */
const toStored = (metric: string, amount: number): number =>
  metric === "cost" ? Math.min(Math.round(amount * nanosPerUsd), Number.MAX_VALUE) : amount;
const fromStored = (metric: string, amount: number): number =>
  metric === "cost" ? amount / nanosPerUsd : amount;

/** Whether it is counted over time. */
export const isWindowed = ({ limit }: Cap): boolean => isWindow(limit.per);

/**
 * A cap as the script takes it. A refusal caused by a person's own use is
 * reported to them alone; one caused by others, to the chat.
 */
export const capFields = ({ counter, limit: { metric, per, max } }: Cap) => ({
  counter: counters.indexOf(counter) + 1,
  window: windows.findIndex((each) => each === per) + 1,
  metric: metrics.findIndex((each) => each === metric) + 1,
  most: toStored(metric, max),
  toldKey: counter === "person" ? 3 : 4,
});

export function takeOf({ reply, spans, caps }: Counted): Take {
  const [type, ...rest] = reply;
  if (type === "taken" || type === "stale") return { type };
  const cap = caps[number(rest[0])];
  if (type !== "refused" || cap === undefined || !isWindow(cap.limit.per))
    throw new TypeError(`unexpected reply ${JSON.stringify(reply)}`);
  return {
    type,
    cap,
    used: fromStored(cap.limit.metric, number(rest[1])),
    resetsAtMs: spans[cap.limit.per].endMs,
    isFirst: number(rest[2]) === 1,
  };
}

export function settlementOf(counted: Counted): Settlement {
  const [type, ...rest] = counted.reply;
  if (type === "stale") return { type };
  if (type !== "settled") throw new TypeError(`unexpected reply ${JSON.stringify(counted.reply)}`);
  const warnings = rest.flatMap((each) => warningOf(text(each), counted) ?? []);
  return { type, warnings };
}

/** Undefined: of a settlement that was repeated after the limits had changed. */
function warningOf(line: string, { spans, caps }: Counted): UsageWarning | undefined {
  const [counter, window, metric, ...figures] = line.split(" ");
  const [percent = 0, used = 0, most = 0] = figures.map(Number);
  const per = windows[Number(window) - 1];
  const cap = caps.find(
    ({ limit, ...of }) =>
      of.counter === counters[Number(counter) - 1] &&
      limit.per === per &&
      fields[limit.metric as keyof typeof fields] === metric &&
      toStored(limit.metric, limit.max) === most,
  );
  if (cap === undefined || per === undefined) return undefined;
  const amount = fromStored(cap.limit.metric, used);
  return { cap, percent, used: amount, span: spans[per] };
}

/** The layout of a counter in `limit-count`: doubles per window, first its start and its usage. */
const figuresPerWindow = 10;
const bytesPerFigure = 8;
const counterBytes = windows.length * figuresPerWindow * bytesPerFigure;

/** The window values of a counter; unreadable ones are skipped. */
export function usageAt(
  stored: Buffer | null,
  spans: Readonly<Record<Window, Span>>,
): Readonly<Record<Window, Usage>> {
  const usageOf = (window: Window, index: number): Usage => {
    const [startMs, messages = 0, tokens = 0, nanoUsd = 0] = Array.from(
      { length: figuresPerWindow },
      (_, figure) =>
        stored?.length === counterBytes
          ? stored.readDoubleBE((index * figuresPerWindow + figure) * bytesPerFigure)
          : 0,
    );
    return startMs === spans[window].startMs
      ? { messages, tokens, costUsd: nanoUsd / nanosPerUsd }
      : { messages: 0, tokens: 0, costUsd: 0 };
  };
  return Object.fromEntries(
    windows.map((window, index): [Window, Usage] => [window, usageOf(window, index)]),
  ) as Record<Window, Usage>;
}
