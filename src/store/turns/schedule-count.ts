import { botOf, chatKey, parseChatKey, type ChatKey, type Person } from "../../core/chat.ts";
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

/** A name without its platform, which is the person's, and its bot: together half of Discord's names. */
const placeOf = (name: string): string => name.split(":").slice(2).join(":");

/** Of a person's hash: the place; when it was made, in seconds. */
const fieldOf = (name: string): string => `s:${placeOf(name)}`;
/** Of earlier versions: the name without the platform; in ms. */
const earlierFieldOf = (name: string): string => `plan:${name.slice(name.indexOf(":") + 1)}`;

interface NamedPlace {
  readonly field: string;
  readonly place: string;
  readonly madeAtMs: number;
}

const placesIn = (fields: Readonly<Record<string, string>>): readonly NamedPlace[] =>
  Object.entries(fields).flatMap(([field, value]) => {
    const [, earlier, place] = /^(?:s:|(plan:[^:]+:))(.+)$/.exec(field) ?? [];
    const madeAtMs = Number(value) * (earlier === undefined ? 1_000 : 1);
    return place === undefined ? [] : [{ field, place, madeAtMs }];
  });

/** @param chatsOf the chats that a name without a bot may mean, by what they have in common */
async function isPlanned(
  { redis }: Store,
  place: string,
  chatsOf: (chat: string) => readonly string[],
): Promise<boolean> {
  const [chat = "", id = ""] = place.split("/");
  const found = chatsOf(chat).map((each) => redis.hexists(chatKeys(each as ChatKey).plans, id));
  return (await Promise.all(found)).includes(1);
}

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
  const foundNames = async (personId: string, bots: readonly string[]): Promise<string[]> => {
    const [, number] = /^telegram:(\d+)$/.exec(personId) ?? [];
    if (number === undefined) return [];
    const theirs = bots.map((bot) => chatKey(parseChatKey(`${bot}:${number}`)));
    return (await Promise.all(theirs.map((chat) => ownIn(chat, personId)))).flat();
  };
  const remove = async (personId: string, name: string): Promise<void> => {
    await redis.hdel(personKey(personId), fieldOf(name), earlierFieldOf(name));
  };
  return {
    /** After `add`: the name stays only of one that is saved, and that isn't found otherwise. */
    async settle(chat: ChatKey, { id, by }: Schedule, isSaved: boolean): Promise<void> {
      if (!isSaved || isFound(chat, by)) await remove(by.id, planName(chat, id));
    },
    async removed(chat: ChatKey, { id, by }: Schedule): Promise<void> {
      if (!isFound(chat, by)) await remove(by.id, planName(chat, id));
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
      const isOwnPlatform = (bot: string) => bot.startsWith(`${parseChatKey(chat).platform}:`);
      const others = (await connected.all()).filter(isOwnPlatform);
      const bots = [...new Set([botOf(chat), ...others])];
      const withAny = (there: string) => bots.map((bot) => `${bot}:${there}`);
      const own = planName(chat, id);
      // In one step, so that of several at once those that come first have a place.
      const change = redis.multi().hsetnx(key, fieldOf(own), Math.floor(nowMs / 1_000));
      for (const name of isFound(chat, by) ? [] : here) change.hsetnx(key, fieldOf(name), 0);
      const [error, fields] = (await change.hgetall(key).exec())?.at(-1) ?? [];
      if (error) throw error;
      const named = placesIn(fields as Record<string, string>);
      const found = [...here, ...(await foundNames(by.id, bots))].map(placeOf);
      const places = new Set([...found, ...named.map(({ place }) => place)]);
      if (places.size <= maxSchedules) return true;
      for (const { field, place, madeAtMs } of named)
        if (
          madeAtMs < nowMs - savingMs &&
          place !== placeOf(own) &&
          !(await isPlanned(store, place, withAny))
        ) {
          places.delete(place);
          await redis.hdel(key, field);
        }
      return places.size <= maxSchedules;
    },
  };
}

/**
 * Of everyone, the names that lie in these chats, which were erased. Those of schedules that exist
 * are newer.
 */
export async function eraseScheduleNames(store: Store, chats: ReadonlySet<ChatKey>): Promise<void> {
  const { redis } = store;
  if (chats.size === 0) return;
  const erased = Map.groupBy(chats, (chat) => `${parseChatKey(chat).platform}:${placeOf(chat)}`);
  const isErased = async (platform = "", place: string): Promise<boolean> => {
    const those = erased.get(`${platform}:${place.split("/", 1)[0]}`);
    return those !== undefined && !(await isPlanned(store, place, () => those));
  };
  for await (const key of scanKeys(store, personKey("*"))) {
    const [platform] = key.slice(personKey("").length).split(":", 1);
    for (const { field, place } of placesIn(await redis.hgetall(key)))
      if (await isErased(platform, place)) await redis.hdel(key, field);
  }
}
