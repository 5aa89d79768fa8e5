import { describe, expect, it } from "vitest";
import { backoffMs, equalJitter } from "../../src/util/backoff.ts";

describe("backoffMs", () => {
  it("doubles with every failure up to the maximum", () => {
    const range = { firstMs: 100, maxMs: 1_000 };
    const delays = [1, 2, 3, 4, 5, 6].map((failures) => backoffMs(failures, range));
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it("stays at the maximum after more failures than a number can hold", () => {
    expect(backoffMs(5_000, { firstMs: 1, maxMs: 60_000 })).toBe(60_000);
  });
});

describe("equalJitter", () => {
  it("leaves out up to half of the delay", () => {
    expect(equalJitter(1_000, 0)).toBe(500);
    expect(equalJitter(1_000, 0.5)).toBe(750);
    expect(equalJitter(1_000, 0.999_999)).toBeCloseTo(1_000, 2);
  });
});
