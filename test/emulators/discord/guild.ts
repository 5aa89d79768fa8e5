import {
  ChannelType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  MessageType,
  PermissionFlagsBits,
} from "discord-api-types/v10";
import type { Emulation } from "./emulation.ts";
import { everybody, findMentions } from "./mentions.ts";
import type { StoredChannel, StoredGuild, StoredRole } from "./model.ts";
import {
  channelPayload,
  fullMemberPayload,
  guildCreatePayload,
  rolePayload,
  userPayload,
} from "./payloads.ts";
import { idOf, type Reference } from "./world.ts";

const flags = PermissionFlagsBits;

/** What a fresh guild gives @everyone (the part that matters here), and so the bot. */
const everyonePermissions =
  flags.ViewChannel |
  flags.SendMessages |
  flags.SendMessagesInThreads |
  flags.ReadMessageHistory |
  flags.CreatePublicThreads |
  flags.EmbedLinks |
  flags.AttachFiles |
  flags.AddReactions |
  flags.MentionEveryone |
  flags.UseApplicationCommands;

export interface MemberOptions {
  readonly person: Reference;
  readonly nick?: string;
  /** Given by a role of their own, on top of @everyone's. */
  readonly permissions?: bigint;
}

export interface GuildOptions {
  readonly name: string;
  readonly owner: Reference;
  readonly members?: readonly (Reference | MemberOptions)[];
  /** The bot's own role; by default it adds nothing to @everyone's permissions. */
  readonly botPermissions?: bigint;
  /** The bot has never joined: only those who have installed it for themselves use it there. */
  readonly withoutBot?: boolean;
}

export interface ChannelHandle {
  readonly id: string;
  readonly name: string;
}

/** A server with its members, roles and channels. The bot is a member from the start. */
export class Guild {
  readonly id: string;
  readonly #emulation: Emulation;
  readonly #stored: StoredGuild;
  #botRoleId = "";

