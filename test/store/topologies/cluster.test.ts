import { Cluster } from "ioredis";
import { afterAll, expect, it } from "vitest";
import { RetryableError } from "../../../src/core/errors.ts";
import { UnsuitableRedisError } from "../../../src/store/redis/check-server.ts";
import { connectOnce } from "../../../src/store/redis/connect-once.ts";
import { createLimitCounters } from "../../../src/store/limits/limit-counters.ts";
import { listenForStops } from "../../../src/store/turns/stop-listener.ts";
import { createInbox, stopChannel } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { sweep } from "../../../src/store/turns/sweep.ts";
import { askServer } from "../../support/redis/ask-server.ts";
import { keysLike } from "../../support/redis/test-client.ts";
import { clusterPort, startTestCluster } from "../../support/redis/test-cluster.ts";
import { startTestRedis } from "../../support/redis/test-redis.ts";
import { message, newChat } from "../support.ts";
import { connected, listening, shardKeys, whyWaiting } from "./support.ts";

// A server that is restarted keeps what it has accepted.
const cluster = await startTestCluster({ appendOnly: "always" });
afterAll(() => cluster[Symbol.asyncDispose]());
const [first, second, third] = cluster.masters;
if (!first || !second || !third) throw new Error("three masters");

const fill = (store: Store) => Promise.all(shardKeys.map((key) => store.redis.set(key, key)));

const setThirdPolicy = (policy: string) =>
  askServer(third, (client) => client.config("SET", "maxmemory-policy", policy));

it("is recognised behind the address of any one of its servers", async () => {
  const { log, lines } = listening();
  const { redis } = await connected(third.url, { log, lines });
  expect(redis).toBeInstanceOf(Cluster);
  expect(lines).toEqual([]);
  using once = await connectOnce(second.url);
  expect(once.redis).toBeInstanceOf(Cluster);
  await expect(connectOnce(`${first.url}/1`)).rejects.toThrow(
    "which has one database: remove /1 from REDIS_URL",
  );
});

it("is found as long as one of the servers in the URL answers", async () => {
  const { redis } = await connected(`redis://nowhere.invalid:1,127.0.0.1:${second.port}`);
  expect(await redis.ping()).toBe("PONG");
});

it("is refused where a single master is unfit, or no cluster", async () => {
  await using alone = await startTestRedis();
  await expect(connected(`${alone.url},127.0.0.1:${first.port}`)).rejects.toThrow(
    `must belong to one Redis Cluster, but 127.0.0.1:${alone.port} is a Redis by itself`,
  );
  await setThirdPolicy("allkeys-lru");
  try {
    const refused = connected(cluster.url);
    await expect(refused).rejects.toBeInstanceOf(UnsuitableRedisError);
    await expect(refused).rejects.toThrow("maxmemory-policy is allkeys-lru");
  } finally {
    await setThirdPolicy("noeviction");
  }
});

it("is swept where it answers, while one of its masters hangs", async () => {
  const store = await connected(cluster.url);
  const chats = Array.from({ length: 60 }, () => newChat());
  const wanted = new Set(chats.map((chat) => `in:${chat}`));
  const found = async () =>
    (await sweep(store, 0)).due.filter(({ member }) => wanted.has(member)).length;
  const forget = () =>
    Promise.all(chats.map((chat) => store.redis.zadd(chatKeys(chat).wake, "1", `in:${chat}`)));
  await forget();
  expect(await found()).toBe(chats.length);
  await forget();
  second.pause();
  try {
    const some = await found();
    expect(some).toBeGreaterThan(0);
    expect(some).toBeLessThan(chats.length);
  } finally {
    second.resume();
  }
});

it("keeps its keys on all masters, and all of them are scanned", async () => {
  const store = await connected(cluster.url);
  await fill(store);
  const held = await Promise.all(
    cluster.masters.map((master) =>
      askServer(master, async (client) => await client.keys("parley:*:test")),
    ),
  );
  expect(held.every((keys) => keys.length > 0)).toBe(true);
  const found = await keysLike(store.redis, "parley:*:test");
  expect(found.sort()).toEqual(shardKeys.toSorted());
});

it("runs our scripts on whichever master has the chat", async () => {
  const inbox = createInbox(await connected(cluster.url));
  const chats = Array.from({ length: 40 }, () => newChat());
  const append = () => Promise.all(chats.map((chat) => inbox.append(chat, message("m1"))));
  expect(new Set(await append())).toEqual(new Set(["accepted"]));
  // As after a failover to a server that has never seen the scripts.
  await Promise.all(
    cluster.masters.map((master) => askServer(master, (client) => client.script("FLUSH"))),
  );
  expect(new Set(await append())).toEqual(new Set(["duplicate"]));
});

it("counts people of many chats together, in one slot", async () => {
  const counters = createLimitCounters(await connected(cluster.url));
  const counts = Array.from({ length: 40 }, (_, index) => ({
    type: "message" as const,
    names: {
      person: `telegram:${index}`,
      chat: newChat(),
      platform: "telegram",
      global: "all",
    },
    countedAs: "m1",
  }));
  await counters.add(counts);
  expect((await counters.usage("global", "all")).day.messages).toBe(40);
});

it("has every command wait for a master that is away, and says so once", async () => {
  const { log, lines } = listening();
  const store = await connected(cluster.url, { log, lines });
  await fill(store);
  await second.kill();
  // Some of them are for the dead one, again and again until it is back.
  const writing = Promise.all(shardKeys.map((key) => store.redis.append(key, "!")));
  await expect(keysLike(store.redis, "*")).rejects.toBeInstanceOf(RetryableError);
  await expect.poll(() => lines).toHaveLength(1);
  await second.restart();
  await writing;
  const values = await Promise.all(shardKeys.map((key) => store.redis.get(key)));
  expect(values).toEqual(shardKeys.map((key) => `${key}!`));
  expect(lines).toEqual([
    expect.stringMatching(
      `^Can't use Redis at redis://127.0.0.1:${second.port}: .*\\. Trying again\\.$`,
    ),
    `Redis at redis://127.0.0.1:${second.port} is back`,
  ]);
});

it("has every command wait when all masters are away", async () => {
  const { log, lines } = listening();
  const store = await connected(cluster.url, { log, lines });
  const heard: string[] = [];
  using stops = await listenForStops(store.redis);
  stops.onStop("telegram:1:2", () => heard.push("stop"));
  await fill(store);
  await cluster.kill();
  const writing = Promise.all(shardKeys.map((key) => store.redis.append(key, "!")));
  await expect.poll(() => lines.some((line) => line.includes(","))).toBe(true);
  expect(await whyWaiting(first.url)).toContain("nothing is listening there");
  await cluster.restart();
  await writing;
  expect(new Set(await Promise.all(shardKeys.map((key) => store.redis.strlen(key))))).toEqual(
    new Set(shardKeys.map((key) => key.length + 1)),
  );
  await expect.poll(() => lines.at(-1)).toMatch(/is back$/);
  // The subscription has come back as well.
  await expect
    .poll(
      async () => {
        await store.redis.publish(stopChannel, "telegram:1:2");
        return heard.length > 0;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
});

it("waits for a cluster that is not complete, and says what is missing", async () => {
  await using alone = await startTestRedis({
    args: ["--cluster-enabled", "yes"],
    port: await clusterPort(),
  });
  expect(await whyWaiting(alone.url)).toContain("nobody serves 16384 of the cluster's 16384 slots");
  await askServer(alone, (client) => client.cluster("ADDSLOTS", ...Array(16_384).keys()));
  expect(await whyWaiting(alone.url)).toContain("set its cluster-announce-ip");
});
