import { ChannelType, Locale, PermissionFlagsBits } from "discord-api-types/v10";
import type {
  StoredAttachment,
  StoredChannel,
  StoredGuild,
  StoredMessage,
  StoredUser,
} from "./model.ts";
import { Snowflakes } from "./snowflake.ts";

/** A channel by its id or by anything that has one. */
export type Reference = string | { readonly id: string };

export function idOf(reference: Reference): string {
  return typeof reference === "string" ? reference : reference.id;
}

/**
 * Everything that exists: people, guilds, channels, messages, files. It sends nothing and checks
 * nothing.
 */
export class World {
  readonly snowflakes: Snowflakes;
  readonly applicationId: string;
  readonly bot: StoredUser;
  readonly users = new Map<string, StoredUser>();
  readonly guilds = new Map<string, StoredGuild>();
  readonly channels = new Map<string, StoredChannel>();
  readonly attachments = new Map<string, StoredAttachment>();
  readonly #messages = new Map<string, StoredMessage[]>();
  readonly #messagesById = new Map<string, StoredMessage>();

  /** @param clockOffMs how far its clock is ahead of this machine's. */
  constructor(clockOffMs = 0) {
    this.snowflakes = new Snowflakes(clockOffMs);
    // Unlike in new applications, the two ids differ (they do for applications from before 2016):
    // mixing them up shows.
    this.applicationId = this.snowflakes.next();
    this.bot = this.addUser({
      username: "parley",
      globalName: null,
      bot: true,
    });
  }

  addUser(user: {
    username: string;
    globalName?: string | null;
    locale?: Locale;
    bot?: boolean;
    webhook?: boolean;
  }): StoredUser {
    const stored: StoredUser = {
      id: this.snowflakes.next(),
      username: user.username,
      globalName: user.globalName ?? null,
      locale: user.locale ?? Locale.EnglishUS,
      bot: user.bot ?? false,
      webhook: user.webhook ?? false,
      blocksBot: false,
    };
    this.users.set(stored.id, stored);
    return stored;
  }

  addChannel(channel: Omit<StoredChannel, "id" | "deniedToBot"> & { id?: string }): StoredChannel {
    const stored = { id: this.snowflakes.next(), deniedToBot: 0n, ...channel };
    this.channels.set(stored.id, stored);
    return stored;
  }

  /** The bot's direct-message channel with a person; made when it does not exist. */
  directChannel(userId: string): StoredChannel {
    const existing = [...this.channels.values()].find((c) => c.recipientId === userId);
    return existing ?? this.addChannel({ type: ChannelType.DM, recipientId: userId, name: "" });
  }

  addFile(file: Omit<StoredAttachment, "id">): StoredAttachment {
    const stored = { ...file, id: this.snowflakes.next() };
    this.attachments.set(stored.id, stored);
    return stored;
  }

  addMessage(message: StoredMessage): void {
    const messages = this.#messages.get(message.channelId) ?? [];
    messages.push(message);
    this.#messages.set(message.channelId, messages);
    this.#messagesById.set(message.id, message);
  }

  /** A channel's messages that are not deleted, oldest first, ephemeral ones included. */
  messagesOf(channelId: string): StoredMessage[] {
    return (this.#messages.get(channelId) ?? []).filter((message) => !message.deleted);
  }

  message(id: string | undefined): StoredMessage | undefined {
    const message = id === undefined ? undefined : this.#messagesById.get(id);
    return message?.deleted ? undefined : message;
  }

  user(id: string): StoredUser {
    return found(this.users.get(id), `user ${id}`);
  }

  channel(reference: Reference): StoredChannel {
    return found(this.channels.get(idOf(reference)), `channel ${idOf(reference)}`);
  }

  guildOf(channel: StoredChannel): StoredGuild | undefined {
    return channel.guildId === undefined ? undefined : this.guilds.get(channel.guildId);
  }

  /** Permissions in a guild from roles and ownership; the administrator's bit means all. */
  permissions(guild: StoredGuild, userId: string): bigint {
    const member = guild.members.get(userId);
    if (!member) return 0n;
    const roles = [guild.id, ...member.roleIds].map((id) => guild.roles.get(id)?.permissions ?? 0n);
    const sum = roles.reduce((all, permissions) => all | permissions, 0n);
    const all = Object.values(PermissionFlagsBits).reduce((bits, bit) => bits | bit, 0n);
    const unlimited = guild.ownerId === userId || (sum & PermissionFlagsBits.Administrator) !== 0n;
    return unlimited ? all : sum;
  }

  /**
   * What the bot may do in a channel; 0 where it can't see it. In a direct message it may do
   * everything there is to do.
   */
  /** A direct message with the bot, or a channel of a server that it has joined. */
  isBotIn(channel: StoredChannel): boolean {
    const guild = this.guildOf(channel);
    return guild === undefined || guild.members.has(this.bot.id);
  }

  botPermissions(channel: StoredChannel): bigint {
    const guild = this.guildOf(channel);
    if (!guild) return channel.type === ChannelType.DM ? (1n << 53n) - 1n : 0n;
    const parent = channel.parentId === undefined ? undefined : this.channels.get(channel.parentId);
    const denied = channel.deniedToBot | (parent?.deniedToBot ?? 0n);
    const left = this.permissions(guild, this.bot.id) & ~denied;
    return (left & PermissionFlagsBits.ViewChannel) === 0n ? 0n : left;
  }
}

function found<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`The emulated Discord has no ${what}.`);
  return value;
}
