/** Discord's epoch, 2015-01-01, in Unix milliseconds (docs: Reference, Snowflakes). */
const discordEpochMs = 1_420_070_400_000;

/** When what an id names was made, by Discord's clock. Milliseconds since the epoch. */
export const madeAtMs = (id: string): number => Number(BigInt(id) >> 22n) + discordEpochMs;

/** An id just below those of that millisecond. */
export const idBefore = (atMs: number): string =>
  (BigInt(Math.max(1, Math.floor(atMs) - discordEpochMs)) * 2n ** 22n - 1n).toString();

/**
 * The shard that a server's events come to; direct messages come to the first (docs: Gateway,
 * Sharding).
 */
export const shardOf = (guildId: string | undefined, shardCount: number): number =>
  guildId === undefined ? 0 : Number((BigInt(guildId) >> 22n) % BigInt(shardCount));
