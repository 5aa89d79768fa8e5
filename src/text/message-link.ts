import type { ChatAddress } from "../core/chat.ts";

/** Telegram's ids of supergroups and channels begin so; other chats have no links. */
const supergroup = /^-100(\d+)$/;

/** Where people find a message on its platform; undefined: it has no link. Pure. */
export function messageLink(
  { platform, chat, thread }: ChatAddress,
  messageId: string | undefined,
  guild?: string,
): string | undefined {
  if (messageId === undefined || !/^\d+$/.test(messageId)) return undefined;
  switch (platform) {
    case "telegram": {
      const [, id] = supergroup.exec(chat) ?? [];
      if (id === undefined) return undefined;
      const topic = thread === undefined ? "" : `/${thread}`;
      return `https://t.me/c/${id}${topic}/${messageId}`;
    }
    case "discord": {
      const channel = thread ?? chat;
      return /^\d+$/.test(channel)
        ? `https://discord.com/channels/${guild ?? "@me"}/${channel}/${messageId}`
        : undefined;
    }
    case "console":
      return undefined;
    default:
      return platform satisfies never;
  }
}
