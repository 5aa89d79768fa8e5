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
  /** Changes one name in `skillsOff`, whatever others change at the same time. */
  switchSkill(chat: ChatKey, name: string, isOn: boolean): Promise<void>;
}

/**
 * A key of an idle chat expires with it; not where the chat has a schedule with a slot to come, which
 * keeps it: its schedules have no end then.
 */
export async function expireWithChat(
  redis: Store["redis"],
  chat: ChatKey,
  { key, retentionMs }: { readonly key: string; readonly retentionMs: number },
): Promise<void> {
  if ((await redis.pttl(chatKeys(chat).plans)) !== -1) await redis.pexpire(key, retentionMs);
}

/**
 * @param options.retentionMs how long the settings of an inactive chat are
 * kept; absent: forever.
 */
export function createChatSettings(
  store: Store,
  { retentionMs }: { readonly retentionMs?: number } = {},
): ChatSettingsStore {
  const { redis } = store;
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
      if (retentionMs !== undefined) await expireWithChat(redis, chat, { key, retentionMs });
    },
    async switchSkill(chat, name, isOn) {
      const { settings, plans } = chatKeys(chat);
      await store.run("skill", [settings, plans], [name, isOn ? "on" : "off", retentionMs ?? ""]);
    },
  };
}
