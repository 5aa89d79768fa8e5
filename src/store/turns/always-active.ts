import type { ChatKey } from "../../core/chat.ts";
import { chatKeys, chatOfKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/**
 * The chats of a bot (`platform:bot`) with the setting `activation: always`, in no order. Looks at
 * every key's name: for operators, not for turns. @throws what ioredis throws
 */
export async function alwaysActiveChats(
  store: Pick<Store, "redis">,
  bot: string,
): Promise<readonly ChatKey[]> {
  const chats = new Set<ChatKey>();
  for await (const key of scanKeys(store, `parley:{s*}:set:${bot}:*`)) {
    const chat = chatOfKey(key, "set");
    if (chat !== undefined) chats.add(chat);
  }
  const found = await Promise.all(
    [...chats].map(async (chat) => {
      const activation = await store.redis.hget(chatKeys(chat).settings, "activation");
      return activation === "always" ? [chat] : [];
    }),
  );
  return found.flat();
}
