import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWindow, spanOf, spansAt } from "../../src/core/limit-windows.ts";
import { windows } from "../../src/core/limits.ts";

const utc = (text: string): number => Date.parse(`${text}Z`);

describe("the window of a moment", () => {
  it.each([
    ["minute", "2026-11-22T07:59:30.123", "2026-11-22T07:59:00", "2026-11-22T08:00:00"],
    ["hour", "2026-11-22T07:59:30", "2026-11-22T07:00:00", "2026-11-22T08:00:00"],
    ["day", "2026-11-22T00:00:00", "2026-11-22T00:00:00", "2026-11-23T00:00:00"],
    ["day", "2026-11-22T23:59:59.999", "2026-11-22T00:00:00", "2026-11-23T00:00:00"],
    ["month", "2026-11-30T23:59:59", "2026-11-01T00:00:00", "2026-12-01T00:00:00"],
    ["month", "2026-12-31T12:00:00", "2026-12-01T00:00:00", "2027-01-01T00:00:00"],
    ["month", "2028-02-29T12:00:00", "2028-02-01T00:00:00", "2028-03-01T00:00:00"],
  ] as const)("a %s at %s", (window, at, start, end) => {
    expect(spanOf(window, utc(at))).toEqual({
      startMs: utc(start),
      endMs: utc(end),
    });
  });

  it("holds the moment, and the next one begins where it ends", () => {
    const moments = fc.integer({ min: 0, max: utc("2100-01-01T00:00:00") });
    fc.assert(
      fc.property(fc.constantFrom(...windows), moments, (window, atMs) => {
        const { startMs, endMs } = spanOf(window, atMs);
        expect(startMs).toBeLessThanOrEqual(atMs);
        expect(endMs).toBeGreaterThan(atMs);
        expect(spanOf(window, endMs).startMs).toBe(endMs);
        expect(spanOf(window, endMs - 1)).toEqual({ startMs, endMs });
      }),
    );
  });

  it("all windows are the same for the whole of a minute", () => {
    const moments = fc.integer({ min: 0, max: utc("2100-01-01T00:00:00") });
    fc.assert(
      fc.property(moments, (atMs) => {
        const { minute } = spansAt(atMs);
        expect(spansAt(minute.startMs)).toEqual(spansAt(minute.endMs - 1));
      }),
    );
  });
});

it("a turn is no window", () => {
  expect(windows.every(isWindow)).toBe(true);
  expect(isWindow("turn")).toBe(false);
  expect(isWindow("at-once")).toBe(false);
});
