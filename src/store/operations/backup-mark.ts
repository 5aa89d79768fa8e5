import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** When the operator's backup ran last: Redis itself can't tell a backup from a replica. */
export function createBackupMark({ redis, clock }: Pick<Store, "redis" | "clock">) {
  const key = configKey("backup");
  return {
    /** Milliseconds by Redis' clock; undefined: none was ever noted. */
    async read(): Promise<number | undefined> {
      const noted = await redis.get(key);
      return noted === null ? undefined : Number(noted);
    },
    async write(): Promise<void> {
      await redis.set(key, String(clock.now()));
    },
  };
}
