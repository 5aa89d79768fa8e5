import { shardCount, wakeKey } from "./keys.ts";
import { texts, type Reply, type Store } from "./redis.ts";

export interface Due {
  /** `in:<chat>`, `out:<chat>` or `appr:<id>`. */
  readonly member: string;
  /** Milliseconds. */
  readonly overdueMs: number;
}

/** Members that one pass takes from one shard. */
const batch = 100;
/** A shard that has not answered by then is left to the next pass. Milliseconds. */
const limitMs = 2_000;
/** A member that was taken is due again after this, unless somebody dealt with it. */
const againAfterMs = 2_000;

/**
 * Takes what is due in every shard and moves it on, so that no other sweeper takes it too. Two flights, the second only to
 * those shards where something is due: nearly all of them are idle, and to look costs far less than to take.
 * @param overdueMs members younger than this are left to whoever wrote them: they are woken already.
 * @throws what ioredis throws, when no shard can be looked at.
 */
export async function sweep(
  store: Store,
  overdueMs: number,
): Promise<readonly Due[]> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limitMs);
  try {
    const shards = await dueShards(store, overdueMs, late.promise);
    const replies = await answers(
      shards.map((key) =>
        store.run("sweep", [key], [batch, againAfterMs, overdueMs]),
      ),
      late.promise,
    );
    return replies.flatMap((reply) => (reply === undefined ? [] : read(reply)));
  } finally {
    clearTimeout(timer);
  }
}

/** The wake indexes in which something may be due, by Redis' clock, as scores are. */
async function dueShards(
  { redis }: Store,
  overdueMs: number,
  late: Promise<undefined>,
): Promise<readonly string[]> {
  const all = Array.from({ length: shardCount }, (_, index) =>
    wakeKey(`s${index}`),
  );
  const [time] = await answers([redis.time()], late);
  // The server that was asked is away; the others are not.
  if (time === undefined) return all;
  const [seconds, microseconds] = time.map(Number) as [number, number];
  const until = seconds * 1000 + Math.floor(microseconds / 1000) - overdueMs;
  const counts = await answers(
    all.map((key) => redis.zcount(key, "-inf", until)),
    late,
  );
  return all.filter((_, index) => (counts[index] ?? 0) > 0);
}

/** What comes in time; undefined for the others: a part of a cluster that is away keeps nobody else waiting. */
async function answers<Answer>(
  asked: readonly Promise<Answer>[],
  late: Promise<undefined>,
): Promise<readonly (Answer | undefined)[]> {
  const settled = await Promise.allSettled(
    asked.map((each) => Promise.race([each, late])),
  );
  const reasons = settled.flatMap((each): unknown[] =>
    each.status === "rejected" ? [each.reason] : [],
  );
  if (reasons.length > 0 && reasons.length === settled.length) throw reasons[0];
  return settled.map((each) =>
    each.status === "fulfilled" ? each.value : undefined,
  );
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
