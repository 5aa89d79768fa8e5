import { PermanentError } from "../../core/errors.ts";
import { parseRedisUrl } from "../../core/redis-address.ts";
import { connectionError } from "./connection-errors.ts";
import { openBriefly } from "./connection.ts";
import { identify } from "./examine.ts";
import { addScripts, type Store } from "./redis.ts";

const limits = { connectTimeout: 5_000, commandTimeout: 30_000 };

/**
 * A connection for one command of an operator, who would rather hear that it can't be had than wait
 * for it. Disposing of it closes it.
 * @throws UnsuitableRedisError when the password is wrong or missing.
 * @throws RetryableError when nothing answers. Both with a sentence for people.
 */
export async function connectOnce(url: string): Promise<Store & Disposable> {
  const reading = parseRedisUrl(url);
  if ("expected" in reading) throw new PermanentError(`expected ${reading.expected}`);
  const address = await identify(reading.address);
  const redis = openBriefly(address, limits);
  const errors: unknown[] = [];
  for (const event of ["error", "sentinelError"])
    redis.on(event, (error: unknown) => errors.push(error));
  try {
    await redis.connect();
    const store = addScripts(redis);
    await store.clock.read();
    return { ...store, [Symbol.dispose]: () => redis.disconnect() };
  } catch (error) {
    redis.disconnect();
    throw connectionError([...errors, error], url);
  }
}
