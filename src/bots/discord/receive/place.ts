import { ChannelType } from "discord.js";
import type { ChatAddress } from "../../../core/chat.ts";

/** A channel, or a thread in one. */
export type Place = Pick<ChatAddress, "chat" | "thread">;

const threads: ReadonlySet<number> = new Set([
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
]);

/**
 * Discord treats a thread as a channel; we treat it as part of its parent
 * channel.
 */
export function placeOf(channel: {
  readonly id: string;
  readonly type: number;
  readonly parentId?: string | null | undefined;
}): Place {
  const { id, type, parentId } = channel;
  return threads.has(type) && parentId ? { chat: parentId, thread: id } : { chat: id };
}

/** The channel id that Discord knows it by. */
export const channelIdOf = (place: Place): string => place.thread ?? place.chat;
