import { Cluster, type Redis } from "ioredis";
import { mastersOf } from "./scan-keys.ts";
import type { Store } from "./redis.ts";

/** Keys that a server examines per step. */
const keysPerStep = 1_000;

export interface KeyPage {
  readonly keys: readonly string[];
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: string | undefined;
}

/**
 * Some of the keys that match a pattern, for lists that people page through: a key that exists all
 * the time is on one page at least, and perhaps on two.
 * @param options.from of the page before; anything that is none begins at the beginning.
 * @param options.withinMs the page ends after this, however few keys were found.
 */
export async function scanPage(
  { redis }: Pick<Store, "redis">,
  options: {
    readonly pattern: string;
    readonly from: string | undefined;
    readonly atMost: number;
    readonly withinMs: number;
  },
): Promise<KeyPage> {
  const { pattern, atMost, withinMs } = options;
  const servers = redis instanceof Cluster ? await mastersInOrder(redis) : [redis];
  // The server's number, its cursor, and how many keys of that step are on earlier pages.
  const place = /^(\d{1,3})\.(\d{1,20})\.(\d{1,6})$/.exec(options.from ?? "") ?? [];
  let [at, cursor, skipped] = [Number(place[1] ?? 0), place[2] ?? "0", Number(place[3] ?? 0)];
  const untilMs = performance.now() + withinMs;
  const keys: string[] = [];
  for (let server = servers[at]; server !== undefined; server = servers[at]) {
    const [next, found] = await server.scan(cursor, "MATCH", pattern, "COUNT", keysPerStep);
    const wanted = found.slice(skipped, skipped + atMost - keys.length);
    keys.push(...wanted);
    if (skipped + wanted.length < found.length)
      return { keys, next: `${at}.${cursor}.${skipped + wanted.length}` };
    [at, cursor, skipped] = [next === "0" ? at + 1 : at, next, 0];
    if (at < servers.length && (keys.length >= atMost || performance.now() >= untilMs))
      return { keys, next: `${at}.${cursor}.0` };
  }
  return { keys, next: undefined };
}

async function mastersInOrder(cluster: Cluster): Promise<readonly Redis[]> {
  const masters = [...(await mastersOf(cluster))];
  return masters.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, server]) => server);
}
