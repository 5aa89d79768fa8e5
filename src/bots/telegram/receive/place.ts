import type { ChatAddress } from "../../../core/chat.ts";
import type { OwnIdentity } from "./addressed.ts";
import type { TelegramMessage } from "./update.ts";

type Placed = Pick<TelegramMessage, "chat" | "is_topic_message" | "message_thread_id">;

/**
 * Supergroups number their threads of replies too; only topics are chats of their own. The General
 * topic has no number but 1.
 */
export function addressOf(
  { chat, is_topic_message: inTopic, message_thread_id: thread }: Placed,
  bot: Pick<OwnIdentity, "id">,
): ChatAddress {
  const address = {
    platform: "telegram",
    bot: String(bot.id),
    chat: String(chat.id),
  } as const;
  if (inTopic === true && thread !== undefined) return { ...address, thread: String(thread) };
  const isForum = chat.type === "supergroup" && chat.is_forum === true;
  return isForum ? { ...address, thread: "1" } : address;
}
