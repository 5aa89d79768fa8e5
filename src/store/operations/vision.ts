import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** Whether any model sees pictures: workers find out, and bots refuse files by it. */
export interface Vision {
  /** True while no worker has looked. */
  read(): Promise<boolean>;
  write(isThere: boolean): Promise<void>;
}

export function createVision({ redis }: Pick<Store, "redis">): Vision {
  const key = configKey("vision");
  return {
    read: async () => (await redis.get(key)) !== "off",
    async write(isThere) {
      await redis.set(key, isThere ? "on" : "off");
    },
  };
}
