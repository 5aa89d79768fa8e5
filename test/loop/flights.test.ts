import { describe, expect, it } from "vitest";
import type { Limit } from "../../src/core/limits.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { plainLimits } from "../limits/plain-limits.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openScene, type Scene } from "./scene.ts";

const redis = await testDatabase();

/** As ioredis writes each of its commands. */
type Send = (
  command: { readonly promise: Promise<unknown> },
  ...rest: readonly unknown[]
) => unknown;

/** Counts how often a command is written when every earlier one has been answered. */
function watchFlights(store: Store): () => number {
  const { redis: client } = store;
  const send = client.sendCommand.bind(client) as Send;
  let open = 0;
  let flights = 0;
  const answered = (): void => {
    open -= 1;
  };
  const watched: Send = (command, ...rest) => {
    if (open === 0) flights += 1;
    open += 1;
    command.promise.then(answered, answered);
    return send(command, ...rest);
  };
  Object.assign(client, { sendCommand: watched });
  return () => flights;
}

/** The budget as a deployment has it, on the scene's own connection; what it knows never grows old. */
const budgetOn = (store: Store) => plainLimits(store, { monotonic: () => 0 });

async function flightsOf(scene: Scene): Promise<number> {
  const flights = watchFlights(scene.parts.store);
  // The growing text is written by the clock: not in a turn as short as this, however slow the machine is.
  scene.with({ draftIntervalMs: () => 3_600_000 });
  await scene.say("warm up");
  await scene.settle();
  await scene.say("hi");
  const before = flights();
  await scene.run();
  return flights() - before;
}

describe("a plain turn", () => {
  it("costs two flights in the loop, and no more where usage is counted and nothing limited", async () => {
    await using without = await openScene({ redis });
    await using counted = await openScene({ redis });
    const limits = budgetOn(counted.parts.store);
    counted.with({ budget: limits.budget });
    expect(await flightsOf(without)).toBe(2);
    expect(await flightsOf(counted)).toBe(2);
    const used = await limits.desk.usage("everybody");
    expect(used.day.tokens).toBeGreaterThan(0);
  });

  it("costs one flight more where its cost is limited", async () => {
    await using scene = await openScene({ redis });
    const limits = budgetOn(scene.parts.store);
    scene.with({ budget: limits.budget });
    const limit: Limit = { metric: "tokens", per: "day", max: 1_000_000 };
    await limits.desk.set(`${process.pid}`, { kind: "global" }, [limit]);
    expect(await flightsOf(scene)).toBe(3);
    await limits.desk.reset(`${process.pid}-off`, { kind: "global" }, [limit]);
  });
});
