import { describe, expect, it } from "vitest";
import { clockTime, minuteOfDay, quietForMs, type QuietHours } from "../../src/core/quiet-hours.ts";

const at = (iso: string): number => Date.parse(iso);
const hours = (from: number, to: number, timezone = "Europe/Berlin"): QuietHours => ({
  fromMinute: from * 60,
  toMinute: to * 60,
  timezone,
  mode: "silent",
});
const minute = 60_000;

describe("quiet hours", () => {
  it.each<[string, QuietHours, string, number | undefined]>([
    ["in summer, one minute before", hours(22, 7), "2026-07-01T19:59Z", undefined],
    ["in summer, as they begin", hours(22, 7), "2026-07-01T20:00Z", 540],
    ["in summer, past midnight", hours(22, 7), "2026-07-02T00:00Z", 300],
    ["in summer, as they end", hours(22, 7), "2026-07-02T05:00Z", undefined],
    ["in winter, as they begin", hours(22, 7), "2026-01-01T21:00Z", 540],
    ["in winter, an hour before", hours(22, 7), "2026-01-01T20:00Z", undefined],
    ["within a day", hours(12, 14, "UTC"), "2026-01-01T13:30Z", 30],
    ["within a day, later", hours(12, 14, "UTC"), "2026-01-01T14:00Z", undefined],
    ["half an hour off", hours(0, 6, "Asia/Kolkata"), "2026-01-01T18:30Z", 360],
  ])("%s", (_, quiet, moment, minutes) => {
    expect(quietForMs(quiet, at(moment))).toBe(
      minutes === undefined ? undefined : minutes * minute,
    );
  });

  it("end with the minute, not somewhere in it", () => {
    const moment = at("2026-01-01T13:30:20.500Z");
    const left = quietForMs(hours(12, 14, "UTC"), moment);
    expect(moment + (left ?? 0)).toBe(at("2026-01-01T14:00Z"));
  });
});

it("a minute of the day is said as a clock does", () => {
  expect([0, 65, 1_439].map(clockTime)).toEqual(["00:00", "01:05", "23:59"]);
});

it("a time zone that there is not is refused", () => {
  expect(() => minuteOfDay("Europe/Nowhere", 0)).toThrow(RangeError);
});
