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
  const replies = await Promise.all(
    shards.map((key) =>
      store.run("sweep", [key], [batch, againAfterMs, overdueMs]),
    ),
  );
  return replies.flatMap((reply) => {
    const flat = texts(reply);
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
