import { expect, test } from "vitest";
import { parseCount, parseUsd } from "../../src/config/amounts.ts";
import { parseDuration } from "../../src/config/durations.ts";
import { nearest } from "../../src/config/nearest.ts";
import { mask } from "../../src/config/problems.ts";
import { parseLimit, type LimitMetric } from "../../src/config/rates.ts";

test.each([
  ["700ms", 700],
  ["15m", 900_000],
  ["1.5h", 5_400_000],
  ["1h30m", 5_400_000],
  ["1h 30m", 5_400_000],
  ["24h", 86_400_000],
  ["90d", 7_776_000_000],
  ["2w", 1_209_600_000],
  [" 5s ", 5_000],
  ["15", undefined],
  ["", undefined],
  ["m", undefined],
  ["-5m", undefined],
  ["5 minutes", undefined],
  ["5m!", undefined],
  [`${"9".repeat(400)}d`, undefined],
])("the duration %j is %j ms", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each([
  ["0", 0],
  ["200", 200],
  ["32k", 32_000],
  ["1.5m", 1_500_000],
  ["2M", 2_000_000],
  ["1_000", 1_000],
  ["1.5", undefined],
  ["1.2345k", undefined],
  ["-1", undefined],
  ["k", undefined],
  ["9".repeat(20), undefined],
])("the count %j is %j", (text, expected) => {
  expect(parseCount(text)).toBe(expected);
});

test.each([
  ["5usd", 5],
  ["$5", 5],
  ["0.50 usd", 0.5],
  ["3", 3],
  ["5eur", undefined],
  ["-5usd", undefined],
  ["", undefined],
])("the money %j is %j US dollars", (text, expected) => {
  expect(parseUsd(text)).toBe(expected);
});

test.each<[LimitMetric, string, number, string]>([
  ["messages", "20/min", 20, "minute"],
  ["messages", "20 / minute", 20, "minute"],
  ["messages", "500/day", 500, "day"],
  ["messages", "500 messages per day", 500, "day"],
  ["messages", "30", 30, "day"],
  ["tokens", "200k tokens/day", 200_000, "day"],
  ["tokens", "1m/month", 1_000_000, "month"],
  ["cost", "5usd/day", 5, "day"],
  ["cost", "$0.5/h", 0.5, "hour"],
  ["cost", "100usd/month", 100, "month"],
])("the limit of %s %j is %j per %s", (metric, text, max, per) => {
  expect(parseLimit(metric, text)).toEqual({ metric, max, per });
});

test.each<[LimitMetric, string]>([
  ["messages", "20/fortnight"],
  ["messages", "20/constructor"],
  ["messages", "20/min/day"],
  ["messages", "/min"],
  ["messages", "5usd/day"],
  ["tokens", "200k messages/day"],
  ["cost", "200 tokens/day"],
  ["cost", ""],
])("%s %j is no limit", (metric, text) => {
  expect(parseLimit(metric, text)).toBeUndefined();
});

test.each([
  ["maxModelCall", "maxModelCalls"],
  ["MAXMODELCALLS", "maxModelCalls"],
  ["deadlin", "deadline"],
  ["zebra", undefined],
  ["x".repeat(10_000), undefined],
])("the nearest key to %j is %j", (word, expected) => {
  expect(nearest(word, ["maxModelCalls", "deadline"])).toBe(expected);
});

test.each([
  "redis://user:pa55word@host:6379/0",
  "redis://:pa55/word@host",
  "redis://:pa55#word@host",
  "redis://:pa55word",
  ":pa55word@host:6379",
  "https://api.example/v1?key=pa55word",
  "123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-pa55word",
  "sk-proj-0123456789pa55word",
  "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4pa55word",
])("the secret in %j is masked", (text) => {
  expect(mask(text)).not.toContain("word");
  expect(mask(text)).toContain("***");
});

test.each(["http://127.0.0.1:11434", "what now?", "files.*"])(
  "%j has no secret and stays as it is",
  (text) => {
    expect(mask(text)).toBe(text);
  },
);
