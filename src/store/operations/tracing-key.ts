import { randomBytes } from "node:crypto";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/**
 * The key by which chats get their names in exported traces, the same in all processes of a
 * deployment. Where Redis is full and has none, this process has its own.
 */
export async function readTracingKey({ redis }: Store): Promise<string> {
  const key = configKey("tracing-key");
  const made = randomBytes(32).toString("base64url");
  await redis.set(key, made, "NX").catch(() => undefined);
  return (await redis.get(key)) ?? made;
}
