import { describe, expect, it } from "vitest";
import { sleep, sleepUnref } from "../../src/util/sleep.ts";

const longMs = 60_000;

/** Those that keep the process running. */
const timers = () => process.getActiveResourcesInfo().filter((type) => type === "Timeout");

describe.for([
  ["sleep", sleep],
  ["sleepUnref", sleepUnref],
] as const)("%s", ([, pause]) => {
  it("fulfils after the time", async () => {
    const beganMs = performance.now();
    await expect(pause(20)).resolves.toBeUndefined();
    // A timer may fire a millisecond early by this clock.
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(18);
  });

  it("rejects when the signal aborts, or had aborted before", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const reason = new Error("the end");
    const aborted = { name: "AbortError", cause: reason };
    const running = pause(longMs, signal);
    controller.abort(reason);
    await expect(running).rejects.toMatchObject(aborted);
    await expect(pause(longMs, signal)).rejects.toMatchObject(aborted);
  });
});

describe("a pending timer", () => {
  it("keeps the process running only if it should", async () => {
    const controller = new AbortController();
    const before = timers().length;
    const unreferenced = sleepUnref(longMs, controller.signal);
    expect(timers()).toHaveLength(before);
    const referenced = sleep(longMs, controller.signal);
    expect(timers()).toHaveLength(before + 1);
    controller.abort();
    await Promise.allSettled([unreferenced, referenced]);
    expect(timers()).toHaveLength(before);
  });
});
