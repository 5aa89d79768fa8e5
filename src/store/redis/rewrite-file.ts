import { Cluster, type Redis } from "ioredis";
import { messageOf } from "../../core/errors.ts";
import type { Store } from "./redis.ts";
import { mastersOf } from "./scan-keys.ts";

/**
 * Has every server rewrite its append-only file so that deleted data disappears
 * from disk, too. `busy`: a rewrite that began earlier is still running; ask
 * again.
 */
export async function rewriteFile({
  redis,
}: Pick<Store, "redis">): Promise<
  { readonly type: "begun" | "busy" } | { readonly type: "refused"; readonly cause: string }
> {
  const servers = redis instanceof Cluster ? [...(await mastersOf(redis)).values()] : [redis];
  for (const server of servers) {
    const cause = await rewriteOne(server);
    if (cause === undefined) continue;
    return /already in progress/i.test(cause) ? { type: "busy" } : { type: "refused", cause };
  }
  return { type: "begun" };
}

/** Undefined: it has begun, or there is no such file. */
async function rewriteOne(server: Redis): Promise<string | undefined> {
  try {
    if (/aof_enabled:1/.test(await server.info("persistence"))) await server.bgrewriteaof();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
