import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  limitExamples,
  limitText,
  periodsOf,
  readLimitMetric,
  readLimits,
} from "../../src/text/limit-text.ts";
import { limitMetrics, type Limit, type LimitMetric, type Per } from "../../src/core/limits.ts";

const metrics = Object.keys(limitMetrics) as LimitMetric[];

test.each<[LimitMetric, string, number, string]>([
  ["messages", "20/min", 20, "minute"],
  ["messages", "20 / minute", 20, "minute"],
  ["messages", "500/day", 500, "day"],
  ["messages", "500 messages per day", 500, "day"],
  ["messages", "30", 30, "day"],
  ["messages", "0/day", 0, "day"],
  ["tokens", "200k tokens/day", 200_000, "day"],
  ["tokens", "1m/month", 1_000_000, "month"],
  ["tokens", "50K tokens per turn", 50_000, "turn"],
  ["cost", "5usd/day", 5, "day"],
  ["cost", "$0.5/h", 0.5, "hour"],
  ["cost", "100usd/month", 100, "month"],
  ["cost", "$5", 5, "day"],
  ["cost", "2 USD / turn", 2, "turn"],
  ["cost", "0.000000001usd", 0.000000001, "day"],
  ["turns", "3", 3, "at-once"],
  ["turns", "3 turns", 3, "at-once"],
  ["turns", "3/at-once", 3, "at-once"],
  ["model-calls", "10", 10, "turn"],
  ["model-calls", "10 model calls/turn", 10, "turn"],
  ["tool-executions", "0/turn", 0, "turn"],
  ["deadline", "10m", 600_000, "turn"],
  ["deadline", "1h 30m per turn", 5_400_000, "turn"],
])("the limit of %s %j is %j per %s", (metric, text, max, per) => {
  expect(readLimits(metric, text)).toEqual([{ metric, max, per }]);
});

test.each<[LimitMetric, string]>([
  ["messages", "20/fortnight"],
  ["messages", "20/constructor"],
  ["messages", "20/min/day"],
  ["messages", "/min"],
  ["messages", ""],
  ["messages", "-1/day"],
  ["messages", "1.5/day"],
  ["messages", "2000m/day"],
  ["messages", "5usd/day"],
  ["messages", "20/turn"],
  ["tokens", "200k messages/day"],
  ["tokens", "20/at-once"],
  ["tokens", "NaN"],
  ["tokens", "Infinity"],
  ["cost", "200 tokens/day"],
  ["cost", ""],
  ["cost", "5eur/day"],
  ["cost", "1e3usd"],
  ["cost", "1000001usd/month"],
  ["turns", "0"],
  ["turns", "3/day"],
  ["model-calls", "0"],
  ["model-calls", "10/day"],
  ["deadline", "10"],
  ["deadline", "10m/day"],
  ["deadline", "5ms"],
])("%s %j is no limit", (metric, text) => {
  expect(readLimits(metric, text)).toBeUndefined();
});

describe("off", () => {
  it("alone is off for all that the metric is limited per", () => {
    expect(readLimits("messages", "off")).toEqual(
      ["day", "hour", "minute", "month"].map((per) => ({
        metric: "messages",
        per,
        max: Infinity,
      })),
    );
    expect(readLimits("deadline", "OFF")).toEqual([
      { metric: "deadline", per: "turn", max: Infinity },
    ]);
  });

  it("with a period is off for that alone", () => {
    expect(readLimits("cost", "off/month")).toEqual([
      { metric: "cost", per: "month", max: Infinity },
    ]);
  });
});

test.each(metrics)("the example of %s is one", (metric) => {
  for (const each of limitExamples[metric].split(" or "))
    expect(readLimits(metric, each)).toHaveLength(1);
});

test.each(metrics)("every period of %s can be written", (metric) => {
  for (const period of periodsOf(metric))
    expect(readLimits(metric, `off/${period}`)).toHaveLength(1);
});

const amounts: Record<LimitMetric, fc.Arbitrary<number>> = {
  messages: fc.integer({ min: 0, max: 1e9 }),
  tokens: fc.integer({ min: 0, max: 1e12 }),
  cost: fc.integer({ min: 0, max: 1e15 }).map((nanos) => nanos / 1e9),
  turns: fc.integer({ min: 1, max: 10_000 }),
  "model-calls": fc.integer({ min: 1, max: 1_000 }),
  "tool-executions": fc.integer({ min: 0, max: 10_000 }),
  deadline: fc.integer({ min: 1_000, max: 3_650 * 86_400_000 }),
};
const anyLimit: fc.Arbitrary<Limit> = fc.constantFrom(...metrics).chain((metric) =>
  fc.record({
    metric: fc.constant(metric),
    per: fc.constantFrom(...(limitMetrics[metric] as readonly Per[])),
    max: fc.oneof({ weight: 9, arbitrary: amounts[metric] }, fc.constant(Infinity)),
  }),
);

test("a limit that is written is read back", () => {
  fc.assert(
    fc.property(anyLimit, (limit) => {
      expect(readLimits(limit.metric, limitText(limit))).toEqual([limit]);
    }),
    { numRuns: 1_000 },
  );
});

test("whatever is typed is read or refused, and what is read is within bounds", () => {
  const typed = fc.oneof(
    fc.string(),
    fc
      .array(
        fc.constantFrom(
          "1",
          "0",
          ".",
          "k",
          "m",
          "usd",
          "$",
          "/",
          " per ",
          "day",
          "min",
          "off",
          "h",
          "-",
          "tokens",
        ),
      )
      .map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(fc.constantFrom(...metrics), typed, (metric, text) => {
      for (const { max, per, ...read } of readLimits(metric, text) ?? []) {
        expect(read.metric).toBe(metric);
        expect(limitMetrics[metric]).toContain(per);
        expect(max).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ["messages", "messages"],
  ["Model-Calls", "model-calls"],
  ["modelCalls", "model-calls"],
  ["model calls", "model-calls"],
  ["tool_executions", "tool-executions"],
  ["message", undefined],
  ["constructor", undefined],
  ["", undefined],
])("the metric %j is %j", (text, metric) => {
  expect(readLimitMetric(text)).toBe(metric);
});
