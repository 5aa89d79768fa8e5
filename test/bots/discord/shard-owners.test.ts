import { once } from "node:events";
import { describe, expect, test } from "vitest";
import type { Leases } from "../../../src/core/ports.ts";
import { createLeases } from "../../../src/store/operations/leases.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import {
  botFor,
  connectedShards as connected,
  TestIngress,
  eventually,
  redis,
  shards,
  store,
} from "./harness.ts";

/** Leases that end as soon as their holder is dead. */
const shortLeases = (): Leases => createLeases(store, 600);

describe("a process that finds every shard taken", () => {
  test("stands by, delivers, and takes over when the other ends", async () => {
    await using discord = await DiscordServer.start();
    const ann = discord.user({ username: "ann" });
    const direct = discord.directMessage(ann);
    const ingresses = [new TestIngress(), new TestIngress()] as const;
    const first = botFor(discord, ingresses[0]);
    await first.bot.start();
    const second = botFor(discord, ingresses[1], { standByAfterMs: 1 });
    await using _ = second.bot;
    await second.bot.start();
    expect(second.logged()).toContain("is on standby");
    ann.send(direct, "one");
    await eventually(() => ingresses[0].texts()).toEqual(["one"]);
    await first.bot[Symbol.asyncDispose]();
    ann.send(direct, "two");
    await eventually(() => ingresses[1].texts()).toEqual(["two"]);
    expect(discord).toMatchObject({ identifies: 1, resumes: 1 });
    expect(discord.violations).toEqual([]);
  });

  test("takes over from one that lost its lease, and is not disturbed by it", async () => {
    await using discord = await DiscordServer.start();
    const ann = discord.user({ username: "ann" });
    const direct = discord.directMessage(ann);
    const ingresses = [new TestIngress(), new TestIngress()] as const;
    const leases = shortLeases();
    const given: AbortController[] = [];
    let isPaused = false;
    // What a process that was stopped for a while sees of its lease.
    const losing: Leases = {
      async take(name) {
        if (isPaused) return undefined;
        const lease = await leases.take(name);
        if (!lease) return undefined;
        const lost = new AbortController();
        given.push(lost);
        return {
          fence: lease.fence,
          lost: lost.signal,
          [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose](),
        };
      },
    };
    const first = botFor(discord, ingresses[0], { leases: losing });
    await using _ = first.bot;
    await first.bot.start();
    const second = botFor(discord, ingresses[1], { leases, standByAfterMs: 1 });
    await using other = second.bot;
    await other.start();
    isPaused = true;
    given.at(-1)?.abort();
    discord.gateway.disconnectAll(1006);
    await eventually(first.logged).toContain("another process has this shard");
    ann.send(direct, "after the hand-over");
    await eventually(() => ingresses.flatMap((ingress) => ingress.texts())).toContain(
      "after the hand-over",
    );
    await eventually(() => connected(discord)).toEqual(["0/1"]);
    expect(discord.identifies).toBe(1);
    expect(discord.violations).toEqual([]);
  });
});

test("a process that cannot reach Discord leaves its shard to one that can", async () => {
  await using discord = await DiscordServer.start();
  // No one listens there.
  const away = { apiRoot: "http://127.0.0.1:9/api", ...shards(1) };
  const { bot, logged } = botFor(discord, new TestIngress(), away);
  await using cutOff = bot;
  cutOff.start().catch(() => undefined);
  await eventually(logged).toContain("a shard was taken");
  const ingress = new TestIngress();
  await using other = botFor(discord, ingress, shards(1)).bot;
  await other.start();
  await eventually(() => connected(discord)).toEqual(["0/1"]);
  expect(logged()).toContain("can't reach Discord from here");
});

test("the shards are given back at the signal, not only when the bot is disposed of", async () => {
  await using discord = await DiscordServer.start();
  const stop = new AbortController();
  const { bot } = botFor(discord, new TestIngress(), { signal: stop.signal });
  await using _ = bot;
  await bot.start();
  stop.abort();
  const lease = () => createLeases(store).take(`discord:${discord.botUserId}:0`);
  await expect.poll(lease).toBeDefined();
});

test("a lease that runs out while the store is away does not end the connection", async () => {
  await using discord = await DiscordServer.start();
  const ann = discord.user({ username: "ann" });
  const direct = discord.directMessage(ann);
  const inner = createLeases(store, 300);
  const lost: Promise<unknown>[] = [];
  const leases: Leases = {
    async take(name) {
      const lease = await inner.take(name);
      if (lease) lost.push(once(lease.lost, "abort"));
      return lease;
    },
  };
  const ingress = new TestIngress();
  const { bot } = botFor(discord, ingress, { leases });
  await using _ = bot;
  await bot.start();
  redis.pause();
  await lost[0];
  ann.send(direct, "meanwhile");
  await eventually(() => ingress.texts()).toEqual(["meanwhile"]);
  redis.resume();
  await eventually(() => lost).toHaveLength(2);
  ann.send(direct, "afterwards");
  await eventually(() => ingress.texts()).toEqual(["meanwhile", "afterwards"]);
  expect([discord.identifies, discord.resumes]).toEqual([1, 0]);
  expect(discord.violations).toEqual([]);
});
