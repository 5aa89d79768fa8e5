import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createLeases } from "../../../src/store/operations/leases.ts";
import { configKey } from "../../../src/store/keys.ts";
import { processPlace, processStart } from "../../../src/store/operations/process-identity.ts";
import { testDatabase, startTestRedis } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const other = storeOn(server);

describe("a lease", () => {
  it("has one holder, no matter who asks", async () => {
    const held = await createLeases(store).take("one");
    expect(held).toBeDefined();
    expect(await createLeases(other).take("one")).toBeUndefined();
    expect(await createLeases(store).take("one")).toBeUndefined();
    expect(held?.lost.aborted).toBe(false);
    await held?.[Symbol.asyncDispose]();
  });

  it("goes to the next one when it is given back, with a greater fence", async () => {
    const fences: number[] = [];
    for (const each of [store, other, store]) {
      await using held = await createLeases(each).take("two");
      fences.push(held?.fence ?? 0);
    }
    expect(fences).toEqual([1, 2, 3]);
  });

  it("stays with a holder that renews it, for longer than it lasts", async () => {
    await using held = await createLeases(store, 150).take("three");
    const key = configKey("lease:three");
    const first = Number(await store.redis.hget(key, "until"));
    await expect
      .poll(async () => Number(await store.redis.hget(key, "until")))
      .toBeGreaterThan(first + 150);
    expect(held?.lost.aborted).toBe(false);
    expect(await createLeases(other).take("three")).toBeUndefined();
  });

  it("is lost by a holder that another one has replaced", async () => {
    const held = await createLeases(store, 300).take("four");
    await store.redis.hset(configKey("lease:four"), "owner", "somebody");
    if (held && !held.lost.aborted) await once(held.lost, "abort");
    expect(held?.lost.aborted).toBe(true);
    // What is lost is not given back: it is someone else's.
    await held?.[Symbol.asyncDispose]();
    expect(await store.redis.hget(configKey("lease:four"), "owner")).toBe("somebody");
  });

  it("is taken over at once from a process that died here, from no other", async () => {
    const child = spawn("sleep", ["60"]);
    const pid = child.pid ?? 0;
    const here = await processPlace();
    const start = await processStart(pid);
    const leaveBehind = async (place: string, began: string | undefined) => {
      await store.redis.hset(configKey("lease:six"), {
        owner: "somebody",
        until: Date.now() + 60_000,
        process: JSON.stringify([place, pid, began]),
      });
    };
    const leases = createLeases(store);
    await leaveBehind(here, start);
    expect(await leases.take("six")).toBeUndefined();
    child.kill("SIGKILL");
    await once(child, "exit");
    await leaveBehind("elsewhere", start);
    expect(await leases.take("six")).toBeUndefined();
    await leaveBehind(here, start);
    await using held = await leases.take("six");
    expect(held).toBeDefined();
  });

  it("is lost while Redis does not answer, before anybody else could have it", async () => {
    await using paused = await startTestRedis();
    const held = await createLeases(storeOn(paused), 200).take("five");
    paused.pause();
    if (held && !held.lost.aborted) await once(held.lost, "abort");
    paused.resume();
    const after = storeOn(paused).redis;
    const owner = () => after.hget(configKey("lease:five"), "owner");
    await expect.poll(owner).toBeNull();
    // A renewal that was on its way gives back what it comes too late for.
    const others = createLeases(storeOn(paused), 60_000);
    await expect.poll(async () => (await others.take("five"))?.fence).toBe(2);
  });
});
