import * as fc from "fast-check";
import { expect, test } from "vitest";
import { durationText, parseDuration } from "../../src/text/durations.ts";

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

test("what is written is read back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e13 }), (ms) => {
      expect(parseDuration(durationText(ms))).toBe(ms);
    }),
  );
});
