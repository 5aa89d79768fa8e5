import { shardCount, wakeKey } from "../keys.ts";
import { texts, type Reply, type Store } from "../redis/redis.ts";

export interface Due {
  /** `in:<chat>`, `out:<chat>` or `appr:<id>`. */
  readonly member: string;
  /** Milliseconds. */
  readonly overdueMs: number;
}

/** Members that one pass takes from one shard. */
const batch = 100;
/** How long a look and a taking are waited for: a shard that has not answered by then is left to the next pass. Milliseconds. */
const lookMs = 1_000;
const takeMs = 2_000;
/** A member that was taken is due again after this, unless somebody dealt with it. */
const againAfterMs = 2_000;

/**
 * Takes what is due in every shard and moves it on, so that no other sweeper takes it too. Looks first: nearly all shards are
 * idle, and to look costs far less than to take. Two flights, and a third to those shards where something is due.
 * @param overdueMs members younger than this are left to whoever wrote them: they are woken already.
 * @throws what ioredis throws, when no shard can be swept.
 */
export async function sweep(
  store: Store,
  overdueMs: number,
): Promise<readonly Due[]> {
  const shards = await dueShards(store, overdueMs);
  const replies = await inTime(
    shards.map((key) =>
      store.run("sweep", [key], [batch, againAfterMs, overdueMs]),
    ),
    takeMs,
  );
  const reasons = replies.flatMap((reply): unknown[] =>
    reply.status === "rejected" ? [reply.reason] : [],
  );
  if (reasons.length > 0 && reasons.length === replies.length) throw reasons[0];
  return replies.flatMap((reply) =>
    reply.status === "fulfilled" && reply.value !== undefined
      ? read(reply.value)
      : [],
  );
}

/** The wake indexes in which something may be due, by Redis' clock, as scores are: all where nobody tells it. */
async function dueShards(
  { redis }: Store,
  overdueMs: number,
): Promise<readonly string[]> {
  const all = Array.from({ length: shardCount }, (_, index) =>
    wakeKey(`s${index}`),
  );
  // In a cluster it is asked of any server, and that one may be away.
  const [clock] = await inTime([redis.time()], lookMs);
  if (clock?.status !== "fulfilled" || clock.value === undefined) return all;
  const [seconds, microseconds] = clock.value.map(Number) as [number, number];
  const until = seconds * 1_000 + Math.floor(microseconds / 1_000) - overdueMs;
  const counts = await inTime(
    all.map((key) => redis.zcount(key, "-inf", until)),
    lookMs,
  );
  // Whoever refuses to count is heard of when it is to give.
  return all.filter((_, index) => {
    const count = counts[index];
    return count?.status === "rejected" || (count?.value ?? 0) > 0;
  });
}

/**
 * What comes of each; undefined where it does not come in time: a part of a cluster that is away keeps nobody else waiting.
 */
async function inTime<Answer>(
  asked: readonly Promise<Answer>[],
  limitMs: number,
): Promise<PromiseSettledResult<Answer | undefined>[]> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limitMs);
  const settled = await Promise.allSettled(
    asked.map((each) => Promise.race([each, late.promise])),
  );
  clearTimeout(timer);
  return settled;
}

function read(reply: Reply): Due[] {
  const flat = texts(reply);
  const due: Due[] = [];
  for (let index = 0; index + 1 < flat.length; index += 2) {
    due.push({
      member: flat[index] ?? "",
      overdueMs: Number(flat[index + 1]),
    });
  }
  return due;
}
