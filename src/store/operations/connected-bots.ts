import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/**
 * How long a bot counts as connected after the last report: longer than any
 * restart takes. Milliseconds.
 */
export const connectedForMs = 24 * 3_600_000;

/** The same bots in one place, by when they were reported last. */
const allKey = configKey("bots");

const connectedKey = (bot: string): string => configKey(`connected:${bot}`);

/** The bots that some process delivers for: an entry for any other bot would wait for ever. */
export interface ConnectedBots {
  /** @param bots `platform:bot`. @throws what ioredis throws */
  note(bots: readonly string[]): Promise<void>;
  /** All that are connected, by name. */
  all(): Promise<readonly string[]>;
  /** Those of `bots` that are connected, in their order. */
  among(bots: readonly string[]): Promise<readonly string[]>;
}

export function createConnectedBots({
  redis,
  clock,
}: Pick<Store, "redis" | "clock">): ConnectedBots {
  return {
    async note(bots) {
      const noted: Promise<unknown>[] = bots.map((bot) =>
        redis.set(connectedKey(bot), "1", "PX", connectedForMs),
      );
      const nowMs = clock.now();
      const scored = bots.flatMap((bot) => [nowMs, bot]);
      if (bots.length > 0)
        noted.push(
          redis
            .multi()
            .zadd(allKey, ...scored)
            .pexpire(allKey, connectedForMs)
            .exec(),
        );
      await Promise.all(noted);
    },
    async all() {
      const bots = await redis.zrangebyscore(allKey, clock.now() - connectedForMs, "+inf");
      return bots.toSorted();
    },
    async among(bots) {
      if (bots.length === 0) return [];
      const found = await redis.mget(bots.map(connectedKey));
      return bots.filter((_, index) => found[index] !== null);
    },
  };
}
