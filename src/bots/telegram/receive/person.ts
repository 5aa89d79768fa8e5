import type { Person } from "../../../core/chat.ts";
import type { TelegramMessage, TelegramUser } from "./update.ts";

/**
 * GroupAnonymousBot and Channel_Bot: the senders in Telegram's messages from a
 * group or a channel.
 */
const standIns: ReadonlySet<number> = new Set([1_087_968_824, 136_817_688]);

/**
 * The author: undefined for bots and if there is none. A group or a channel is
 * known by its own id, so that one's permissions aren't shared by all.
 */
export function writerOf(
  message: Pick<TelegramMessage, "from" | "sender_chat" | "author_signature">,
): Person | undefined {
  const { from, sender_chat: chat, author_signature: signature } = message;
  if (chat !== undefined)
    return {
      id: personId(chat.id),
      name: signature ?? chat.title ?? "Anonymous",
      ...(chat.username === undefined ? {} : { username: chat.username }),
      anonymous: true,
    };
  if (from === undefined) return undefined;
  if (standIns.has(from.id)) return { ...personOf(from), anonymous: true };
  return from.is_bot === true ? undefined : personOf(from);
}

export function personOf(user: TelegramUser): Person {
  const { username, language_code } = user;
  return {
    id: personId(user.id),
    name: userName(user) ?? "Somebody",
    ...(username === undefined ? {} : { username }),
    ...(language_code === undefined ? {} : { language: language_code }),
  };
}

/** Undefined for deleted accounts, which have no name. */
export function userName(
  user: Pick<TelegramUser, "first_name" | "last_name" | "username">,
): string | undefined {
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ");
  return name || user.username || undefined;
}

export const personId = (id: number): string => `telegram:${id}`;
