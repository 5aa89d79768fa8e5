import {
  ChannelType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  MessageFlags,
  MessageType,
  type APIAttachment,
  type APIEmbed,
  type APIMessage,
} from "discord-api-types/v10";
import type { Changes } from "./changes.ts";
import type { GatewayEvent } from "./gateway/event.ts";
import { attachmentPayload, messagePayload } from "./message-payload.ts";
import type { Components, StoredAttachment, StoredChannel, StoredMessage } from "./model.ts";
import { memberPayload, userPayload } from "./payloads.ts";
import type { World } from "./world.ts";

/** The parts of a message that an edit can change. */
export interface MessagePatch {
  readonly content?: string;
  readonly embeds?: APIEmbed[];
  readonly components?: Components;
  readonly attachments?: StoredAttachment[];
  readonly flags?: number;
  readonly mentions?: string[];
  readonly mentionRoles?: string[];
  readonly mentionEveryone?: boolean;
}

export type NewMessage = MessagePatch &
  Pick<StoredMessage, "channelId" | "authorId"> &
  Partial<
    Pick<
      StoredMessage,
      | "type"
      | "nonce"
      | "id"
      | "referenceId"
      | "leavesOutAnswered"
      | "webhookId"
      | "interactionId"
      | "interactionMetadata"
      | "ephemeralFor"
      | "extras"
    >
  >;

interface MessagesDeps {
  readonly world: World;
  readonly changes: Changes;
  readonly dispatch: (event: GatewayEvent) => void;
  /** Where files are served from; known once the server listens. */
  readonly origin: () => string;
  /** Privileged intents of the application: they decide what REST shows. */
  readonly privilegedIntents: number;
}

/** Writes, changes and removes messages, and tells the gateway. */
export class Messages {
  readonly #deps: MessagesDeps;

  constructor(deps: MessagesDeps) {
    this.#deps = deps;
  }

  create(message: NewMessage): StoredMessage {
    const { world } = this.#deps;
    const atMs = Date.now();
    const stored: StoredMessage = {
      type: MessageType.Default,
      content: "",
      embeds: [],
      components: [],
      attachments: [],
      flags: 0,
      mentions: [],
      mentionRoles: [],
      mentionEveryone: false,
      id: world.snowflakes.next(),
      ...message,
      editedAtMs: null,
      deleted: false,
      revisions: [],
      reactions: new Map(),
    };
    stored.revisions.push({ ...versionOf(stored), atMs });
    world.addMessage(stored);
    this.#tell(GatewayDispatchEvents.MessageCreate, stored);
    return stored;
  }

  edit(message: StoredMessage, patch: MessagePatch): StoredMessage {
    const atMs = Date.now();
    Object.assign(message, patch);
    message.editedAtMs = atMs;
    message.revisions.push({ ...versionOf(message), atMs });
    this.#tell(GatewayDispatchEvents.MessageUpdate, message);
    return message;
  }

  remove(message: StoredMessage): void {
    const { world, changes, dispatch } = this.#deps;
    message.deleted = true;
    for (const file of message.attachments) world.attachments.delete(file.id);
    const { channelId } = message;
    const { guildId } = this.#audience(message);
    dispatch({
      name: GatewayDispatchEvents.MessageDelete,
      ...this.#audience(message),
      payload: () => ({
        id: message.id,
        channel_id: channelId,
        ...(guildId ? { guild_id: guildId } : {}),
      }),
    });
    changes.notify();
  }

  /** The same MESSAGE_CREATE once more, under a new sequence number. */
  redeliver(message: StoredMessage): void {
    this.#tell(GatewayDispatchEvents.MessageCreate, message);
  }

  /**
   * What clients do to a message with a link: a MESSAGE_UPDATE with an embed and no
   * `edited_timestamp`.
   */
  unfurl(message: StoredMessage, embed: APIEmbed): void {
    message.embeds = [...message.embeds, embed];
    this.#tell(GatewayDispatchEvents.MessageUpdate, message);
  }

  /** A thread was opened from it: MESSAGE_UPDATE without an edit. */
  markThread(message: StoredMessage): void {
    message.flags |= MessageFlags.HasThread;
    this.#tell(GatewayDispatchEvents.MessageUpdate, message);
  }

