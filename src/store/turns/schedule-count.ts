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
 * removed when there seem to be too many. They are kept as long as a chat is that has one of the
 * schedules: `retentionMs` from the last change or firing, or from a slot that is still to come.
 */
export function createScheduleCount(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  retentionMs: number,
) {
  const isPlanned = async (name: string): Promise<boolean> => {
    const at = name.lastIndexOf("/");
    const { plans } = chatKeys(name.slice(0, at) as ChatKey);
    return (await redis.hexists(plans, name.slice(at + 1))) === 1;
  };
  /** Milliseconds. Another schedule may need the key for longer. */
  const keptMs = async (key: string, { nextMs = 0 }: Schedule): Promise<number> =>
    Math.max(await redis.pttl(key), retentionMs + Math.max(0, Math.ceil(nextMs - clock.now())));
  return {
    /** One that is changed or goes on. */
    async keep(schedule: Schedule): Promise<void> {
      const key = schedulesOfKey(schedule.by.id);
      await redis.pexpire(key, await keptMs(key, schedule));
    },
    async remove(chat: ChatKey, { id, by }: Schedule): Promise<void> {
      await redis.zrem(schedulesOfKey(by.id), planName(chat, id));
    },
    /**
     * @param inChat all schedules of the chat: those that an earlier version or an archive brought
     * there aren't counted yet
     * @returns whether the person has no more than `maxSchedules` with it
     */
    async add(chat: ChatKey, schedule: Schedule, inChat: readonly Schedule[]): Promise<boolean> {
      const { id, by } = schedule;
      const key = schedulesOfKey(by.id);
      const nowMs = clock.now();
      const theirs = inChat.filter((each) => each.by.id === by.id);
      const names = theirs.flatMap((each) => [0, planName(chat, each.id)]);
      // In one step, so that of several at once those that come first have a place.
      const done = await redis
        .multi()
        .zadd(key, "NX", ...names, nowMs, planName(chat, id))
        .zcard(key)
        .pexpire(key, await keptMs(key, schedule))
        .exec();
      for (const [error] of done ?? []) if (error) throw error;
      if (Number(done?.[1]?.[1]) <= maxSchedules) return true;
      const old = await redis.zrange(key, "-inf", String(nowMs - savingMs), "BYSCORE");
      const planned = await Promise.all(old.map(isPlanned));
      const gone = old.filter((_, index) => planned[index] === false);
      if (gone.length > 0) await redis.zrem(key, ...gone);
      return (await redis.zcard(key)) <= maxSchedules;
    },
  };
}

/** Of everyone, the names that lie in these chats, and are no newer than the erasure there. */
export async function eraseScheduleNames(store: Store, chats: ReadonlySet<ChatKey>): Promise<void> {
  const { redis } = store;
  if (chats.size === 0) return;
  const erasedAtMs = new Map<string, number>();
  for (const chat of chats) {
    const erasedAt = await redis.hget(chatKeys(chat).state, "erasedAt");
    erasedAtMs.set(chat, Number(erasedAt ?? Infinity));
  }
  for await (const key of scanKeys(store, schedulesOfKey("*")))
    for (const name of await redis.zrange(key, "0", "-1")) {
      const untilMs = erasedAtMs.get(name.slice(0, name.lastIndexOf("/")));
      if (untilMs === undefined) continue;
      if (Number(await redis.zscore(key, name)) <= untilMs) await redis.zrem(key, name);
    }
}
