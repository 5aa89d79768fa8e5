import { expect, it } from "vitest";
import { sharedReading } from "../../src/page/shared-reading.ts";

it("is read once for all that ask within its age, and again for who wants the newest", async () => {
  let [reads, nowMs] = [0, 0];
  const reading = sharedReading(
    () => Promise.resolve((reads += 1)),
    () => nowMs,
  );
  expect(await Promise.all([reading(1_000), reading(1_000)])).toEqual([1, 1]);
  nowMs = 999;
  expect(await reading(1_000)).toBe(1);
  expect(await reading(0)).toBe(2);
  nowMs = 1_998;
  expect(await reading(1_000)).toBe(2);
  nowMs = 1_999;
  expect(await reading(1_000)).toBe(3);
});
