import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { minGapMs } from "../../src/core/schedule.ts";
import { jitterMs, maxJitterMs, nextRun } from "../../src/text/next-run.ts";
import { timingProblem } from "../../src/text/when.ts";

const at = (iso: string): number => Date.parse(iso);
const cron = (rule: string) => ({ type: "cron", rule }) as const;
const nextOf = (rule: string, zone: string, from: string) => {
  const next = nextRun(cron(rule), zone, at(from));
  return next === undefined ? undefined : new Date(next).toISOString();
};

describe("the next slot", () => {
  it.each([
    ["30 2 * * *", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T01:00:00.000Z"],
    ["30 2 * * *", "Europe/Berlin", "2027-03-28T01:00:00Z", "2027-03-29T00:30:00.000Z"],
    ["30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00.000Z"],
    ["30 2 * * *", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00.000Z"],
    ["0 9 * * 1-5", "America/New_York", "2026-11-27T15:00:00Z", "2026-11-30T14:00:00.000Z"],
    ["0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
    ["0 0 30 2 *", "UTC", "2026-01-01T00:00:00Z", undefined],
  ])("of %s in %s after %s is %s", (rule, zone, from, next) => {
    expect(nextOf(rule, zone, from)).toBe(next);
  });

  it("is the same however often and in whatever order it is asked for", () => {
    const moments = fc.integer({ min: at("2026-01-01"), max: at("2028-01-01") });
    fc.assert(
      fc.property(fc.array(moments, { minLength: 2, maxLength: 8 }), (asked) => {
        const rule = "15 */6 * * *";
        const first = asked.map((afterMs) => nextRun(cron(rule), "Europe/Berlin", afterMs));
        const again = asked.toReversed().map((ms) => nextRun(cron(rule), "Europe/Berlin", ms));
        expect(again.toReversed()).toEqual(first);
        for (const [index, ms] of asked.entries()) expect(first[index]).toBeGreaterThan(ms);
      }),
    );
  });

  it("of a moment is that moment, once; of an interval a multiple of it", () => {
    expect(nextRun({ type: "at", atMs: 5 }, "UTC", 4)).toBe(5);
    expect(nextRun({ type: "at", atMs: 5 }, "UTC", 5)).toBeUndefined();
    const every = { type: "every", everyMs: 100, fromMs: 50 } as const;
    expect(nextRun(every, "UTC", 10)).toBe(150);
    expect(nextRun(every, "UTC", 150)).toBe(250);
    expect(nextRun(every, "UTC", 1_049)).toBe(1_050);
  });
});

describe("a timing", () => {
  const nowMs = at("2026-11-24T00:00:00Z");
  it.each([
    [cron("0 9 * * 1-5"), "Europe/Berlin", undefined],
    [cron("*/5 * * * *"), "UTC", undefined],
    [cron("*/4 * * * *"), "UTC", "often"],
    [cron("0,3 9 * * *"), "UTC", "often"],
    [cron("0 0 30 2 *"), "UTC", "never"],
    [cron("61 * * * *"), "UTC", "impossible"],
    [cron("0 0 9 * * *"), "UTC", "impossible"],
    [cron(""), "UTC", "impossible"],
    [cron("0 9 * * *"), "Mars/Olympus", "impossible"],
    [{ type: "at", atMs: nowMs - 1 }, "UTC", "past"],
    [{ type: "at", atMs: nowMs }, "UTC", "soon"],
    [{ type: "at", atMs: Number.NaN }, "UTC", "impossible"],
    [{ type: "at", atMs: nowMs + 1 }, "UTC", "soon"],
    [{ type: "at", atMs: nowMs + 5_000 }, "UTC", undefined],
    [{ type: "every", everyMs: minGapMs - 1, fromMs: 0 }, "UTC", "often"],
    [{ type: "every", everyMs: minGapMs, fromMs: 0 }, "UTC", undefined],
  ] as const)("%j in %s: %s", (timing, zone, problem) => {
    expect(timingProblem(timing, { zone, nowMs })).toBe(problem);
  });
});

it("jitter is always the same, and spread over its range", () => {
  const all = Array.from({ length: 6_000 }, (_, index) => jitterMs(`telegram:1:${index}/abc123`));
  expect(jitterMs("telegram:1:7/abc123")).toBe(all[7]);
  const perTenth = Object.groupBy(all, (ms) => Math.floor(ms / (maxJitterMs / 10)));
  for (let tenth = 0; tenth < 10; tenth += 1)
    expect(Math.abs((perTenth[tenth]?.length ?? 0) - 600)).toBeLessThan(200);
});
