import { ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import { ApiError } from "../api-error.ts";
import type { Emulation } from "../emulation.ts";
import type { StoredChannel, StoredGuild, StoredMessage } from "../model.ts";
import type { RestRequest } from "./route.ts";

/**
 * The channel of a request: 10003 when there is none, 50001 when the bot can't see it, 50013
 * without a permission.
 */
export function accessibleChannel(
  { world }: Emulation,
  request: RestRequest,
  needed: bigint = PermissionFlagsBits.ViewChannel,
): StoredChannel {
  const channel = world.channels.get(request.parameter("channelId"));
  if (!channel) throw ApiError.of("unknownChannel");
  const permissions = world.botPermissions(channel);
  if (permissions === 0n) throw ApiError.of("missingAccess");
  if ((permissions & needed) !== needed) throw ApiError.of("missingPermissions");
  return channel;
}

/** The permission to write, which threads name differently. */
function sendPermission(channel: StoredChannel): bigint {
  return channel.thread
    ? PermissionFlagsBits.SendMessagesInThreads
    : PermissionFlagsBits.SendMessages;
}

/**
 * 50001, 50013, 50007 (a person who blocks the bot) or 160005 (a locked thread, without the permission to
 * manage threads), when the bot can't write there. A message reopens an archived thread.
 */
export function writableChannel(emulation: Emulation, request: RestRequest): StoredChannel {
  const channel = accessibleChannel(emulation, request);
  accessibleChannel(emulation, request, sendPermission(channel));
  if (channel.type === ChannelType.GuildForum || channel.type === ChannelType.GuildMedia)
    throw ApiError.of("notTextChannel");
  const { recipientId } = channel;
  if (recipientId !== undefined && emulation.world.user(recipientId).blocksBot)
    throw ApiError.of("cannotSendToUser");
  const mayManage = emulation.world.botPermissions(channel) & PermissionFlagsBits.ManageThreads;
  if (channel.thread?.locked && mayManage === 0n) throw ApiError.of("threadLocked");
  return channel;
}

/**
 * The message of a request in its channel; ephemeral ones don't exist for the bot's token: 10008.
 */
export function visibleMessage(
  { world }: Emulation,
  request: RestRequest,
  channel: StoredChannel,
): StoredMessage {
  const message = world.message(request.parameter("messageId"));
  if (!message || message.channelId !== channel.id || message.ephemeralFor !== undefined)
    throw ApiError.of("unknownMessage");
  return message;
}

/** The guild of a request; one that the bot is not in doesn't exist for it: 10004. */
export function accessibleGuild({ world }: Emulation, request: RestRequest): StoredGuild {
  const guild = world.guilds.get(request.parameter("guildId"));
  if (!guild?.members.has(world.bot.id)) throw ApiError.of("unknownGuild");
  return guild;
}

export function isDirect(channel: StoredChannel): boolean {
  return channel.type === ChannelType.DM;
}
