import { expect, it } from "vitest";
import { parseRedisUrl, secretsOfRedis, showRedisAddress } from "../../src/core/redis-address.ts";

const nobody = { username: undefined, password: undefined };
const h1 = { host: "h1", port: 7001 };

it.each<[url: string, address: object, shown: string]>([
  [
    "redis://127.0.0.1",
    {
      kind: "server",
      server: { host: "127.0.0.1", port: 6379 },
      login: nobody,
      tls: false,
      database: 0,
    },
    "redis://127.0.0.1",
  ],
  [
    "unix:///run/my%20redis/redis.sock?db=3",
    {
      kind: "socket",
      path: "/run/my redis/redis.sock",
      login: nobody,
      tls: false,
      database: 3,
    },
    "unix:///run/my redis/redis.sock",
  ],
  [
    "unix://ann:p%2Fw@/redis.sock",
    {
      kind: "socket",
      path: "/redis.sock",
      login: { username: "ann", password: "p/w" },
      tls: false,
      database: 0,
    },
    "unix:///redis.sock",
  ],
  [
    "/data/100%/redis.sock",
    {
      kind: "socket",
      path: "/data/100%/redis.sock",
      login: nobody,
      tls: false,
      database: 0,
    },
    "unix:///data/100%/redis.sock",
  ],
  [
    "rediss://us%40er:p%2Fw@[::1]:1/2?family=6",
    {
      kind: "server",
      server: { host: "::1", port: 1 },
      login: { username: "us@er", password: "p/w" },
      tls: true,
      database: 2,
    },
    "rediss://[::1]:1/2",
  ],
  [
    "redis://:p@ss@h1:7001,h2:7002,h3",
    {
      kind: "cluster",
      servers: [h1, { host: "h2", port: 7002 }, { host: "h3", port: 6379 }],
      login: { username: undefined, password: "p@ss" },
      tls: false,
    },
    "redis://h1:7001,h2:7002,h3:6379",
  ],
  [
    "rediss://h1:7001, h1:7001/0",
    { kind: "cluster", servers: [h1, h1], login: nobody, tls: true },
    "rediss://h1:7001,h1:7001",
  ],
  [
    "redis+sentinel://h1:7001,h2/my%20master",
    {
      kind: "sentinel",
      sentinels: [h1, { host: "h2", port: 26379 }],
      master: "my master",
      login: nobody,
      sentinelLogin: nobody,
      tls: false,
      database: 0,
    },
    "redis+sentinel://h1:7001,h2:26379/my%20master",
  ],
  [
    "rediss+sentinel://u:p1@h1:7001/m/3?sentinelPassword=p%262&sentinelUsername=s",
    {
      kind: "sentinel",
      sentinels: [h1],
      master: "m",
      login: { username: "u", password: "p1" },
      sentinelLogin: { username: "s", password: "p&2" },
      tls: true,
      database: 3,
    },
    "rediss+sentinel://h1:7001/m",
  ],
])("%s is read", (url, expected, shown) => {
  const reading = parseRedisUrl(url);
  if ("expected" in reading) throw new Error(reading.expected);
  expect(reading.address).toMatchObject(expected);
  expect(showRedisAddress(reading.address)).toBe(shown);
});

it("names every login of an address, as it is meant", () => {
  const reading = parseRedisUrl(
    "redis+sentinel://u:p%201@h1/m?sentinelPassword=p%262&sentinelUsername=s",
  );
  if ("expected" in reading) throw new Error(reading.expected);
  expect(secretsOfRedis(reading.address).sort()).toEqual(["p 1", "p&2", "s", "u"]);
});

it.each([
  ["", "a URL such as redis://"],
  ["localhost", "a URL such as redis://"],
  ["http://h1", "a URL such as redis://"],
  ["redis://", "a URL such as redis://"],
  ["redis://h1/name", "a URL such as redis://"],
  ["redis://h1:0", "a URL such as redis://"],
  ["redis://h1:65536", "a URL such as redis://"],
  ["redis://h1,", "a URL such as redis://"],
  ["redis://h1,h 2", "a URL such as redis://"],
  ["redis://:hush/hush@h1", "a URL such as redis://"],
  ["redis://:hush%@h1", "a URL such as redis://"],
  ["redis://:hush@h1,h2/1", "a Redis Cluster has one database"],
  ["redis://:hush@h1,h2?x=1", "no ? after the hosts"],
  ["redis+sentinel://:hush@h1", "the master's name"],
  ["redis+sentinel://:hush@h1/", "the master's name"],
  ["redis+sentinel://:hush@h1/m/x", "the master's name"],
  ["redis+sentinel://:hush@h1/%", "the master's name"],
  ["redis+sentinel://h1/m?password=hush", "nothing but sentinelPassword and sentinelUsername"],
])("%s is refused, and not repeated", (url, expected) => {
  const reading = parseRedisUrl(url);
  expect(reading).toEqual({ expected: expect.stringContaining(expected) });
  expect(JSON.stringify(reading)).not.toContain("hush");
});
