import {
  ChannelType,
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildNSFWLevel,
  GuildPremiumTier,
  GuildVerificationLevel,
  Locale,
  OverwriteType,
  type APIChannel,
  type APIGuild,
  type APIGuildMember,
  type APIRole,
  type APIUser,
} from "discord-api-types/v10";
import type { StoredChannel, StoredGuild, StoredMember, StoredRole, StoredUser } from "./model.ts";
import type { World } from "./world.ts";

/** No bit set: the types of flags have no name for it. */
const noFlags = 0 as never;

/** Turns stored things into the payloads that the real API sends. */
export function userPayload(user: StoredUser): APIUser {
  return {
    id: user.id,
    username: user.username,
    discriminator: user.webhook ? "0000" : "0",
    global_name: user.globalName,
    avatar: null,
    public_flags: noFlags,
    avatar_decoration_data: null,
    primary_guild: null,
    ...(user.bot ? { bot: true } : {}),
  };
}

/** A member without its `user`, as messages carry it. */
export function memberPayload(member: StoredMember): Omit<APIGuildMember, "user"> {
  return {
    avatar: null,
    banner: null,
    communication_disabled_until: null,
    deaf: false,
    flags: noFlags,
    joined_at: time(member.joinedAtMs),
    mute: false,
    nick: member.nick,
    pending: false,
    premium_since: null,
    roles: [...member.roleIds],
  };
}

export function fullMemberPayload(world: World, member: StoredMember): APIGuildMember {
  return {
    ...memberPayload(member),
    user: userPayload(world.user(member.userId)),
  };
}

export function rolePayload(role: StoredRole): APIRole {
  return {
    id: role.id,
    name: role.name,
    permissions: role.permissions.toString(),
    position: 0,
    color: 0,
    colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    managed: role.managed,
    mentionable: false,
    flags: noFlags,
    ...(role.botId === undefined ? {} : { tags: { bot_id: role.botId } }),
  };
}

export function channelPayload(world: World, channel: StoredChannel): APIChannel {
  const last = world.messagesOf(channel.id).findLast((m) => m.ephemeralFor === undefined);
  const base = {
    id: channel.id,
    flags: noFlags,
    last_message_id: last?.id ?? null,
  };
  if (channel.recipientId !== undefined) {
    const recipients = [userPayload(world.user(channel.recipientId))];
    return { ...base, type: ChannelType.DM, recipients, name: null };
  }
  const named = {
    ...base,
    guild_id: channel.guildId,
    name: channel.name,
    rate_limit_per_user: 0,
  };
  if (channel.thread) return { ...named, ...threadFields(world, channel) } as unknown as APIChannel;
  const deny = channel.deniedToBot.toString();
  return {
    ...named,
    type: channel.type,
    ...(channel.tags === undefined
      ? {}
      : {
          available_tags: channel.tags.map((tag) => ({
            ...tag,
            moderated: false,
            emoji_id: null,
            emoji_name: null,
          })),
        }),
    parent_id: null,
    position: 0,
    topic: null,
    nsfw: false,
    permission_overwrites:
      channel.deniedToBot === 0n
        ? []
        : [{ id: world.bot.id, type: OverwriteType.Member, allow: "0", deny }],
  } as APIChannel;
}

function threadFields(world: World, channel: StoredChannel) {
  const { thread } = channel;
  if (!thread) return {};
  const count = world.messagesOf(channel.id).length;
  return {
    type: channel.type,
    parent_id: channel.parentId,
    ...(channel.appliedTags === undefined ? {} : { applied_tags: [...channel.appliedTags] }),
    owner_id: thread.ownerId,
    message_count: count,
    total_message_sent: count,
    member_count: 1,
    thread_metadata: {
      archived: thread.archived,
      locked: thread.locked,
      auto_archive_duration: thread.autoArchiveMinutes,
      archive_timestamp: time(thread.createdAtMs),
      create_timestamp: time(thread.createdAtMs),
    },
  };
}

export function guildPayload(guild: StoredGuild): APIGuild {
  return {
    id: guild.id,
    name: guild.name,
    owner_id: guild.ownerId,
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    features: [],
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.AllMessages,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    roles: [...guild.roles.values()].map(rolePayload),
    emojis: [],
    stickers: [],
    mfa_level: GuildMFALevel.None,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: noFlags,
    rules_channel_id: null,
    vanity_url_code: null,
    premium_tier: GuildPremiumTier.None,
    preferred_locale: Locale.EnglishUS,
    public_updates_channel_id: null,
    nsfw_level: GuildNSFWLevel.Default,
    premium_progress_bar_enabled: false,
    hub_type: null,
    safety_alerts_channel_id: null,
    incidents_data: null,
  };
}

/**
 * A guild as GUILD_CREATE carries it: without the presence intent the only member in it is the bot.
 */
export function guildCreatePayload(world: World, guild: StoredGuild) {
  const channels = [...world.channels.values()].filter(
    (channel) => channel.guildId === guild.id && world.botPermissions(channel) !== 0n,
  );
  const member = guild.members.get(world.bot.id);
  const payload = (channel: StoredChannel) => channelPayload(world, channel);
  return {
    ...guildPayload(guild),
    joined_at: time(member?.joinedAtMs ?? 0),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: member ? [fullMemberPayload(world, member)] : [],
    channels: channels.filter((channel) => !channel.thread).map(payload),
    threads: channels.filter((channel) => channel.thread?.archived === false).map(payload),
    voice_states: [],
    presences: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
  };
}

/** ISO 8601 with an offset, as Discord writes it. */
export function time(atMs: number): string {
  return new Date(atMs).toISOString().replace("Z", "000+00:00");
}
