import { readFileSync } from "node:fs";
import type { Redis } from "ioredis";
import { z } from "zod";

const valueSchema = z.union([z.string(), z.object({ base64: z.string() })]);
const dumpSchema = z.array(
  z.object({
    key: z.string(),
    type: z.enum(["string", "hash", "list", "zset"]),
    /** -1: it has no end. */
    ttlMs: z.number(),
    /** Of hashes and sorted sets: name, value, name, value. */
    values: z.array(valueSchema),
  }),
);

/** Times in the dumps have 13 digits and begin with these. */
const timePattern = /\b1795\d{9}\b/g;
/** The dumped moment is this long ago when it is loaded. Milliseconds. */
const agoMs = 60_000;

/**
 * Fills a Redis with what an earlier version left there when all its processes were killed, as if
 * that had been a minute ago.
 */
export async function loadStates(redis: Redis, name: string): Promise<void> {
  const file = new URL(`fixtures/${name}.json`, import.meta.url);
  const text = readFileSync(file, "utf8");
  const newest = Math.max(
    ...[...text.matchAll(timePattern)]
      .map(([time]) => Number(time))
      // What is to come lies a day ahead of it.
      .filter((time, _index, all) => time - Math.min(...all) < 3_600_000),
  );
  const shiftMs = Date.now() - agoMs - newest;
  const shifted = text.replaceAll(timePattern, (time) => String(Number(time) + shiftMs));
  for (const { key, type, ttlMs, values } of dumpSchema.parse(JSON.parse(shifted))) {
    const bytes = values.map((value) =>
      typeof value === "string" ? Buffer.from(value) : Buffer.from(value.base64, "base64"),
    );
    switch (type) {
      case "string":
        await redis.set(key, bytes[0] ?? "");
        break;
      case "hash":
        await redis.hset(key, ...bytes);
        break;
      case "list":
        await redis.rpush(key, ...bytes);
        break;
      case "zset":
        await redis.zadd(key, ...pairsSwapped(bytes));
        break;
    }
    if (ttlMs > 0) await redis.pexpire(key, ttlMs);
  }
}

/** Member, score → score, member. */
const pairsSwapped = (flat: readonly Buffer[]): Buffer[] =>
  flat.flatMap((each, index) => (index % 2 === 0 ? [flat[index + 1] ?? each, each] : []));
