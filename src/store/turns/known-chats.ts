import type { ChatKey } from "../../core/chat.ts";
import { chatOfKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/**
 * The chats that are remembered, each once, in no order. Looks at every key's name: for operators,
 * not for turns.
 */
export async function* knownChats(store: Store): AsyncGenerator<ChatKey, void, undefined> {
  const seen = new Set<string>();
  for (const kind of ["st", "notes", "facts", "sums", "plans", "personas"] as const)
    for await (const key of scanKeys(store, `parley:{s*}:${kind}:*`)) {
      const chat = chatOfKey(key, kind);
      if (chat === undefined || seen.has(chat)) continue;
      seen.add(chat);
      yield chat;
    }
}
