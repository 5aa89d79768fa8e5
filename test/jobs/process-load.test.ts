import { expect, it } from "vitest";
import { measureLoad, type ProcessLoad } from "../../src/jobs/process-load.ts";

/** Wide bounds: other tests use the same processor. Milliseconds. */
const blockedMs = 300;
const idleMs = 200;

it("measures how long the event loop was blocked since the last reading", async () => {
  using load = measureLoad();
  const blocking = setInterval(() => {
    const untilMs = performance.now() + blockedMs;
    while (performance.now() < untilMs);
  }, 2 * blockedMs);
  let read: ProcessLoad | undefined;
  try {
    await expect.poll(() => (read = load.read()).lagP99Ms).toBeGreaterThan(idleMs);
  } finally {
    clearInterval(blocking);
  }
  expect(read?.busy).toBeGreaterThan(0);
  expect(read?.busy).toBeLessThanOrEqual(1);
  expect(read?.memoryBytes).toBeGreaterThan(1_000_000);
  // What was blocked before is in no later reading: one of many is enough.
  await expect.poll(() => load.read().lagP99Ms).toBeLessThan(idleMs);
});
