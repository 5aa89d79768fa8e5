import { afterAll, expect, it } from "vitest";
import { answers } from "../../../src/store/redis/answers.ts";
import { parseRedisUrl, type RedisAddress } from "../../../src/core/redis-address.ts";
import { openConnection } from "../../../src/store/redis/connection.ts";
import { startTestRedis } from "../../support/redis/test-redis.ts";

const server = await startTestRedis();
afterAll(() => server[Symbol.asyncDispose]());

function addressOf(url: string): RedisAddress {
  const reading = parseRedisUrl(url);
  if ("expected" in reading) throw new Error(reading.expected);
  return reading.address;
}

it("a silent connection is replaced, and what waits is not lost", async () => {
  const redis = openConnection(addressOf(server.url), 300);
  redis.on("error", () => undefined);
  expect(await answers(redis, 100)).toBe(false);
  const before = await redis.client("ID");
  expect(await answers(redis, 5_000)).toBe(true);
  server.pause();
  expect(await answers(redis, 100)).toBe(false);
  const written = redis.set("key", "value");
  await expect.poll(() => redis.status).not.toBe("ready");
  server.resume();
  expect(await written).toBe("OK");
  expect(await redis.client("ID")).not.toBe(before);
  expect(await answers(redis, 5_000)).toBe(true);
  redis.disconnect();
  expect(await answers(redis, 100)).toBe(false);
});
