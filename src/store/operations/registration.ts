import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { unlessOutOfMemory } from "../redis/refusals.ts";

/** Remembers the last registration with a platform, so that only changes are registered. */
export function createRegistration({ redis }: Store, platform: string) {
  const key = configKey(`registered:${platform}`);
  return {
    async read(): Promise<string | undefined> {
      return (await redis.get(key)) ?? undefined;
    },
    /** Not remembered if the memory is full: registering again does no harm. */
    async write(hash: string): Promise<void> {
      await redis.set(key, hash).catch(unlessOutOfMemory(undefined));
    },
  };
}
