/** A gateway session, as far as everything that it delivered is durable. */
export interface DurableSession {
  readonly sessionId: string;
  readonly resumeUrl: string;
  /** Every event up to it is durable. */
  readonly sequence: number;
  readonly shardCount: number;
  /**
   * The newest snowflake (message or interaction) among those events: where Discord's own clock
   * stood. Absent: none has arrived yet, or an earlier version wrote the session.
   */
  readonly position?: string | undefined;
  /** With `missedMs`: the position after which messages must still be fetched. Absent: unknown. */
  readonly missedAfter?: string | undefined;
}

/** Ages are kept for processes of earlier versions, which search by them. */
export interface SessionAge {
  /** How long ago everything that had arrived was durable. */
  readonly ageMs: number;
  /**
   * How long ago everything before the session was durable, while what was missed since then has
   * still to be looked for.
   */
  readonly missedMs?: number;
}

/** A channel where the bot has been spoken to. */
export interface KnownChannel {
  /** Absent: a direct message. */
  readonly guildId?: string;
  readonly channelId: string;
  /**
   * When the newest message there that is durable was written, by Discord's clock. Milliseconds
   * since the epoch.
   */
  readonly handledAtMs: number;
}

/**
 * The state of one bot's gateway that a deployment's processes share. Every call rejects if the
 * store can't be reached.
 */
export interface GatewayMemory {
  readSession(shard: number): Promise<(DurableSession & SessionAge) | undefined>;
  /** False: an owner with a greater fence has written. */
  writeSession(
    shard: number,
    session: DurableSession & SessionAge & { readonly fence: number },
  ): Promise<boolean>;
  /** Says that this process is there; returns how many are. */
  meet(): Promise<number>;
  /** Says that this process does not count any more; returns how many others are there. */
  leave(): Promise<number>;
  /** Whether this process may send one IDENTIFY now. */
  takeIdentifySlot(bucket: number): Promise<boolean>;
  /** The number of shards that the processes agreed on. */
  readShardCount(): Promise<number | undefined>;
  writeShardCount(count: number): Promise<void>;
  /** The newest first. */
  readChannels(): Promise<readonly KnownChannel[]>;
  /** A time never goes back. */
  rememberChannels(channels: readonly KnownChannel[]): Promise<void>;
  forgetChannel(channel: Omit<KnownChannel, "handledAtMs">): Promise<void>;
}
