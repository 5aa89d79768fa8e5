import type { Message } from "@grammyjs/types";
import { type ChatState, inGroup, type StoredMessage } from "./chat-state.ts";
import type { World } from "./world.ts";

/**
 * Whether the bot is sent a message that someone wrote. In groups and in privacy mode these are
 * commands (bare or for this bot), replies to the bot, mentions of it and service messages;
 * administrators are sent everything. https://core.telegram.org/bots/features#privacy-mode
 */
export function botReceives(world: World, state: ChatState, message: StoredMessage): boolean {
  if (state.migratedTo !== undefined) return false;
  if (state.chat.type === "private") return !state.blockedByPerson;
  if (!inGroup(state)) return false;
  if (!world.options.privacyMode || state.botStatus === "administrator") return true;
  const { raw } = message;
  return (
    isService(raw) ||
    raw.reply_to_message?.from?.id === world.bot.id ||
    addressesBot(message, world.bot.username)
  );
}

function addressesBot(message: StoredMessage, botUsername: string): boolean {
  const own = `@${botUsername}`.toLowerCase();
  return message.entities.some((entity) => {
    const part = message.text.slice(entity.offset, entity.offset + entity.length).toLowerCase();
    if (entity.type === "mention") return part === own;
    if (entity.type === "text_mention") return entity.user.username?.toLowerCase() === own.slice(1);
    if (entity.type !== "bot_command") return false;
    // A bare command counts at the message's start only.
    return part.endsWith(own) || (entity.offset === 0 && !part.includes("@"));
  });
}

const serviceFields: readonly (keyof Message)[] = [
  "new_chat_members",
  "left_chat_member",
  "new_chat_title",
  "group_chat_created",
  "migrate_to_chat_id",
  "migrate_from_chat_id",
  "forum_topic_created",
  "forum_topic_closed",
  "pinned_message",
];

const isService = (message: Message): boolean =>
  serviceFields.some((field) => message[field] !== undefined);
