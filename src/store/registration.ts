import { configKey } from "./keys.ts";
import type { Store } from "./redis.ts";

/** Remembers what was last registered with a platform, so that it is registered again only when it changed. */
export function createRegistration({ redis }: Store, platform: string) {
  const key = configKey(`registered:${platform}`);
  return {
    async read(): Promise<string | undefined> {
      return (await redis.get(key)) ?? undefined;
    },
    async write(hash: string): Promise<void> {
      await redis.set(key, hash);
    },
  };
}
