import { chatKey, parseChatKey, type ChatKey, type Person } from "../../core/chat.ts";
import { maxSchedules, type Schedule } from "../../core/schedule.ts";
import { chatKeys } from "../keys.ts";
import { createConnectedBots } from "../operations/connected-bots.ts";
import { isPrivateChatOf } from "../people/find-author.ts";
import { personKey } from "../people/people.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/** The schedule of a name that is older has been saved, or never will be. Milliseconds. */
const savingMs = 10_000;

/** In the wake index it follows `plan:`. */
export const planName = (chat: ChatKey, id: string): string => `${chat}/${id}`;

/** The chat and the id in a name. */
const partsOf = (name: string): [ChatKey, string] => {
  const at = name.lastIndexOf("/");
  return [name.slice(0, at) as ChatKey, name.slice(at + 1)];
};

/** Of a person's hash: the name without the platform, which is the person's; when it was made, in ms. */
const prefix = "plan:";
const fieldOf = (name: string): string => prefix + name.slice(name.indexOf(":") + 1);

/** When each was made, by their names. */
const namesIn = (
  fields: Readonly<Record<string, string>>,
  personId: string,
): readonly (readonly [name: string, madeAtMs: number])[] =>
  Object.entries(fields).flatMap(([field, atMs]) =>
    field.startsWith(prefix)
      ? [[`${personId.split(":", 1)[0]}:${field.slice(prefix.length)}`, Number(atMs)] as const]
      : [],
  );

/** A chat that is found by its person's id. */
const isFound = (chat: ChatKey, { id }: Pick<Person, "id">): boolean =>
  isPrivateChatOf(chat, id) && parseChatKey(chat).thread === undefined;

/**
 * Counts a person's schedules in all chats, which have no slot in common. Those in private chats of
 * Telegram are read there. The names of others are fields of the person's hash, which takes a quarter
 * of the memory of a key. Every name is written before its schedule is saved, and names whose process
 * died in between are removed when there seem to be too many.
 * @param list the schedules of one chat
 */
export function createScheduleCount(
  store: Store,
  list: (chat: ChatKey) => Promise<readonly Schedule[]>,
) {
  const { redis, clock } = store;
  const connected = createConnectedBots(store);
  const ownIn = async (chat: ChatKey, personId: string): Promise<string[]> =>
    (await list(chat)).filter(({ by }) => by.id === personId).map(({ id }) => planName(chat, id));
  const foundNames = async (personId: string): Promise<string[]> => {
    const [, number] = /^telegram:(\d+)$/.exec(personId) ?? [];
    if (number === undefined) return [];
    const bots = (await connected.all()).filter((bot) => bot.startsWith("telegram:"));
    const theirs = bots.map((bot) => chatKey(parseChatKey(`${bot}:${number}`)));
    return (await Promise.all(theirs.map((chat) => ownIn(chat, personId)))).flat();
  };
  const isPlanned = async (name: string): Promise<boolean> => {
    const [chat, id] = partsOf(name);
    return (await redis.hexists(chatKeys(chat).plans, id)) === 1;
  };
  const remove = async (personId: string, names: readonly string[]): Promise<void> => {
    if (names.length === 0) return;
    await redis.hdel(personKey(personId), ...names.map(fieldOf));
  };
  return {
    /** After `add`: the name stays only of one that is saved, and that isn't found otherwise. */
    async settle(chat: ChatKey, { id, by }: Schedule, isSaved: boolean): Promise<void> {
      if (!isSaved || isFound(chat, by)) await remove(by.id, [planName(chat, id)]);
    },
    async removed(chat: ChatKey, { id, by }: Schedule): Promise<void> {
      if (!isFound(chat, by)) await remove(by.id, [planName(chat, id)]);
    },
    /**
     * A new one. Its chat's others count from now on, too, if an earlier version or an archive
     * brought them there.
     * @returns whether its person has no more than `maxSchedules` with it
     */
    async add(chat: ChatKey, { id, by }: Schedule): Promise<boolean> {
      const nowMs = clock.now();
      const key = personKey(by.id);
      const here = await ownIn(chat, by.id);
      // In one step, so that of several at once those that come first have a place.
      const change = redis.multi().hsetnx(key, fieldOf(planName(chat, id)), nowMs);
      for (const name of isFound(chat, by) ? [] : here) change.hsetnx(key, fieldOf(name), 0);
      const [error, fields] = (await change.hgetall(key).exec())?.at(-1) ?? [];
      if (error) throw error;
      const madeAtMs = new Map([
        ...[...here, ...(await foundNames(by.id))].map((name) => [name, 0] as const),
        ...namesIn(fields as Record<string, string>, by.id),
      ]);
      if (madeAtMs.size <= maxSchedules) return true;
      const own = planName(chat, id);
      const old = [...madeAtMs].flatMap(([name, atMs]) =>
        atMs < nowMs - savingMs && name !== own ? [name] : [],
      );
      const planned = await Promise.all(old.map(isPlanned));
      const gone = old.filter((_, index) => planned[index] === false);
      await remove(by.id, gone);
      return madeAtMs.size - gone.length <= maxSchedules;
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
  const isErased = (name: string, atMs: number): boolean =>
    atMs <= (erasedAtMs.get(partsOf(name)[0]) ?? -1);
  for await (const key of scanKeys(store, personKey("*")))
    for (const [name, atMs] of namesIn(await redis.hgetall(key), key.slice(personKey("").length)))
      if (isErased(name, atMs)) await redis.hdel(key, fieldOf(name));
}
