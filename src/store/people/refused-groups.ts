import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/** What is stored for the first person who is refused in a group; see `mayNotify`. */
const firstRefused = "refused:*#1";

/** Groups in which someone was refused within the last ten minutes. @throws what ioredis throws */
export async function refusedGroups(store: Pick<Store, "redis">): Promise<readonly string[]> {
  const pattern = configKey(`told:${firstRefused}`);
  const [before = "", after = ""] = pattern.split("*");
  const groups = new Set<string>();
  for await (const key of scanKeys(store, pattern))
    groups.add(key.slice(before.length, -after.length));
  return [...groups];
}
