import { type GatewayDispatchEvents, GatewayIntentBits } from "discord-api-types/v10";

/** One thing to tell the bot. `payload` is called once per session, with that session's intents. */
export interface GatewayEvent {
  readonly name: GatewayDispatchEvents;
  /** Decides the shard; without it, shard 0, as for everything in direct messages. */
  readonly guildId: string | undefined;
  /** A session needs one of these bits; 0 means every session gets it. */
  readonly intents: number;
  payload(intents: number): unknown;
}

/** Intents that need a switch in the developer portal (docs: Gateway, Privileged Intents). */
const privileged =
  GatewayIntentBits.GuildMembers |
  GatewayIntentBits.GuildPresences |
  GatewayIntentBits.MessageContent;

const every = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === "number")
  .reduce((all, bit) => all | bit, 0);

/**
 * The close code that IDENTIFY with these intents earns: 4013 unknown bits, 4014 a privileged one
 * that isn't enabled.
 */
export function intentsRefusal(intents: unknown, enabled: number): number | undefined {
  if (typeof intents !== "number" || !Number.isInteger(intents) || intents < 0) return 4013;
  if ((intents & ~every) !== 0) return 4013;
  return (intents & privileged & ~enabled) === 0 ? undefined : 4014;
}

/** `(guild_id >> 22) % num_shards` (docs: Gateway, Sharding). */
export function shardOf(guildId: string | undefined, count: number): number {
  return guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(count));
}
