import type {
  APIActionRowComponent,
  APIComponentInMessageActionRow,
  APIEmbed,
  APIMessage,
  APIMessageInteractionMetadata,
  ChannelType,
  InteractionResponseType,
  InteractionType,
  Locale,
  MessageType,
} from "discord-api-types/v10";

/** What the emulator remembers. Times are Unix milliseconds; ids are snowflakes. */
export interface StoredUser {
  readonly id: string;
  readonly username: string;
  readonly globalName: string | null;
  readonly bot: boolean;
  readonly webhook: boolean;
  readonly locale: Locale;
  /** Set: direct messages from the bot end in 50007. */
  blocksBot: boolean;
  /** Set: the bot is an app of their own, which they use wherever they are. */
  hasInstalled?: boolean;
}

export interface StoredRole {
  readonly id: string;
  readonly name: string;
  readonly permissions: bigint;
  readonly managed: boolean;
  /** Discord made the role for this bot when it joined. */
  readonly botId?: string;
}

export interface StoredMember {
  readonly userId: string;
  readonly nick: string | null;
  readonly roleIds: readonly string[];
  readonly joinedAtMs: number;
}

export interface StoredGuild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly roles: Map<string, StoredRole>;
  readonly members: Map<string, StoredMember>;
  /** What the server's AutoMod rules block. */
  readonly blockedWords: string[];
}

interface StoredThread {
  readonly ownerId: string;
  readonly createdAtMs: number;
  readonly autoArchiveMinutes: number;
  archived: boolean;
  locked: boolean;
  readonly memberIds: Set<string>;
}

export interface StoredChannel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guildId?: string;
  readonly parentId?: string;
  /** The person at the other end of a direct message. */
  readonly recipientId?: string;
  readonly thread?: StoredThread;
  /** The tags that posts of a forum may have. */
  readonly tags?: readonly { readonly id: string; readonly name: string }[];
  /** Ids of a post's tags. */
  readonly appliedTags?: readonly string[];
  name: string;
  /** Permissions that an overwrite takes from the bot; threads inherit their parent's. */
  deniedToBot: bigint;
}

export interface StoredAttachment {
  readonly id: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
  readonly description?: string;
  /** Of a voice message. */
  readonly durationSeconds?: number;
}

/** Seen like the content. */
export type MessageExtras = Pick<
  APIMessage,
  "sticker_items" | "poll" | "message_snapshots" | "message_reference" | "components"
>;

export type Components = APIActionRowComponent<APIComponentInMessageActionRow>[];

/** One version of a message; the first is what was sent. */
export interface Revision {
  readonly content: string;
  readonly embeds: APIEmbed[];
  readonly components: Components;
  readonly atMs: number;
}

export interface StoredMessage {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  readonly type: MessageType;
  readonly nonce?: string | number;
  readonly referenceId?: string;
  /** Discord doesn't look up what it answers: `referenced_message` is absent. */
  readonly leavesOutAnswered?: boolean;
  readonly webhookId?: string;
  readonly interactionId?: string;
  readonly interactionMetadata?: APIMessageInteractionMetadata & {
    name?: string;
  };
  /** Set: only this person (and the bot, through the interaction's token) can see it. */
  readonly ephemeralFor?: string;
  /** What people send besides words and files. */
  readonly extras?: MessageExtras;
  content: string;
  embeds: APIEmbed[];
  components: Components;
  attachments: StoredAttachment[];
  flags: number;
  editedAtMs: number | null;
  mentions: string[];
  mentionRoles: string[];
  mentionEveryone: boolean;
  deleted: boolean;
  readonly revisions: Revision[];
  /** Emoji → ids of those who reacted with it. */
  readonly reactions: Map<string, Set<string>>;
}

/**
 * `open` → `acknowledged` (first callback) or `missed` (the deadline passed without one). The token
 * works from the acknowledgement until `tokenEndsAtMs`; after that every webhook call ends in
 * 50027.
 */
export interface StoredInteraction {
  readonly id: string;
  readonly token: string;
  readonly type: InteractionType;
  readonly name: string;
  readonly userId: string;
  readonly channelId: string;
  readonly createdAtMs: number;
  readonly payload: unknown;
  /** The command or press that was answered with the form which this one sends. */
  readonly formOf?: string;
  /** The message whose component was pressed. */
  readonly sourceMessageId?: string;
  /** Set: it came from where the bot is not, and has this many follow-ups. */
  visiting?: { followUps: number };
  state: "open" | "acknowledged" | "missed";
  tokenEndsAtMs: number;
  acknowledgement?: Acknowledgement;
  /** What `@original` means: the first response, or the pressed message after an update. */
  originalId?: string;
}

/** The first callback of an interaction: its type, and its data exactly as it was sent. */
export interface Acknowledgement {
  readonly type: InteractionResponseType;
  readonly data: unknown;
  readonly atMs: number;
}
