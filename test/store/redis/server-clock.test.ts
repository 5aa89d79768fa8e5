import { afterEach, describe, expect, it, vi } from "vitest";
import { ServerClock } from "../../../src/store/redis/server-clock.ts";

const secondMs = 1_000;
const hourMs = 3_600_000;
/** By Redis' clock, when the machine's monotonic one shows 0. */
const startMs = 1_795_000_000_000;

/** A machine and a Redis, `lagMs` away in each direction. */
function setup() {
  let monotonicMs = 0;
  let server = startMs;
  let reads = 0;
  let lagMs = 0;
  let isAway = false;
  const pass = (ms: number): void => {
    monotonicMs += ms;
    server += ms;
  };
  const clock = new ServerClock(
    () => {
      reads += 1;
      if (isAway) return Promise.reject(new Error("away"));
      pass(lagMs);
      const seconds = Math.floor(server / secondMs);
      const time = [seconds, (server % secondMs) * 1_000];
      pass(lagMs);
      return Promise.resolve(time);
    },
    () => monotonicMs,
  );
  return {
    clock,
    pass,
    reads: () => reads,
    lag: (ms: number) => void (lagMs = ms),
    away: (is: boolean) => void (isAway = is),
    setServer: (ms: number) => void (server += ms),
    serverMs: () => server,
  };
}

/** What was asked for in the background has been answered. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  vi.useRealTimers();
});

describe("Redis' clock, as a process knows it", () => {
  it("goes on by the monotonic clock, whatever the machine's own is set to", async () => {
    const { clock, pass, serverMs } = setup();
    await clock.read();
    for (const offMs of [-hourMs, 0, hourMs]) {
      vi.useFakeTimers({ now: startMs + offMs, toFake: ["Date"] });
      pass(1_234);
      expect(clock.now()).toBe(serverMs());
    }
  });

  it("is the machine's own before it was read", () => {
    vi.useFakeTimers({ now: startMs - hourMs, toFake: ["Date"] });
    expect(setup().clock.now()).toBe(startMs - hourMs);
  });

  it("is never off by more than the best reply took, however slow the others are", async () => {
    const { clock, lag, serverMs } = setup();
    lag(1);
    await clock.read();
    for (const lagMs of [500, 3_000, 2]) {
      lag(lagMs);
      await clock.read();
      expect(Math.abs(clock.now() - serverMs())).toBeLessThanOrEqual(1);
    }
  });

  it("follows where it is set, or another server takes its place", async () => {
    const { clock, setServer, serverMs } = setup();
    await clock.read();
    for (const byMs of [-hourMs, hourMs, 600_000]) {
      setServer(byMs);
      await clock.read();
      expect(clock.now()).toBe(serverMs());
    }
  });

  it("is read again in the background when the last reading is old, once at a time", async () => {
    const { clock, pass, reads, setServer, serverMs } = setup();
    await clock.read();
    clock.refresh();
    expect(reads()).toBe(1);
    pass(10_000);
    setServer(-hourMs);
    clock.refresh();
    clock.refresh();
    expect(reads()).toBe(2);
    await settled();
    expect(clock.now()).toBe(serverMs());
  });

  it("keeps its last reading while Redis is away, and tries again", async () => {
    const { clock, pass, reads, away, serverMs } = setup();
    await clock.read();
    away(true);
    pass(20_000);
    clock.refresh();
    await settled();
    expect(clock.now()).toBe(serverMs());
    away(false);
    clock.refresh();
    await settled();
    expect(reads()).toBe(3);
  });
});
