import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { unlessOutOfMemory } from "../redis/refusals.ts";

/** Remembers what was last registered with a platform, so that it is registered again only when it changed. */
export function createRegistration({ redis }: Store, platform: string) {
  const key = configKey(`registered:${platform}`);
  return {
    async read(): Promise<string | undefined> {
      return (await redis.get(key)) ?? undefined;
    },
    /** Where the memory is full it is not remembered: registering once more does no harm. */
    async write(hash: string): Promise<void> {
      await redis.set(key, hash).catch(unlessOutOfMemory(undefined));
    },
  };
}
