import { Cluster, type Redis } from "ioredis";
import { messageOf } from "../../core/errors.ts";
import type { Store } from "./redis.ts";
import { mastersOf } from "./scan-keys.ts";

/**
 * Has every server write its append-only file anew, so that it forgets what was deleted, too.
 * `busy`: one of them is at it since before: it must be asked again.
 */
export async function rewriteFile({
  redis,
}: Pick<Store, "redis">): Promise<
  | { readonly type: "begun" | "busy" }
  | { readonly type: "refused"; readonly cause: string }
> {
  const servers =
    redis instanceof Cluster ? [...(await mastersOf(redis)).values()] : [redis];
  for (const server of servers) {
    const cause = await rewriteOne(server);
    if (cause === undefined) continue;
    return /already in progress/i.test(cause)
      ? { type: "busy" }
      : { type: "refused", cause };
  }
  return { type: "begun" };
}

/** Undefined: it has begun, or there is no such file. */
async function rewriteOne(server: Redis): Promise<string | undefined> {
  try {
    if (/aof_enabled:1/.test(await server.info("persistence")))
      await server.bgrewriteaof();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
