import { Cluster, type Redis } from "ioredis";
import { parseInfo, readSetting } from "./check-server.ts";
import type { Connection } from "./connection.ts";

/** What a server says of itself; undefined where it doesn't. */
export interface ServerFacts {
  /** `host:port` in a cluster, else empty. */
  readonly name: string;
  readonly version: string | undefined;
  readonly isReplica: boolean;
  readonly evictionPolicy: string | undefined;
  readonly hasAppendOnlyFile: boolean;
  readonly appendfsync: string | undefined;
  /** What was to be written last could not be. */
  readonly cannotWrite: boolean;
  readonly usedBytes: number;
  /** 0: no limit of its own. */
  readonly maxBytes: number;
  readonly systemBytes: number;
  readonly clients: number;
  /** Of one round trip. Milliseconds. */
  readonly answersInMs: number;
  /** This machine's wall clock less the server's; half a round trip off at most. */
  readonly clockAheadMs: number;
}

/** Of the server, or of each master of a cluster. @throws what ioredis throws */
export async function readServerFacts(redis: Connection): Promise<readonly ServerFacts[]> {
  if (!(redis instanceof Cluster)) return [await factsOf(redis, "")];
  return await Promise.all(
    redis.nodes("master").map((node) => factsOf(node, `${node.options.host}:${node.options.port}`)),
  );
}

async function factsOf(client: Redis, name: string): Promise<ServerFacts> {
  const info = parseInfo(await client.info());
  const askedAtMs = performance.now();
  const [seconds, microseconds] = (await client.time()).map(Number) as [number, number];
  const answersInMs = performance.now() - askedAtMs;
  const clockAheadMs = Date.now() - (seconds * 1_000 + microseconds / 1_000);
  const amount = (field: string): number => Number(info.get(field) ?? 0);
  return {
    name,
    version: info.get("redis_version"),
    isReplica: info.get("role") === "slave",
    evictionPolicy: info.get("maxmemory_policy") ?? (await readSetting(client, "maxmemory-policy")),
    hasAppendOnlyFile: info.get("aof_enabled") !== "0",
    appendfsync: await readSetting(client, "appendfsync"),
    cannotWrite:
      info.get("aof_last_write_status") === "err" ||
      (info.get("rdb_last_bgsave_status") === "err" && info.get("aof_enabled") === "0"),
    usedBytes: amount("used_memory"),
    maxBytes: amount("maxmemory"),
    systemBytes: amount("total_system_memory"),
    clients: amount("connected_clients"),
    answersInMs,
    clockAheadMs,
  };
}
