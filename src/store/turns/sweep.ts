import { allWakeKeys } from "../keys.ts";
import { texts, type Reply, type Store } from "../redis/redis.ts";

interface Due {
  /** `in:<chat>`, `out:<chat>`, `appr:<id>`, `plan:<chat>/<id>` or `mem:<chat>`. */
  readonly member: string;
  /** Milliseconds. */
  readonly overdueMs: number;
}

export interface Swept {
  readonly due: readonly Due[];
  /** A shard had as many as it was asked for, and may have more. */
  readonly isFull: boolean;
}

/**
 * Members that one pass takes of all shards, and of one: a crowd must not hold up Redis or the
 * process.
 */
export const mostOfPass = 2_048;
const mostOfShard = 100;
/**
 * Shards that are looked at, and taken from, at once, and how long they are waited for before the
 * next: others' commands come in between.
 */
const lookTogether = 32;
const takeTogether = 4;
const paceMs = 20;
/**
 * How long a look and a taking are waited for: a shard that has not answered by then is left to the
 * next pass. Milliseconds; with the time between the shards less than `againAfterMs`.
 */
const lookMs = 1_000;
const takeMs = 1_500;
/** A taken member is due again after this, unless it was handled. */
const againAfterMs = 2_000;

/**
 * Takes the due members of every shard and postpones them, so that no other
 * sweeper takes them too. Reads first: nearly all shards are idle, and reading
 * costs far less than taking. Nine round trips, and more where members are due.
 * @param overdueMs younger members are left to their writers, which wake them
 * directly. Schedules have no one else to wake them, and are taken when they are due.
 * @throws what ioredis throws, when no shard can be swept.
 */
export async function sweep(store: Store, overdueMs: number): Promise<Swept> {
  const shards = await dueShards(store, Math.min(overdueMs, 0));
  const batch = Math.min(mostOfShard, Math.floor(mostOfPass / shards.length));
  const take = (key: string) => store.run("sweep", [key], [batch, againAfterMs, overdueMs]);
  const replies = await inTurns(shards, { together: takeTogether, limitMs: takeMs }, take);
  const reasons = replies.flatMap((reply): unknown[] =>
    reply.status === "rejected" ? [reply.reason] : [],
  );
  if (reasons.length > 0 && reasons.length === replies.length) throw reasons[0];
  const due = replies.map((reply) =>
    reply.status === "fulfilled" && reply.value !== undefined ? read(reply.value) : [],
  );
  return { due: due.flat(), isFull: due.some(({ length }) => length >= batch) };
}

/**
 * The wake indexes in which a member may be due; scores are in Redis' time. All
 * of them if the time is unknown.
 */
async function dueShards({ redis }: Store, overdueMs: number): Promise<readonly string[]> {
  const all = allWakeKeys();
  // In a cluster it is asked of any server, and that one may be away.
  const [clock] = await inTime([redis.time()], lookMs);
  if (clock?.status !== "fulfilled" || clock.value === undefined) return all;
  const [seconds, microseconds] = clock.value.map(Number) as [number, number];
  const until = seconds * 1_000 + Math.floor(microseconds / 1_000) - overdueMs;
  const counts = await inTurns(all, { together: lookTogether, limitMs: lookMs }, (key) =>
    redis.zcount(key, "-inf", until),
  );
  // A shard that fails to count reports its error when it is swept.
  return all.filter((_, index) => {
    const count = counts[index];
    return count?.status === "rejected" || (count?.value ?? 0) > 0;
  });
}

/** Asks of some shards after the others. @returns as `inTime` */
async function inTurns<Answer>(
  shards: readonly string[],
  { together, limitMs }: { readonly together: number; readonly limitMs: number },
  ask: (shard: string) => Promise<Answer>,
): Promise<PromiseSettledResult<Answer | undefined>[]> {
  const asked: Promise<Answer>[] = [];
  for (let from = 0; from < shards.length; from += together) {
    const some = shards.slice(from, from + together).map(ask);
    asked.push(...some);
    await inTime(some, paceMs);
  }
  return await inTime(asked, limitMs);
}

/**
 * The result of each; undefined if it doesn't arrive in time: an unavailable
 * part of a cluster delays no other.
 */
async function inTime<Answer>(
  asked: readonly Promise<Answer>[],
  limitMs: number,
): Promise<PromiseSettledResult<Answer | undefined>[]> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limitMs);
  const settled = await Promise.allSettled(asked.map((each) => Promise.race([each, late.promise])));
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
