import { shardCount, wakeKey } from "./keys.ts";
import { texts, type Store } from "./redis.ts";

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
 * Takes what is due in every shard and moves it on, so that no other sweeper takes it too. One flight.
 * @param overdueMs members younger than this are left to whoever wrote them: they are woken already.
 */
export async function sweep(
  store: Store,
  overdueMs: number,
): Promise<readonly Due[]> {
  const shards = Array.from({ length: shardCount }, (_, index) =>
    wakeKey(`s${index}`),
  );
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), limitMs);
  const replies = await Promise.allSettled(
    shards.map((key) =>
      Promise.race([
        store.run("sweep", [key], [batch, againAfterMs, overdueMs]),
        late.promise,
      ]),
    ),
  );
  clearTimeout(timer);
  const reasons = replies.flatMap((reply): unknown[] =>
    reply.status === "rejected" ? [reply.reason] : [],
  );
  if (reasons.length === replies.length) throw reasons[0];
  return replies.flatMap((reply) => {
    // A part of a cluster that is away keeps nobody else waiting.
    if (reply.status === "rejected" || reply.value === undefined) return [];
    const flat = texts(reply.value);
    const due: Due[] = [];
    for (let index = 0; index + 1 < flat.length; index += 2) {
      due.push({
        member: flat[index] ?? "",
        overdueMs: Number(flat[index + 1]),
      });
    }
    return due;
  });
}
