import { describe, expect, it, vi } from "vitest";
import { aborted, unlessAborted, UntilAborted, untilAborted } from "../../src/util/abort.ts";

const reason = new Error("the end");
const never = new Promise<string>(() => undefined);

/** An aborter that knows how many listeners its signal has. */
function aborter() {
  const controller = new AbortController();
  const { signal } = controller;
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const listeners = () => added.mock.calls.length - removed.mock.calls.length;
  return { signal, listeners, abort: () => controller.abort(reason) };
}

const settle = async (race: Promise<unknown>) => (await Promise.allSettled([race]))[0];

for (const { name, race, outcome } of [
  {
    name: "untilAborted",
    race: untilAborted<string>,
    outcome: { status: "fulfilled", value: undefined },
  },
  {
    name: "unlessAborted",
    race: unlessAborted<string>,
    outcome: { status: "rejected", reason },
  },
])
  describe(name, () => {
    it("settles with the promise and leaves no listener", async () => {
      const { signal, listeners } = aborter();
      const failure = new Error("failed");
      expect(await settle(race(Promise.resolve("done"), signal))).toEqual({
        status: "fulfilled",
        value: "done",
      });
      expect(await settle(race(Promise.reject(failure), signal))).toEqual({
        status: "rejected",
        reason: failure,
      });
      expect(listeners()).toBe(0);
    });

    it("settles when the signal aborts, or had aborted before", async () => {
      const { signal, listeners, abort } = aborter();
      const running = settle(race(never, signal));
      abort();
      expect(await running).toEqual(outcome);
      expect(await settle(race(never, signal))).toEqual(outcome);
      expect(listeners()).toBe(0);
    });

    it("observes a promise that fails after the abort", async () => {
      const { signal, abort } = aborter();
      const { promise, reject } = Promise.withResolvers<string>();
      const running = settle(race(promise, signal));
      abort();
      expect(await running).toEqual(outcome);
      reject(new Error("too late")); // Would fail the test if it were unhandled.
      await new Promise(setImmediate);
    });
  });

describe("UntilAborted", () => {
  it("waits for a series of promises with one listener", async () => {
    const { signal, listeners, abort } = aborter();
    {
      using until = new UntilAborted(signal);
      expect(await until.wait(Promise.resolve(1))).toBe(1);
      expect(await until.wait(Promise.resolve(2))).toBe(2);
      expect(listeners()).toBe(1);
      const last = until.wait(never);
      abort();
      expect(await last).toBeUndefined();
      expect(await until.wait(never)).toBeUndefined();
    }
    expect(listeners()).toBe(0);
  });
});

describe("aborted", () => {
  it("fulfils when the signal aborts, or had aborted before", async () => {
    const { signal, abort } = aborter();
    const running = aborted(signal);
    const pause = new Promise((resolve) => setImmediate(resolve, "waiting"));
    expect(await Promise.race([running, pause])).toBe("waiting");
    abort();
    await running;
    await aborted(signal);
  });
});
