import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { openProbe } from "../../../src/store/embedded/probe.ts";
import type { TestRedis } from "./start-test-redis.ts";

const timeoutMs = 20_000;
const everyMs = 20;

/** Asks one server by itself, whatever it is part of. */
export async function askServer<T>(
  { url }: Pick<TestRedis, "url">,
  question: (client: Redis) => Promise<T>,
): Promise<T> {
  const client = openProbe(url);
  try {
    await client.connect();
    return await question(client);
  } finally {
    client.disconnect();
  }
}

/** Fulfils when the servers are so; one that does not answer yet is asked again. */
export async function untilServers(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  let last: unknown;
  while (performance.now() < endMs) {
    try {
      if (await holds()) return;
    } catch (error) {
      last = error;
    }
    await sleep(everyMs);
  }
  throw new Error(`${what}: not within ${timeoutMs} ms`, { cause: last });
}
