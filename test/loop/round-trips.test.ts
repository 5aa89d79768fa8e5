import { describe, expect, it } from "vitest";
import type { Limit } from "../../src/core/limits.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { plainLimits } from "../limits/plain-limits.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { openScene, type Scene } from "./scene.ts";

const redis = await testDatabase();

/** As ioredis writes each of its commands. */
type Send = (
  command: { readonly promise: Promise<unknown> },
  ...rest: readonly unknown[]
) => unknown;

/** Counts how often a command is written when every earlier one has been answered. */
function watchRoundTrips(store: Store): () => number {
  const { redis: client } = store;
  const send = client.sendCommand.bind(client) as Send;
  let open = 0;
  let roundTrips = 0;
  const answered = (): void => {
    open -= 1;
  };
  const watched: Send = (command, ...rest) => {
    if (open === 0) roundTrips += 1;
    open += 1;
    command.promise.then(answered, answered);
    return send(command, ...rest);
  };
  Object.assign(client, { sendCommand: watched });
  return () => roundTrips;
}

/** The budget as a deployment has it; what it knows never grows old. */
const budgetOn = (store: Store) => plainLimits(store, { monotonic: () => 0 });

async function roundTripsOf(scene: Scene): Promise<number> {
  const roundTrips = watchRoundTrips(scene.parts.store);
  // The growing text is written by the clock: not in a turn as short as this, however slow the
  // machine is.
  scene.with({ draftIntervalMs: () => 3_600_000 });
  await scene.say("warm up");
  await scene.settle();
  await scene.say("hi");
  const before = roundTrips();
  await scene.run();
  return roundTrips() - before;
}

describe("a plain turn", () => {
  it("costs no more where there are skills, on or off", async () => {
    const skill = { name: "pdf", description: "About it.", body: "Do it.", files: new Map() };
    await using scene = await openScene({ redis, deps: { skills: () => [skill] } });
    expect(await roundTripsOf(scene)).toBe(2);
    await scene.set("skillsOff", "pdf");
    expect(await roundTripsOf(scene)).toBe(2);
  });

  it("costs two round trips in the loop, and no more where usage is counted and nothing limited", async () => {
    await using without = await openScene({ redis });
    await using counted = await openScene({ redis });
    // Counts are written by the clock: on a connection of their own they are not the turn's.
    const limits = budgetOn(storeOn(redis));
    counted.with({ budget: limits.budget });
    expect(await roundTripsOf(without)).toBe(2);
    expect(await roundTripsOf(counted)).toBe(2);
    const used = await limits.limitService.usage("everybody");
    expect(used.day.tokens).toBeGreaterThan(0);
  });

  it("costs one round trip more where its cost is limited", async () => {
    await using scene = await openScene({ redis });
    const limits = budgetOn(scene.parts.store);
    scene.with({ budget: limits.budget });
    const limit: Limit = { metric: "tokens", per: "day", max: 1_000_000 };
    await limits.limitService.set(`${process.pid}`, { kind: "global" }, [limit]);
    expect(await roundTripsOf(scene)).toBe(3);
    await limits.limitService.reset(`${process.pid}-off`, { kind: "global" }, [limit]);
  });
});
