import { expect, it } from "vitest";
import { measureLoad, type ProcessLoad } from "../../src/jobs/process-load.ts";

it("measures how long the event loop was blocked since the last reading", async () => {
  using load = measureLoad();
  const blocking = setInterval(() => {
    const untilMs = performance.now() + 60;
    while (performance.now() < untilMs);
  }, 100);
  const rarely = { interval: 500, timeout: 10_000 };
  let read: ProcessLoad | undefined;
  try {
    await expect.poll(() => (read = load.read()).lagP99Ms, rarely).toBeGreaterThan(30);
  } finally {
    clearInterval(blocking);
  }
  expect(read?.busy).toBeGreaterThan(0);
  expect(read?.busy).toBeLessThanOrEqual(1);
  expect(read?.memoryBytes).toBeGreaterThan(1_000_000);
  await expect.poll(() => load.read().lagP99Ms, rarely).toBeLessThan(30);
});
