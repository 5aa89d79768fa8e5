import type { Connection } from "../../../src/store/redis/connection.ts";
import { openStore } from "../../../src/store/redis/redis.ts";
import { scanKeys } from "../../../src/store/redis/scan-keys.ts";

/** A connection of a test's own to whatever a URL names, which looks at what Parley has written. */
export const openClient = (url: string): Connection => openStore(url, () => undefined).redis;

/** Every key of a pattern once, from all the masters. */
export async function keysLike(redis: Connection, pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const key of scanKeys({ redis }, pattern)) found.add(key);
  return [...found];
}
