import { chatKey, parseChatKey, type ChatKey, type Person } from "../../core/chat.ts";
import { maxSchedules, type Schedule } from "../../core/schedule.ts";
import { configKey, chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { createConnectedBots } from "../operations/connected-bots.ts";
import { isPrivateChatOf } from "../people/find-author.ts";

/** The schedule of a name that is older has been saved, or never will be. Milliseconds. */
const savingMs = 10_000;

export const schedulesOfKey = (personId: string): string => configKey(`schedules-of:${personId}`);

/** In the wake index it follows `plan:`. */
export const planName = (chat: ChatKey, id: string): string => `${chat}/${id}`;

const chatOf = (name: string): ChatKey => name.slice(0, name.lastIndexOf("/")) as ChatKey;

/** A chat that is found by its person's id: their schedules there need no list. */
const isFound = (chat: ChatKey, { id }: Pick<Person, "id">): boolean =>
  isPrivateChatOf(chat, id) && parseChatKey(chat).thread === undefined;

/**
 * Counts a person's schedules in all chats, which have no slot in common. Those in private chats of
 * Telegram are read there: with them, a list would take 250 bytes for each person. Those in other
 * chats have a list of names: a name is written before its schedule is saved, and names of schedules
 * that have run, or whose process died in between, are removed when there seem to be too many. The
 * list is kept as long as a chat is that has one of the schedules: `retentionMs` from the last change
 * or firing, or from a slot that is still to come.
 * @param deps.list the schedules of one chat
 */
export function createScheduleCount({
  store,
  retentionMs,
  list,
}: {
  readonly store: Store;
  readonly retentionMs: number;
  readonly list: (chat: ChatKey) => Promise<readonly Schedule[]>;
}) {
  const { redis, clock } = store;
  const connected = createConnectedBots(store);
  const isPlanned = async (name: string): Promise<boolean> => {
    const { plans } = chatKeys(chatOf(name));
    return (await redis.hexists(plans, name.slice(name.lastIndexOf("/") + 1))) === 1;
  };
  /** Milliseconds. Another schedule may need the key for longer. */
  const keptMs = async (key: string, { nextMs = 0 }: Schedule): Promise<number> =>
    Math.max(await redis.pttl(key), retentionMs + Math.max(0, Math.ceil(nextMs - clock.now())));
  const namesIn = async (chat: ChatKey, personId: string): Promise<string[]> =>
    (await list(chat)).filter(({ by }) => by.id === personId).map(({ id }) => planName(chat, id));
  const foundNames = async (personId: string): Promise<string[]> => {
    const [, number] = /^telegram:(\d+)$/.exec(personId) ?? [];
    if (number === undefined) return [];
    const bots = (await connected.all()).filter((bot) => bot.startsWith("telegram:"));
    const theirs = bots.map((bot) => chatKey(parseChatKey(`${bot}:${number}`)));
    return (await Promise.all(theirs.map((chat) => namesIn(chat, personId)))).flat();
  };
  const listed = (key: string) => redis.zrange(key, "0", "-1");
  const write = async (key: string, names: readonly (string | number)[], ttlMs: number) => {
    const change = redis.multi().zadd(key, "NX", ...names);
    const done = await change.zrange(key, "0", "-1").pexpire(key, ttlMs).exec();
    for (const [error] of done ?? []) if (error) throw error;
    return done?.[1]?.[1] as readonly string[];
  };
  return {
    /** One that is changed or goes on. */
    async keep(chat: ChatKey, schedule: Schedule): Promise<void> {
      if (isFound(chat, schedule.by)) return;
      const key = schedulesOfKey(schedule.by.id);
      await redis.pexpire(key, await keptMs(key, schedule));
    },
    async remove(chat: ChatKey, { id, by }: Schedule): Promise<void> {
      if (!isFound(chat, by)) await redis.zrem(schedulesOfKey(by.id), planName(chat, id));
    },
    /**
     * A new one.
     * @returns how many schedules its chat may have with it, so that its person has no more than
     * `maxSchedules`; undefined: that is counted, and others have theirs there
     */
    async add(chat: ChatKey, schedule: Schedule): Promise<number | undefined> {
      const { id, by } = schedule;
      const key = schedulesOfKey(by.id);
      const here = await namesIn(chat, by.id);
      const nowMs = clock.now();
      const isListed = !isFound(chat, by);
      /** In its chat, or for its own name if that is in the list. */
      const roomLeft = async (names: readonly string[]): Promise<number> => {
        const all = [...new Set([...(await foundNames(by.id)), ...names])];
        return maxSchedules - all.filter((name) => isListed || chatOf(name) !== chat).length;
      };
      // Those that an earlier version or an archive brought there aren't in the list yet. In one
      // step, so that of several at once those that come first have a place.
      const names = [...here.flatMap((name) => [0, name]), nowMs, planName(chat, id)];
      let room = await roomLeft(
        isListed ? await write(key, names, await keptMs(key, schedule)) : await listed(key),
      );
      if (room < (isListed ? 0 : here.length + 1)) {
        const old = await redis.zrange(key, "-inf", String(nowMs - savingMs), "BYSCORE");
        const planned = await Promise.all(old.map(isPlanned));
        const gone = old.filter((_, index) => planned[index] === false);
        if (gone.length > 0) await redis.zrem(key, ...gone);
        room = await roomLeft(await listed(key));
      }
      if (!isListed) return Math.max(0, room);
      return room < 0 ? 0 : undefined;
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
      const untilMs = erasedAtMs.get(chatOf(name));
      if (untilMs === undefined) continue;
      if (Number(await redis.zscore(key, name)) <= untilMs) await redis.zrem(key, name);
    }
}
