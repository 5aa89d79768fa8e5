import { describe, expect, it } from "vitest";
import { defaultRetry, retryDelayMs } from "../../src/models/retry.ts";

const overloaded = { kind: "overloaded", message: "busy" } as const;

const delays = (random: number, retryAfterMs?: number): number[] =>
  [1, 2, 3].map((attempt) => {
    const failure = {
      ...overloaded,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
    const delayMs = retryDelayMs(failure, attempt, defaultRetry, () => random);
    return Math.round(delayMs ?? Number.NaN);
  });

describe("the wait before a retry", () => {
  it("is half fixed and half random", () => {
    expect(delays(0)).toEqual([250, 500, 1_000]);
    expect(delays(0.999_999)).toEqual([500, 1_000, 2_000]);
  });

  it("begins after the time that the server asked for", () => {
    expect(delays(0, 4_000)).toEqual([4_250, 4_500, 5_000]);
    expect(delays(0.999_999, 4_000)).toEqual([4_500, 5_000, 6_000]);
  });

  it("ends with the third one", () => {
    expect(retryDelayMs(overloaded, 4, defaultRetry, () => 0)).toBeUndefined();
  });
});
