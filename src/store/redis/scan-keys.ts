import { Cluster, type Redis } from "ioredis";
import { RetryableError } from "../../core/errors.ts";
import type { Store } from "./redis.ts";

/**
 * Keys that a server examines per step; it blocks other commands during a step.
 */
const keysPerStep = 1_000;
const retryAfterMs = 1_000;

/**
 * Every key of the whole deployment that matches a pattern (`*`, `?`, `[…]`),
 * from every master of a cluster. A key that exists from beginning to end is
 * yielded at least once; it may come twice. May be ended early.
 * @throws RetryableError when a part of the cluster can't be reached or moved
 * during the scan: an incomplete result is never reported as complete.
 */
export async function* scanKeys(
  { redis }: Pick<Store, "redis">,
  pattern: string,
): AsyncGenerator<string, void, undefined> {
  if (!(redis instanceof Cluster)) {
    yield* scanServer(redis, pattern);
    return;
  }
  const masters = await mastersOf(redis);
  try {
    for (const master of masters.values()) yield* scanServer(master, pattern);
  } catch (error) {
    throw lost(error);
  }
  const after = await mastersOf(redis);
  const isSame =
    after.size === masters.size && [...after.keys()].every((address) => masters.has(address));
  if (!isSame) throw lost(undefined);
}

/** The masters that hold the slots, by address; together they hold all of them. */
export async function mastersOf(cluster: Cluster): Promise<Map<string, Redis>> {
  // The first command waits until the cluster's layout is known.
  await cluster.ping();
  const addresses = new Set(cluster.slots.map(([master]) => master));
  const nodes = new Map<string, Redis>(
    cluster.nodes("master").map((node) => [`${node.options.host}:${node.options.port}`, node]),
  );
  const masters = new Map<string, Redis>();
  for (const address of addresses) {
    const node = nodes.get(address ?? "");
    if (address === undefined || !node) throw lost(undefined);
    masters.set(address, node);
  }
  return masters;
}

const lost = (cause: unknown): RetryableError =>
  new RetryableError(
    "A part of the Redis Cluster could not be asked for its keys, or moved meanwhile",
    { cause, retryAfterMs },
  );

/**
 * A cursor means nothing to another server: after a failover, and after any reconnection, it begins
 * again.
 */
async function* scanServer(
  server: Redis,
  pattern: string,
): AsyncGenerator<string, void, undefined> {
  let isAnother = false;
  const notice = () => {
    isAnother = true;
  };
  server.on("close", notice);
  try {
    let cursor = "0";
    do {
      isAnother = false;
      const [next, keys] = await server.scan(cursor, "MATCH", pattern, "COUNT", keysPerStep);
      yield* keys;
      cursor = next;
    } while (cursor !== "0" || isAnother);
  } finally {
    server.off("close", notice);
  }
}
