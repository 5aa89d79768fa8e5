import type { ChatKey } from "../../core/chat.ts";
import { maxSchedules, type Schedule } from "../../core/schedule.ts";
import { configKey, chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/** The schedule of a name that is older has been saved, or never will be. Milliseconds. */
const savingMs = 10_000;

export const schedulesOfKey = (personId: string): string => configKey(`schedules-of:${personId}`);

/** In the wake index it follows `plan:`. */
export const planName = (chat: ChatKey, id: string): string => `${chat}/${id}`;

/**
 * Counts a person's schedules in all chats, which have no slot in common. A name is written before
 * its schedule is saved. Names of schedules that have run, or whose process died in between, are
 * removed when there seem to be too many.
 */
export function createScheduleCount({ redis, clock }: Pick<Store, "redis" | "clock">) {
  const isPlanned = async (name: string): Promise<boolean> => {
    const at = name.lastIndexOf("/");
    const { plans } = chatKeys(name.slice(0, at) as ChatKey);
    return (await redis.hexists(plans, name.slice(at + 1))) === 1;
  };
  return {
    async remove(chat: ChatKey, { id, by }: Schedule): Promise<void> {
      await redis.zrem(schedulesOfKey(by.id), planName(chat, id));
    },
    /**
     * @param inChat all schedules of the chat: those that an earlier version or an archive brought
     * there aren't counted yet
     * @returns whether the person has no more than `maxSchedules` with it
     */
    async add(chat: ChatKey, { id, by }: Schedule, inChat: readonly Schedule[]): Promise<boolean> {
      const key = schedulesOfKey(by.id);
      const nowMs = clock.now();
      const theirs = inChat.filter((each) => each.by.id === by.id);
      const names = theirs.flatMap((each) => [0, planName(chat, each.id)]);
      // In one step, so that of several at once those that come first have a place.
      const [added, counted] =
        (await redis
          .multi()
          .zadd(key, "NX", ...names, nowMs, planName(chat, id))
          .zcard(key)
          .exec()) ?? [];
      const error = added?.[0] ?? counted?.[0];
      if (error) throw error;
      if (Number(counted?.[1]) <= maxSchedules) return true;
      const old = await redis.zrange(key, "-inf", String(nowMs - savingMs), "BYSCORE");
      const planned = await Promise.all(old.map(isPlanned));
      const gone = old.filter((_, index) => planned[index] === false);
      if (gone.length > 0) await redis.zrem(key, ...gone);
      return (await redis.zcard(key)) <= maxSchedules;
    },
  };
}

/** Of everyone, the names that lie in these chats. */
export async function eraseScheduleNames(store: Store, chats: ReadonlySet<ChatKey>): Promise<void> {
  if (chats.size === 0) return;
  for await (const key of scanKeys(store, schedulesOfKey("*"))) {
    const names = await store.redis.zrange(key, "0", "-1");
    const gone = names.filter((name) => chats.has(name.slice(0, name.lastIndexOf("/")) as ChatKey));
    if (gone.length > 0) await store.redis.zrem(key, ...gone);
  }
}
