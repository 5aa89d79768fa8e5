import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepConnected } from "../../src/jobs/keep-connected.ts";
import { connectedForMs, createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const connectedBots = createConnectedBots(store);
const bots = ["telegram:7", "discord:8"];

beforeEach(() => store.redis.flushdb());
afterEach(() => {
  vi.useRealTimers();
});

it("bots are known as connected for a day, and no others", async () => {
  await connectedBots.note(bots);
  expect(await connectedBots.among(["discord:9", ...bots])).toEqual(bots);
  expect(await connectedBots.among([])).toEqual([]);
  expect(await connectedBots.all()).toEqual(bots.toSorted());
  for (const key of await store.redis.keys("*")) {
    const leftMs = await store.redis.pttl(key);
    expect(leftMs).toBeGreaterThan(connectedForMs - 3_600_000);
    expect(leftMs).toBeLessThanOrEqual(connectedForMs);
  }
});

/** What was noted, one list a time, and what the log says. */
function open(): {
  readonly noted: (readonly string[])[];
  readonly warned: unknown[];
  readonly kept: ReturnType<typeof keepConnected>;
} {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const noted: (readonly string[])[] = [];
  const warned: unknown[] = [];
  const kept = keepConnected({
    connectedBots: {
      ...connectedBots,
      note(which) {
        noted.push([...which]);
        return Promise.reject(new Error("no Redis"));
      },
    },
    log: { warn: (...given: unknown[]) => warned.push(given) },
  });
  return { noted, warned, kept };
}

it("a bot is noted when it is connected, and again long before a day is over, until its process ends", async () => {
  const { noted, kept } = open();
  for (const bot of bots) await kept.add(bot);
  expect(noted).toEqual([["telegram:7"], ["discord:8"]]);
  vi.advanceTimersByTime(connectedForMs / 4);
  expect(noted.length).toBeGreaterThan(4);
  expect(noted.slice(2)).toEqual(noted.slice(2).map(() => bots));
  kept[Symbol.dispose]();
  const before = noted.length;
  vi.advanceTimersByTime(connectedForMs);
  expect(noted).toHaveLength(before);
});

it("a Redis that is away is said, and keeps no bot from starting", async () => {
  const { warned, kept } = open();
  await kept.add("telegram:7");
  expect(warned).toMatchObject([[{ error: "no Redis" }, expect.any(String)]]);
  kept[Symbol.dispose]();
});