  /** A file as an interaction's payload names it. */
  attachment(file: StoredAttachment, channelId: string): APIAttachment {
    const place = { channelId, ephemeralFor: "" };
    return attachmentPayload(file, place, this.#deps.origin());
  }

  react(message: StoredMessage, emoji: string, userId: string): void {
    const users = message.reactions.get(emoji) ?? new Set<string>();
    message.reactions.set(emoji, users.add(userId));
    this.#tellReaction(GatewayDispatchEvents.MessageReactionAdd, message, {
      emoji,
      userId,
    });
  }

  unreact(message: StoredMessage, emoji: string, userId: string): void {
    const users = message.reactions.get(emoji);
    users?.delete(userId);
    if (users?.size === 0) message.reactions.delete(emoji);
    this.#tellReaction(GatewayDispatchEvents.MessageReactionRemove, message, {
      emoji,
      userId,
    });
  }

  /**
   * A message as REST shows it; `inInteraction` shows all, as the payload of an interaction does.
   */
  payload(message: StoredMessage, inInteraction = false): APIMessage {
    const { world, origin, privilegedIntents } = this.#deps;
    return messagePayload(world, message, {
      origin: origin(),
      contentVisible: (shown) => inInteraction || this.#contentVisible(shown, privilegedIntents),
    });
  }

  /**
   * Direct messages, the bot's own, those that mention it, or all with the intent (docs: Message
   * Content Intent).
   */
  #contentVisible(message: StoredMessage, intents: number): boolean {
    const { world } = this.#deps;
    return (
      world.channel(message.channelId).type === ChannelType.DM ||
      message.authorId === world.bot.id ||
      message.mentions.includes(world.bot.id) ||
      (intents & GatewayIntentBits.MessageContent) !== 0
    );
  }

  /**
   * Ephemeral messages travel like direct messages: under that intent, without guild or member
   * (docs: Message Create).
   */
  #audience(message: StoredMessage): {
    guildId: string | undefined;
    intents: number;
  } {
    const channel = this.#deps.world.channel(message.channelId);
    const inGuild = channel.guildId !== undefined && message.ephemeralFor === undefined;
    return inGuild
      ? { guildId: channel.guildId, intents: GatewayIntentBits.GuildMessages }
      : { guildId: undefined, intents: GatewayIntentBits.DirectMessages };
  }

  #tell(name: GatewayDispatchEvents, message: StoredMessage): void {
    const { world, origin, dispatch, changes } = this.#deps;
    const channel = world.channel(message.channelId);
    if (message.ephemeralFor !== undefined || canSee(world, channel))
      dispatch({
        name,
        ...this.#audience(message),
        payload: (intents) => ({
          ...messagePayload(world, message, {
            origin: origin(),
            contentVisible: (shown) => this.#contentVisible(shown, intents),
          }),
          // What is delivered again is what was delivered first, and no message is made with a
          // thread.
          ...(name === GatewayDispatchEvents.MessageCreate ? { thread: undefined } : {}),
          channel_type: channel.type,
          ...this.#guildFields(message),
        }),
      });
    changes.notify();
  }

  #guildFields(message: StoredMessage) {
    const { world } = this.#deps;
    const { guildId } = this.#audience(message);
    const guild = guildId === undefined ? undefined : world.guilds.get(guildId);
    if (!guild) return {};
    const author = guild.members.get(message.authorId);
    const mentions = message.mentions.map((id) => {
      const member = guild.members.get(id);
      return {
        ...userPayload(world.user(id)),
        ...(member ? { member: memberPayload(member) } : {}),
      };
    });
    return {
      guild_id: guild.id,
      ...(author ? { member: memberPayload(author) } : {}),
      mentions,
    };
  }

  #tellReaction(
    name: GatewayDispatchEvents,
    message: StoredMessage,
    { emoji, userId }: { emoji: string; userId: string },
  ): void {
    const { dispatch, changes } = this.#deps;
    const { guildId } = this.#audience(message);
    dispatch({
      name,
      guildId,
      intents: guildId
        ? GatewayIntentBits.GuildMessageReactions
        : GatewayIntentBits.DirectMessageReactions,
      payload: () => ({
        user_id: userId,
        channel_id: message.channelId,
        message_id: message.id,
        ...(guildId ? { guild_id: guildId } : {}),
        emoji: { id: null, name: emoji },
        burst: false,
        type: 0,
        message_author_id: message.authorId,
      }),
    });
    changes.notify();
  }
}

function canSee(world: World, channel: StoredChannel): boolean {
  return world.botPermissions(channel) !== 0n;
}

function versionOf({ content, embeds, components }: StoredMessage) {
  return structuredClone({ content, embeds, components });
}