  constructor(emulation: Emulation, options: GuildOptions) {
    const { world } = emulation;
    this.#emulation = emulation;
    this.id = world.snowflakes.next();
    this.#stored = {
      id: this.id,
      name: options.name,
      ownerId: idOf(options.owner),
      roles: new Map(),
      members: new Map(),
      blockedWords: [],
    };
    this.#stored.roles.set(this.id, {
      id: this.id,
      name: "@everyone",
      permissions: everyonePermissions,
      managed: false,
    });
    world.guilds.set(this.id, this.#stored);
    // It has been there for long, so that no one takes it for new.
    if (options.withoutBot !== true)
      this.#admitBot({ permissions: options.botPermissions, joinedAtMs: 0 });
    for (const member of [options.owner, ...(options.members ?? [])]) this.#admit(member);
    this.#tell(GatewayDispatchEvents.GuildCreate, () => guildCreatePayload(world, this.#stored));
  }

  /** Mentions the role that Discord made for the bot, as its clients offer it. */
  get botRoleMention(): string {
    return `<@&${this.#botRoleId}>`;
  }

  textChannel(name: string): ChannelHandle {
    const channel = this.#emulation.world.addChannel({
      guildId: this.id,
      type: ChannelType.GuildText,
      name,
    });
    this.#notifyChannel(GatewayDispatchEvents.ChannelCreate, channel);
    return channel;
  }

  /** A forum, or a media channel: it has posts, which are threads, and no messages of its own. */
  forum(
    name: string,
    { tags = [], isMedia = false }: { tags?: readonly string[]; isMedia?: boolean } = {},
  ): ChannelHandle {
    const { world } = this.#emulation;
    const channel = world.addChannel({
      guildId: this.id,
      type: isMedia ? ChannelType.GuildMedia : ChannelType.GuildForum,
      name,
      tags: tags.map((tag) => ({ id: world.snowflakes.next(), name: tag })),
    });
    this.#notifyChannel(GatewayDispatchEvents.ChannelCreate, channel);
    return channel;
  }

  /** A public thread, started by the guild's owner. */
  thread(parent: Reference, name: string): ChannelHandle {
    return this.#startThread({ parentId: idOf(parent), name });
  }

  /**
   * A public thread that someone starts from a message: it has the message's id, and begins with a
   * message without words that refers to it (docs: Threads; Message Types).
   */
  threadFrom(message: Reference, name: string): ChannelHandle {
    const { world, messages } = this.#emulation;
    const stored = world.message(idOf(message));
    if (stored === undefined) throw new Error("A thread is started from a message that is there.");
    const { id, channelId: parentId, authorId } = stored;
    const thread = this.#startThread({ id, parentId, name });
    messages.markThread(stored);
    const channelId = thread.id;
    const type = MessageType.ThreadStarterMessage;
    messages.create({ channelId, authorId, type, referenceId: id });
    return thread;
  }

  /** A post in a forum: a thread whose first message has its id (docs: Threads, Forums). */
  post(
    forum: Reference,
    by: Reference,
    {
      title,
      content = "",
      tags = [],
      files = [],
    }: {
      title: string;
      content?: string;
      tags?: readonly string[];
      files?: readonly { name: string; contentType: string; bytes: Uint8Array }[];
    },
  ): ChannelHandle {
    const { world, messages } = this.#emulation;
    const { id: parentId, tags: known = [] } = world.channel(forum);
    const appliedTags = known.filter(({ name }) => tags.includes(name)).map(({ id }) => id);
    const thread = this.#startThread({ parentId, name: title, appliedTags });
    const attachments = files.map(({ name, ...file }) =>
      world.addFile({ filename: name, ...file }),
    );
    messages.create({
      id: thread.id,
      channelId: thread.id,
      authorId: idOf(by),
      content,
      attachments,
      ...findMentions(world, content, { allowed: everybody }),
    });
    return thread;
  }

  #startThread(
    thread: Pick<StoredChannel, "name" | "appliedTags"> & { id?: string; parentId: string },
  ): ChannelHandle {
    const channel = this.#emulation.world.addChannel({
      ...thread,
      guildId: this.id,
      type: ChannelType.PublicThread,
      thread: {
        ownerId: this.#stored.ownerId,
        createdAtMs: Date.now(),
        autoArchiveMinutes: 4_320,
        archived: false,
        locked: false,
        memberIds: new Set(),
      },
    });
    this.#notifyChannel(GatewayDispatchEvents.ThreadCreate, channel);
    return channel;
  }

  add(member: Reference | MemberOptions): void {
    const { world } = this.#emulation;
    const added = this.#admit(member);
    this.#tell(
      GatewayDispatchEvents.GuildMemberAdd,
      () => ({ ...fullMemberPayload(world, added), guild_id: this.id }),
      GatewayIntentBits.GuildMembers,
    );
  }

  remove(person: Reference): void {
    const user = this.#emulation.world.user(idOf(person));
    this.#stored.members.delete(user.id);
    this.#tell(
      GatewayDispatchEvents.GuildMemberRemove,
      () => ({ guild_id: this.id, user: userPayload(user) }),
      GatewayIntentBits.GuildMembers,
    );
  }

  /** A role to give to options or mentions; no one has it. */
  role(name: string, permissions = 0n): StoredRole {
    const role = this.#addRole(name, permissions);
    this.#tell(GatewayDispatchEvents.GuildRoleCreate, () => ({
      guild_id: this.id,
      role: rolePayload(role),
    }));
    return role;
  }

  /**
   * Takes permissions from the bot in a channel: ViewChannel leads to 50001, SendMessages to 50013.
   * `0n` gives all back.
   */
  denyBot(reference: Reference, permissions: bigint): void {
    const channel = this.#emulation.world.channel(reference);
    channel.deniedToBot = permissions;
    this.#notifyChannel(GatewayDispatchEvents.ChannelUpdate, channel);
  }

  /** An AutoMod rule: messages with this word are refused. */
  blockWord(word: string): void {
    this.#stored.blockedWords.push(word);
  }

  /** Only those who may manage threads write in it. */
  lockThread(reference: Reference): void {
    const { thread } = this.#emulation.world.channel(reference);
    if (!thread) throw new Error("only threads are locked");
    thread.locked = true;
  }

  removeChannel(reference: Reference): void {
    const { world } = this.#emulation;
    const channel = world.channel(reference);
    const payload = channelPayload(world, channel);
    world.channels.delete(channel.id);
    const name = channel.thread
      ? GatewayDispatchEvents.ThreadDelete
      : GatewayDispatchEvents.ChannelDelete;
    this.#tell(name, () => payload);
  }

  /** Someone opens the bot's invite link. */
  addBot(): void {
    this.#admitBot();
    const { world } = this.#emulation;
    this.#tell(GatewayDispatchEvents.GuildCreate, () => guildCreatePayload(world, this.#stored));
  }

  #admitBot({ permissions = 0n, joinedAtMs = Date.now() } = {}): void {
    const { world } = this.#emulation;
    const botRole: StoredRole = {
      id: world.snowflakes.next(),
      name: "parley",
      permissions,
      managed: true,
      botId: world.bot.id,
    };
    this.#stored.roles.set(botRole.id, botRole);
    this.#botRoleId = botRole.id;
    this.#addMember({ person: world.bot, roleIds: [botRole.id], joinedAtMs });
  }

  /** The bot is thrown out: GUILD_DELETE, then 10004 for the guild and 50001 for its channels. */
  removeBot(): void {
    this.#tell(GatewayDispatchEvents.GuildDelete, () => ({ id: this.id }));
    this.#stored.members.delete(this.#emulation.world.bot.id);
  }

  #admit(member: Reference | MemberOptions) {
    const options = typeof member === "object" && "person" in member ? member : { person: member };
    const { username } = this.#emulation.world.user(idOf(options.person));
    const role =
      options.permissions === undefined ? undefined : this.#addRole(username, options.permissions);
    return this.#addMember({ ...options, roleIds: role ? [role.id] : [] });
  }

  #addMember({
    person,
    nick,
    roleIds,
    joinedAtMs = Date.now(),
  }: {
    person: Reference;
    nick?: string;
    roleIds: string[];
    joinedAtMs?: number;
  }) {
    const userId = idOf(person);
    const before = this.#stored.members.get(userId);
    const member = {
      userId,
      nick: nick ?? null,
      roleIds: [...(before?.roleIds ?? []), ...roleIds],
      joinedAtMs,
    };
    this.#stored.members.set(userId, member);
    return member;
  }

  #addRole(name: string, permissions: bigint): StoredRole {
    const role = {
      id: this.#emulation.world.snowflakes.next(),
      name,
      permissions,
      managed: false,
    };
    this.#stored.roles.set(role.id, role);
    return role;
  }

  #notifyChannel(name: GatewayDispatchEvents, channel: StoredChannel): void {
    this.#tell(name, () => channelPayload(this.#emulation.world, channel));
  }

  #tell(
    name: GatewayDispatchEvents,
    payload: () => unknown,
    intents: number = GatewayIntentBits.Guilds,
  ): void {
    if (!this.#stored.members.has(this.#emulation.world.bot.id)) return;
    this.#emulation.gateway.dispatch({
      name,
      guildId: this.id,
      intents,
      payload,
    });
  }
}
