import { randomBytes } from "node:crypto";
import { z } from "zod";
import { parseChatKey, type ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import { list, number, text, type Store } from "../redis/redis.ts";

/** The longest time for which missed messages are fetched. */
const sessionTtlMs = 24 * 3_600_000;
const shardCountTtlMs = 7 * 24 * 3_600_000;
const channelsTtlMs = 7 * 24 * 3_600_000;
/**
 * How long an erased channel is kept out: writes of events handled before may
 * arrive a second later.
 */
const erasedTtlMs = 60_000;
/** Channels that are remembered per bot; those that have been silent longest go first. */
const maxChannels = 300;
/** A process that has not been heard of for this long is dead: as long as a lease. */
const memberMs = 9_000;
/** Discord allows one IDENTIFY in 5 s per bucket; the rest is for the way to Discord. */
const identifySlotMs = 5_500;

const sessionSchema = z.object({
  v: z.literal(1),
  sessionId: z.string(),
  resumeUrl: z.string(),
  sequence: z.number().int(),
  shardCount: z.number().int(),
  position: z.string().regex(/^\d+$/).optional(),
  missedAfter: z.string().regex(/^\d+$/).optional(),
});

interface GatewaySession {
  readonly sessionId: string;
  readonly resumeUrl: string;
  /** Every event up to it is durable. */
  readonly sequence: number;
  readonly shardCount: number;
  /** The newest snowflake among those events. Absent: none, or an earlier version wrote it. */
  readonly position?: string | undefined;
  /** With `missedMs`: the snowflake after which messages must still be fetched. Absent: unknown. */
  readonly missedAfter?: string | undefined;
}

interface SessionAge {
  /** How long ago everything that had arrived was durable. */
  readonly ageMs: number;
  /**
   * How long ago everything before the session was durable, while messages missed since are still
   * to be fetched.
   */
  readonly missedMs?: number;
}

interface KnownChannel {
  /** Absent: a direct message. */
  readonly guildId?: string;
  readonly channelId: string;
  /**
   * When the newest message there that is durable was written, by Discord's clock. Milliseconds
   * since the epoch.
   */
  readonly handledAtMs: number;
}

/** The state of one Discord bot's gateway that a deployment's processes share. */
export function createGatewaySessions(store: Pick<Store, "redis" | "run">, botId: string) {
  const { redis } = store;
  const keys = {
    members: configKey(`discord:members:${botId}`),
    shards: configKey(`discord:shards:${botId}`),
    channels: configKey(`discord:channels:${botId}`),
    session: (shard: number) => configKey(`discord:session-${shard}:${botId}`),
    identify: (bucket: number) => configKey(`discord:identify-${bucket}:${botId}`),
  };
  const member = randomBytes(9).toString("base64url");
  const meet = async (forMs: number): Promise<number> =>
    number(await store.run("members", [keys.members], [member, forMs]));
  return {
    async readSession(shard: number): Promise<(GatewaySession & SessionAge) | undefined> {
      const key = keys.session(shard);
      const values = list(await store.run("gateway-session", [key], ["read"]));
      return values.length === 0 ? undefined : sessionOf(values);
    },

    /** False: a later owner of the shard has written. */
    async writeSession(
      shard: number,
      {
        fence,
        ageMs,
        missedMs,
        ...session
      }: GatewaySession & SessionAge & { readonly fence: number },
    ): Promise<boolean> {
      const values = [
        "write",
        fence,
        JSON.stringify({ v: 1, ...session }),
        Math.round(ageMs),
        sessionTtlMs,
        missedMs === undefined ? "" : Math.round(missedMs),
      ];
      const reply = await store.run("gateway-session", [keys.session(shard)], values);
      return number(reply) === 1;
    },

    /** Says that this process is there; returns how many are. */
    meet: (): Promise<number> => meet(memberMs),
    /** Says that this process does not count; returns how many others are there. */
    leave: (): Promise<number> => meet(0),

    /** Whether this process may send one IDENTIFY now. */
    async takeIdentifySlot(bucket: number): Promise<boolean> {
      const slot = keys.identify(bucket);
      const values = [member, identifySlotMs, "free"];
      return number(await store.run("keep", [slot], values)) === 1;
    },

    /** Discord's recommendation as the processes agreed on it. */
    async readShardCount(): Promise<number | undefined> {
      const count = Number(await redis.get(keys.shards));
      return count > 0 ? count : undefined;
    },
    async writeShardCount(count: number): Promise<void> {
      const values = [count, shardCountTtlMs, "always"];
      await store.run("keep", [keys.shards], values);
    },

    /** Where the bot has been spoken to, the newest first. */
    async readChannels(): Promise<readonly KnownChannel[]> {
      const flat = await redis.zrevrange(keys.channels, 0, -1, "WITHSCORES");
      return channelsOf(flat);
    },
    /** A time never goes back. */
    async rememberChannels(channels: readonly KnownChannel[]): Promise<void> {
      if (channels.length === 0) return;
      const pairs = channels.flatMap((channel) => [channel.handledAtMs, placeOf(channel)]);
      const [, , , marks] = await Promise.all([
        redis.zadd(keys.channels, "GT", ...pairs),
        redis.zremrangebyrank(keys.channels, 0, -(maxChannels + 1)),
        redis.pexpire(keys.channels, channelsTtlMs),
        // After the write: an erasure sets its mark before it reads the sessions.
        redis.mget(channels.map((each) => erasedKey(botId, each.channelId))),
      ]);
      const erased = channels.filter((_, index) => marks[index]);
      if (erased.length > 0) await redis.zrem(keys.channels, ...erased.map(placeOf));
    },
    async forgetChannel(channel: Omit<KnownChannel, "handledAtMs">): Promise<void> {
      await redis.zrem(keys.channels, placeOf(channel));
    },
  };
}

/** Undefined for another version's session, or an invalid one: a new one is begun. */
function sessionOf([session, ageMs, missedMs]: ReturnType<typeof list>):
  (GatewaySession & SessionAge) | undefined {
  const parsed = sessionSchema.safeParse(parsedJson(text(session)));
  if (!parsed.success) return undefined;
  const missed = missedMs === "" ? {} : { missedMs: number(missedMs) };
  return { ...parsed.data, ageMs: number(ageMs), ...missed };
}

function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const guildsOf = (places: readonly string[]): readonly string[] =>
  places.flatMap((place) => channelOf(place, 0).guildId ?? []);

/**
 * Erases that a Discord bot was spoken to in a chat; nothing for other platforms' chats.
 * @returns the servers where it is not known to have been spoken to in another one.
 */
export async function forgetChannelOf(
  { redis }: Pick<Store, "redis">,
  chat: ChatKey,
): Promise<readonly string[]> {
  const { platform, bot, chat: id, thread } = parseChatKey(chat);
  if (platform !== "discord") return [];
  const channelId = thread ?? id;
  await redis.set(erasedKey(bot, channelId), "1", "PX", erasedTtlMs);
  const channels = configKey(`discord:channels:${bot}`);
  const places = await redis.zrange(channels, "0", "-1");
  const isErased = (place: string): boolean => channelOf(place, 0).channelId === channelId;
  const erased = places.filter(isErased);
  if (erased.length > 0) await redis.zrem(channels, ...erased);
  const left = guildsOf(places.filter((place) => !isErased(place)));
  return guildsOf(erased).filter((guild) => !left.includes(guild));
}

const erasedKey = (botId: string, channelId: string): string =>
  configKey(`discord:erased-${channelId}:${botId}`);

/** Of places and times in turn. */
const channelsOf = (flat: readonly string[]): readonly KnownChannel[] =>
  flat.flatMap((place, index) =>
    index % 2 === 0 ? [channelOf(place, Number(flat[index + 1]))] : [],
  );

const placeOf = ({ guildId = "@me", channelId }: Omit<KnownChannel, "handledAtMs">): string =>
  `${guildId}/${channelId}`;

function channelOf(place: string, handledAtMs: number): KnownChannel {
  const [guildId = "", channelId = ""] = place.split("/");
  return guildId === "@me" ? { channelId, handledAtMs } : { guildId, channelId, handledAtMs };
}
