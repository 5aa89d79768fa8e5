import { outboxMember, shardCount, turnMember, wakeKey, type Store } from "./store.ts";
import { wakeTurn, type TurnQueue } from "./turn-queue.ts";

/**
 * Wakes every chat that the wake index names: a dead process may have written and not woken. At the
 * start only, where Parley's sweeper does it all the time.
 */
export async function wakeAll(store: Store, queue: TurnQueue): Promise<void> {
  const shards = Array.from({ length: shardCount }, (_, shard) =>
    store.redis.zrange(wakeKey(shard), "0", "-1"),
  );
  const members = (await Promise.all(shards)).flat();
  await Promise.all(
    members.map(async (member) => {
      const chat = Number(member.slice(member.indexOf(":") + 1));
      if (member === turnMember(chat)) await wakeTurn(queue, chat);
      if (member === outboxMember(chat)) await store.ready(chat);
    }),
  );
}
