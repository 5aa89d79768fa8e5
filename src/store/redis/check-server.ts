import type { Redis } from "ioredis";
import { PermanentError, messageOf } from "../../core/errors.ts";

/**
 * The oldest Redis that Parley runs on; Valkey reports the Redis version that it is compatible
 * with.
 */
const oldest = { major: 6, minor: 2 };

/** Whether a version such as `6.0.16` is older than 6.2. */
export function isTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < oldest.major || (major === oldest.major && minor < oldest.minor);
}

/** This Redis must not be used: it would lose messages, or lacks what Parley needs. */
export class UnsuitableRedisError extends PermanentError {
  override readonly name = "UnsuitableRedisError";
}

/**
 * Checks that a server may hold conversations. @throws UnsuitableRedisError when it is too old,
 * evicts keys or is a read-only replica; what may lose data after a crash only warns.
 */
export async function checkRedisServer(
  client: Redis,
): Promise<{ readonly warnings: readonly string[] }> {
  const info = parseInfo(await client.info());
  const version = info.get("redis_version");
  if (version === undefined || isTooOld(version))
    throw new UnsuitableRedisError(
      `Redis is version ${version ?? "unknown"}, but Parley needs Redis 6.2 or newer (or Valkey).`,
    );
  if (info.get("role") === "slave" && info.get("slave_read_only") !== "0")
    throw new UnsuitableRedisError("Redis is a read-only replica: point REDIS_URL at its primary.");
  const policy = info.get("maxmemory_policy") ?? (await readSetting(client, "maxmemory-policy"));
  if (policy !== undefined && policy !== "noeviction")
    throw new UnsuitableRedisError(
      `Redis evicts keys when its memory is full (maxmemory-policy is ${policy}), which would lose messages. Set maxmemory-policy to noeviction.`,
    );
  const warnings: string[] = [];
  if (policy === undefined)
    warnings.push(
      "Redis does not say its maxmemory-policy; make sure that it is noeviction, or messages can be lost.",
    );
  if (info.get("aof_enabled") === "0")
    warnings.push(
      "Redis keeps no append-only file: what it accepted can be lost when it ends. Set appendonly yes and appendfsync always.",
    );
  else warnings.push(...fsyncWarnings(await readSetting(client, "appendfsync")));
  return { warnings };
}

function fsyncWarnings(appendfsync: string | undefined): string[] {
  switch (appendfsync) {
    case "always":
      return [];
    case undefined:
      return [
        "Redis does not say its appendfsync; unless it is always, a power cut can lose what was accepted last.",
      ];
    default:
      return [
        `Redis writes its append-only file with appendfsync ${appendfsync}: a power cut can lose what was accepted last. Set appendfsync always.`,
      ];
  }
}

/** `name:value` lines, as INFO writes them. */
export function parseInfo(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line) => {
      const colon = line.indexOf(":");
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 1)]] : [];
    }),
  );
}

/** Undefined where CONFIG is forbidden, as many hosted servers have it. */
export async function readSetting(client: Redis, name: string): Promise<string | undefined> {
  try {
    const reply: unknown = await client.config("GET", name);
    return Array.isArray(reply) && reply[1] !== undefined ? String(reply[1]) : undefined;
  } catch (error) {
    if (/NOPERM|unknown command|ERR|not allowed/i.test(messageOf(error))) return undefined;
    throw error;
  }
}
