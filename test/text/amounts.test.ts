import { expect, test } from "vitest";
import { parseCount, parseUsd } from "../../src/text/amounts.ts";

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
