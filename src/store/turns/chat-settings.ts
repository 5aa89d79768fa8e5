import type { ChatKey } from "../../core/chat.ts";
import {
  chatSettingsSchema,
  type ChatSettingName,
  type ChatSettings,
} from "../../core/chat-settings.ts";
import { PermanentError } from "../../core/errors.ts";
import { chatKeys } from "../keys.ts";
import { parseChatSettings } from "./parse-chat-settings.ts";
import type { Store } from "../redis/redis.ts";

/** The settings of single chats. */
export interface ChatSettingsStore {
  read(chat: ChatKey): Promise<ChatSettings>;
  /**
   * Undefined: removes the setting, so that the operator's file applies.
   * @throws PermanentError when this setting cannot have that value; the message does not repeat
   * it.
   */
  set(chat: ChatKey, name: ChatSettingName, value: string | undefined): Promise<void>;
}

/**
 * @param options.retentionMs how long the settings of an inactive chat are
 * kept; absent: forever.
 */
export function createChatSettings(
  { redis }: Store,
  { retentionMs }: { readonly retentionMs?: number } = {},
): ChatSettingsStore {
  return {
    async read(chat) {
      const fields = await redis.hgetall(chatKeys(chat).settings);
      return parseChatSettings(new Map(Object.entries(fields)));
    },
    async set(chat, name, value) {
      const key = chatKeys(chat).settings;
      if (value === undefined) {
        await redis.hdel(key, name);
        return;
      }
      if (!chatSettingsSchema.shape[name].safeParse(value).success)
        throw new PermanentError(`a chat's setting ${name} cannot have the given value`);
      await redis.hset(key, name, value);
      // The end of the chat's next turn renews it.
      if (retentionMs !== undefined) await redis.pexpire(key, retentionMs);
    },
  };
}
