import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Store } from "../../../src/store/redis/redis.ts";
import { scanKeys } from "../../../src/store/redis/scan-keys.ts";

/**
 * The keys whose name or content holds a word, compressed content unpacked. Looks at all of Redis.
 */
export async function keysWith(store: Store, word: string): Promise<readonly string[]> {
  const found = new Set<string>();
  for await (const key of scanKeys(store, "*")) {
    const pieces = await contentOf(store, key);
    if ([Buffer.from(key), ...pieces].some((piece) => holds(piece, word))) found.add(key);
  }
  return [...found].sort();
}

/** The files below a folder that hold a word, by their path in it. */
export async function filesWith(folder: string, word: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const found = [];
  for (const each of all) {
    if (!each.isFile()) continue;
    const path = join(each.parentPath, each.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    if (holds(bytes, word) || each.name.includes(word)) found.push(path);
  }
  return found.sort();
}

async function contentOf({ redis }: Store, key: string): Promise<readonly Buffer[]> {
  const type = await redis.type(key);
  switch (type) {
    case "string":
      return [(await redis.getBuffer(key)) ?? Buffer.alloc(0)];
    case "list":
      return await redis.lrangeBuffer(key, 0, -1);
    case "hash":
      return [...(await redis.hkeysBuffer(key)), ...(await redis.hvalsBuffer(key))];
    case "zset":
      return await redis.zrangeBuffer(key, "0", "-1");
    case "set":
      return await redis.smembersBuffer(key);
    case "stream": {
      const entries = await redis.xrange(key, "-", "+");
      return [Buffer.from(JSON.stringify(entries))];
    }
    case "none":
      return [];
    default:
      throw new Error(`a key of the type ${type}: ${key}`);
  }
}

function holds(bytes: Buffer, word: string): boolean {
  if (bytes.includes(word)) return true;
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isCompressed && gunzipSync(bytes).includes(word);
}
