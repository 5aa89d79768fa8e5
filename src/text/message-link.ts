import { isUserInstall, type ChatAddress } from "../core/chat.ts";

/**
 * Where a message can be opened; undefined where the platform has no address for it: in a direct
 * chat of Telegram, in a small group, in a terminal. Pure.
 * @param guild of Discord's servers; absent: a direct chat.
 */
export function messageLink(
  address: ChatAddress,
  messageId: string,
  guild?: string,
): string | undefined {
  const { platform, chat, thread } = address;
  if (!/^\d+$/.test(messageId) || isUserInstall(address)) return undefined;
  if (platform === "discord")
    return `https://discord.com/channels/${guild ?? "@me"}/${thread ?? chat}/${messageId}`;
  const [, supergroup] = /^-100(\d+)$/.exec(chat) ?? [];
  if (platform !== "telegram" || supergroup === undefined) return undefined;
  return ["https://t.me/c", supergroup, ...(thread === undefined ? [] : [thread]), messageId].join(
    "/",
  );
}

/** Where the first of these that can be opened is. Pure. */
export const linkOf = (
  lines: readonly {
    readonly messageId?: string | undefined;
    readonly guild?: string | undefined;
  }[],
  address: ChatAddress,
): string | undefined =>
  lines
    .values()
    .map(({ messageId = "", guild }) => messageLink(address, messageId, guild))
    .find((link) => link !== undefined);
