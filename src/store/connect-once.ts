import { Redis } from "ioredis";
import { messageOf, RetryableError } from "../core/errors.ts";
import { UnsuitableRedisError } from "./check-server.ts";
import { describeConnectionError } from "./connection-errors.ts";
import { addScripts, type Store } from "./redis.ts";

const connectLimitMs = 5_000;
const commandLimitMs = 30_000;

/**
 * A connection for one command of an operator, who would rather hear that it can't be had than wait for it. Disposing of it
 * closes it.
 * @throws UnsuitableRedisError when the password is wrong or missing.
 * @throws RetryableError when nothing answers. Both with a sentence for people.
 */
export async function connectOnce(url: string): Promise<Store & Disposable> {
  const redis = new Redis(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: connectLimitMs,
    commandTimeout: commandLimitMs,
  });
  let trouble: unknown;
  redis.on("error", (error: unknown) => {
    trouble = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    redis.disconnect();
    const cause = trouble ?? error;
    const sentence = describeConnectionError(cause, url);
    const isRefused = /NOAUTH|WRONGPASS|NOPERM|HELLO must|password/i.test(
      `${messageOf(cause)} ${messageOf(error)}`,
    );
    throw isRefused
      ? new UnsuitableRedisError(sentence, { cause })
      : new RetryableError(sentence, { cause, retryAfterMs: 1_000 });
  }
  return { ...addScripts(redis), [Symbol.dispose]: () => redis.disconnect() };
}
