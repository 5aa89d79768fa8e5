import { Cluster } from "ioredis";
import type { Connection } from "./connection.ts";

/**
 * Whether the server, or each master of a cluster, answers within so many milliseconds. Never
 * rejects.
 */
export async function answers(redis: Connection, limitMs: number): Promise<boolean> {
  // A command sent while the connection is being established waits for it.
  if (redis.status !== "ready") return false;
  const late = Promise.withResolvers<false>();
  const timer = setTimeout(() => late.resolve(false), limitMs);
  const asked = redis instanceof Cluster ? redis.nodes("master") : [redis];
  const answered = Promise.all(asked.map((each) => each.ping())).then(
    (replies) => replies.length > 0,
    () => false,
  );
  const first = await Promise.race([answered, late.promise]);
  clearTimeout(timer);
  return first;
}
