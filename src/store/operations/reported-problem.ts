import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/**
 * Remembers which problem of the models the owners know of.
 * @param cause empty: there is none.
 * @returns whether it is news to them: it differs from the last one, and there is one.
 */
export async function isNewProblem(
  { redis }: Pick<Store, "redis">,
  cause: string,
): Promise<boolean> {
  const key = configKey("model-problem");
  if (cause !== "") return (await redis.set(key, cause, "GET")) !== cause;
  await redis.del(key);
  return false;
}
