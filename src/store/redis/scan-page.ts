import { Cluster, type Redis } from "ioredis";
import { mastersOf } from "./scan-keys.ts";
import type { Store } from "./redis.ts";

/** Keys that a server examines in one step; more where steps find nothing. */
const fewestKeys = 100;
const mostKeys = 1_000;

export interface ScannedPage<Found> {
  readonly found: readonly Found[];
  /** Where the next page begins; undefined: this is the last one. */
  readonly next: string | undefined;
}

/** Redis refuses greater cursors. */
const maxCursor = 2n ** 64n - 1n;

/**
 * Where a page begins: `<number of the source>.<cursor>`. Anything that is none begins at the
 * beginning. Pure.
 */
export function placeOf(
  from: string | undefined,
  sources: number,
): { readonly at: number; readonly cursor: string } {
  const [, at = "", cursor = ""] = /^(\d{1,3})\.(\d{1,20})$/.exec(from ?? "") ?? [];
  const isPlace = at !== "" && Number(at) < sources && BigInt(cursor) <= maxCursor;
  return isPlace ? { at: Number(at), cursor } : { at: 0, cursor: "0" };
}

/**
 * Some of what the keys of a pattern hold, for lists that people page through. What exists all the
 * time is on one page at least, and perhaps on two. A page ends with a step of the server's scan, so
 * it may be longer than asked for: where the server's table grows or shrinks, the same step has other
 * keys when it is repeated.
 * @param options.from `next` of the page before; anything that is none begins at the beginning.
 * @param options.withinMs the page ends after this, however little was found.
 * @param pick what is wanted of some keys.
 */
export async function scanPage<Found>(
  { redis }: Pick<Store, "redis">,
  options: {
    readonly pattern: string;
    readonly from: string | undefined;
    readonly count: number;
    readonly withinMs: number;
  },
  pick: (keys: readonly string[]) => Promise<readonly Found[]>,
): Promise<ScannedPage<Found>> {
  const { pattern, count, withinMs } = options;
  const servers = redis instanceof Cluster ? await mastersInOrder(redis) : [redis];
  let { at, cursor } = placeOf(options.from, servers.length);
  let step = fewestKeys;
  const untilMs = performance.now() + withinMs;
  // A step may find keys again that an earlier one has found.
  const seen = new Set<string>();
  const found: Found[] = [];
  for (let server = servers[at]; server !== undefined; server = servers[at]) {
    const [next, keys] = await server.scan(cursor, "MATCH", pattern, "COUNT", step);
    const picked = await pick(keys.filter((key) => !seen.has(key)));
    for (const key of keys) seen.add(key);
    found.push(...picked);
    if (picked.length === 0) step = Math.min(2 * step, mostKeys);
    [at, cursor] = [next === "0" ? at + 1 : at, next];
    const isFull = found.length >= count || performance.now() >= untilMs;
    if (isFull && at < servers.length) return { found, next: `${at}.${cursor}` };
  }
  return { found, next: undefined };
}

async function mastersInOrder(cluster: Cluster): Promise<readonly Redis[]> {
  const masters = [...(await mastersOf(cluster))];
  return masters.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, server]) => server);
}
