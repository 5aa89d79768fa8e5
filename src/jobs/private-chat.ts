import { botOf, chatKey, isUserInstall, parseChatKey, type ChatKey } from "../core/chat.ts";
import type { Services } from "../services.ts";
import { chatKeys } from "../store/keys.ts";

export type PrivateChatDeps = Pick<Services, "connectedBots" | "deadChats" | "people"> & {
  readonly store: Pick<Services["store"], "redis">;
};

/**
 * Where a person can be told something: in a private chat with the same bot, else with another one that is
 * connected. Never in the given chat, nor in a dead one.
 */
export async function privateChatOf(
  { store, people, connectedBots, deadChats }: PrivateChatDeps,
  other: ChatKey,
  personId: string,
): Promise<ChatKey | undefined> {
  const near = botOf(other);
  const own = await ownChat(store, near, personId);
  const noted = await people.directChats(personId);
  const known = [...(own === undefined ? [] : [own]), ...noted].flatMap((chat) => {
    const { thread, ...address } = parseChatKey(chat);
    if (address.platform === "console" || isUserInstall(address)) return [];
    // Of a private chat with topics one may be gone, not the chat.
    return thread === undefined ? [chat] : [chat, chatKey(address)];
  });
  const bots = new Set([near, ...(await connectedBots.among(known.map(botOf)))]);
  const sorted = known
    .filter((chat) => chat !== other && bots.has(botOf(chat)))
    .toSorted((one, two) => Number(botOf(two) === near) - Number(botOf(one) === near));
  for (const chat of sorted) if ((await deadChats.since(chat)) === undefined) return chat;
  return undefined;
}

/** In Telegram a private chat has the person's number. Undefined: they have not written to this bot. */
async function ownChat(
  { redis }: PrivateChatDeps["store"],
  near: string,
  personId: string,
): Promise<ChatKey | undefined> {
  const [, number] = /^telegram:(\d+)$/.exec(personId) ?? [];
  if (number === undefined || !near.startsWith("telegram:")) return undefined;
  const chat = chatKey(parseChatKey(`${near}:${number}`));
  const { state, log, plans } = chatKeys(chat);
  return (await redis.exists(state, log, plans)) > 0 ? chat : undefined;
}
