import { describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { openClient } from "../support/redis/test-client.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const { discord } = world;
const { server } = discord;

const start = (role: "bots" | "worker", config = "") =>
  world.start({
    environment: {
      ...world.services,
      ...discord.environment,
      PARLEY_ROLE: role,
    },
    config,
  });

const texts = (chat: TestChat): string[] => chat.shown().map(({ text }) => text);

/** Each chat says its next numbers. */
function sayEach(chats: readonly TestChat[], from: number, to: number): void {
  for (let number = from; number < to; number += 1)
    for (const chat of chats) chat.say(`say ${chat.personId} number ${number}`, { mention: true });
}

/** Every number once, in order. */
async function expectAnswers(chats: readonly TestChat[], count: number): Promise<void> {
  await Promise.all(chats.map((chat) => chat.wait(`${chat.personId} number ${count - 1}`)));
  await world.delivered();
  for (const chat of chats) {
    const numbers = Array.from({ length: count }, (_, number) => number);
    const own = texts(chat).filter((text) => text.includes(chat.personId));
    expect(own).toEqual(numbers.map((number) => `${chat.personId} number ${number}`));
  }
}

const listens = ({ log }: ParleyProcess): boolean =>
  log.some(({ msg }) => msg === "a shard was taken");

/** The processes that look for free shards now; one that was killed counts for a while. */
async function looking(): Promise<readonly string[]> {
  const redis = openClient(world.redis.url);
  try {
    const key = `parley:{cfg}:discord:members:${server.botUserId}`;
    return await redis.zrange(key, "0", "-1");
  } finally {
    redis.disconnect();
  }
}

/** Fulfils when so many more processes than these look for free shards. */
async function joined(before: readonly string[], more: number): Promise<void> {
  const isNew = (member: string) => !before.includes(member);
  await expect
    .poll(async () => (await looking()).filter(isNew).length, {
      timeout: timeoutMs,
    })
    .toBe(more);
}

const connected = () => server.gateway.connectedShards.map(([shard, count]) => `${shard}/${count}`);

describe("the process that listens to Discord, killed while people write", () => {
  it("is followed by itself, then by one that stood by: nothing lost, nothing twice, in order", async () => {
    const { identifies, resumes } = server;
    const chats = [discord.direct("Ann"), discord.direct("Ben"), ...discord.group("Cleo", "Dan")];
    await using worker = await start("worker").ready();
    await using first = await start("bots").ready();
    sayEach(chats, 0, 2);
    await chats[0]?.wait("number 0");
    const before = await looking();
    await first.kill("SIGKILL");
    sayEach(chats, 2, 4);

    await using second = start("bots");
    await using third = start("bots");
    // The other one says only after 10 s that it stands by: until then it hopes for a shard that a
    // dead process held.
    await Promise.race([second.ready(), third.ready()]);
    await joined(before, 2);
    sayEach(chats, 4, 6);
    const [owner, other] = listens(second) ? [second, third] : [third, second];
    expect([listens(owner), listens(other)]).toEqual([true, false]);
    await owner.kill("SIGKILL");
    sayEach(chats, 6, 8);
    await expectAnswers(chats, 8);
    expect(server.identifies - identifies).toBe(1);
    expect(server.resumes - resumes).toBe(2);
    await worker.kill();
  });
});

describe("two shards", () => {
  it("are shared by two processes; when one dies the other has both, when it ends cleanly too", async () => {
    server.allowIdentifies(2);
    const guilds = new Map<number, readonly TestChat[]>();
    while (guilds.size < 2) {
      const chats = discord.group("Eve", "Finn");
      const [chat] = chats;
      if (chat) guilds.set(server.shardOf(chat.channel, 2), chats);
    }
    const chats = [...guilds.values()].flat();
    const config = "discord: { shards: 2 }";
    await using worker = await start("worker", config).ready();
    const bots = [start("bots", config), start("bots", config)] as const;
    await using first = await bots[0].ready();
    await using second = await bots[1].ready();
    await server.waitFor(() => connected().join() === "0/2,1/2", {
      what: "two shards",
    });
    sayEach(chats, 0, 2);
    await first.kill("SIGKILL");
    sayEach(chats, 2, 4);
    await expectAnswers(chats, 4);
    await using third = await start("bots", config).ready();
    sayEach(chats, 4, 5);
    expect(await second.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    sayEach(chats, 5, 6);
    await expectAnswers(chats, 6);
    expect(connected()).toEqual(["0/2", "1/2"]);
    await Promise.all([worker.kill(), third.kill()]);
  });
});
