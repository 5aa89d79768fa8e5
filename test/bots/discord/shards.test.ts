import { describe, expect, test } from "vitest";
import { PermanentError } from "../../../src/core/errors.ts";
import { createGatewaySessions } from "../../../src/store/operations/gateway-sessions.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import type { Guild } from "../../emulators/discord/guild.ts";
import type { Person } from "../../emulators/discord/person.ts";
import {
  botFor,
  connectedShards as connected,
  TestIngress,
  eventually,
  shards,
  store,
} from "./harness.ts";

/** A server whose events come to this shard. */
function guildOn(
  discord: DiscordServer,
  owner: Person,
  { shard, of }: { shard: number; of: number },
): Guild {
  for (;;) {
    const guild = discord.guild({ name: "Home", owner });
    if (Number((BigInt(guild.id) >> 22n) % BigInt(of)) === shard) return guild;
  }
}

describe("several shards", () => {
  test("are one process' when it is alone, each event coming once", async () => {
    await using discord = await DiscordServer.start({ maxConcurrency: 2 });
    const ann = discord.user({ username: "ann" });
    const ingress = new TestIngress();
    const { bot } = botFor(discord, ingress, shards(2));
    await using _ = bot;
    await bot.start();
    expect(connected(discord)).toEqual(["0/2", "1/2"]);
    for (const shard of [0, 1]) {
      const guild = guildOn(discord, ann, { shard, of: 2 });
      const channel = guild.textChannel("general");
      ann.send(channel, `on ${shard}`, { mentionsBot: true });
    }
    ann.send(discord.directMessage(ann), "in private");
    await eventually(() => ingress.texts().toSorted()).toEqual(["in private", "on 0", "on 1"]);
    expect(discord.violations).toEqual([]);
  });

  test("are shared with a process that comes later, by resuming, and taken back when it goes", async () => {
    await using discord = await DiscordServer.start({ maxConcurrency: 2 });
    const ann = discord.user({ username: "ann" });
    const channel = guildOn(discord, ann, { shard: 1, of: 2 }).textChannel("x");
    const ingresses = [new TestIngress(), new TestIngress()] as const;
    const first = botFor(discord, ingresses[0], shards(2));
    await using _ = first.bot;
    await first.bot.start();
    const second = botFor(discord, ingresses[1], shards(2));
    await second.bot.start();
    expect(connected(discord)).toEqual(["0/2", "1/2"]);
    ann.send(channel, "for the second", { mentionsBot: true });
    await eventually(() => ingresses[1].texts()).toEqual(["for the second"]);
    expect(ingresses[0].arrived).toEqual([]);
    await second.bot[Symbol.asyncDispose]();
    ann.send(channel, "for the first", { mentionsBot: true });
    await eventually(() => ingresses[0].texts()).toEqual(["for the first"]);
    expect(discord).toMatchObject({ identifies: 2, resumes: 2 });
    expect(discord.violations).toEqual([]);
  });

  test("are identified one in five seconds per bucket, whichever process does it", async () => {
    await using discord = await DiscordServer.start({
      identifyIntervalMs: 5_000,
      maxConcurrency: 2,
    });
    const bots = [0, 1].map(() => botFor(discord, new TestIngress(), shards(3)).bot);
    await Promise.all(bots.map((bot) => bot.start()));
    await discord.waitFor(() => connected(discord).length === 3, {
      what: "three shards",
    });
    // One that comes too soon is refused, and does not count.
    expect(discord.identifies).toBe(3);
    expect(discord.violations).toEqual([]);
    await Promise.all(bots.map((bot) => bot[Symbol.asyncDispose]()));
  });

  test("are as many as Discord recommends; a greater number later means new sessions for all", async () => {
    await using discord = await DiscordServer.start({
      shards: 2,
      maxConcurrency: 8,
    });
    const first = botFor(discord, new TestIngress());
    const other = botFor(discord, new TestIngress());
    await Promise.all([first.bot.start(), other.bot.start()]);
    await eventually(() => connected(discord)).toEqual(["0/2", "1/2"]);
    const memory = createGatewaySessions(store, discord.botUserId);
    expect(await memory.readShardCount()).toBe(2);
    await memory.writeShardCount(3);
    await eventually(() => connected(discord)).toEqual(["0/3", "1/3", "2/3"]);
    await first.bot[Symbol.asyncDispose]();
    await other.bot[Symbol.asyncDispose]();
    expect(discord.violations).toEqual([]);
  });

  test("that are too few for Discord end the start, and it is said", async () => {
    await using discord = await DiscordServer.start({ minShards: 2 });
    const { bot } = botFor(discord, new TestIngress(), shards(1));
    await using _ = bot;
    const failure = await bot.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PermanentError);
    expect(String(failure)).toContain("discord.shards");
  });
});

test("few session starts that are left are not used up at once", async () => {
  await using discord = await DiscordServer.start({ identifyLimit: 5 });
  const stop = new AbortController();
  const { bot, logged } = botFor(discord, new TestIngress(), {
    signal: stop.signal,
  });
  const start = bot.start().catch(() => undefined);
  await eventually(logged).toContain("few of Discord's session starts are left");
  stop.abort();
  await start;
  await bot[Symbol.asyncDispose]();
  expect(discord.identifies).toBe(0);
});
