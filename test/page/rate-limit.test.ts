import { expect, it } from "vitest";
import { RateLimit } from "../../src/page/rate-limit.ts";

it("counts each name apart, until the minute is over", () => {
  const limit = new RateLimit({ perName: 2, total: 100 });
  expect([1, 2, 3].map((nowMs) => limit.isExceededBy("a", nowMs))).toEqual([false, false, true]);
  expect(limit.isExceededBy("b", 4)).toBe(false);
  expect(limit.isExceededBy("a", 60_000)).toBe(true);
  expect(limit.isExceededBy("a", 60_001)).toBe(false);
});

it("counts all together, and remembers no more than 10,000 names", () => {
  const limit = new RateLimit({ perName: 1, total: 10_002 });
  for (let name = 0; name < 10_000; name += 1) expect(limit.isExceededBy(`${name}`, 0)).toBe(false);
  // Not remembered: they count in total only.
  expect(limit.isExceededBy("more", 0)).toBe(false);
  expect(limit.isExceededBy("more", 0)).toBe(false);
  expect(limit.isExceededBy("others", 0)).toBe(true);
});
