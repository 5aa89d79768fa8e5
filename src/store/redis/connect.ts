import { Cluster } from "ioredis";
import type { Logger } from "pino";
import { PermanentError, RetryableError } from "../../core/errors.ts";
import { parseRedisUrl, showRedisAddress, type RedisAddress } from "../../core/redis-address.ts";
import { sleep } from "../../util/sleep.ts";
import { describeConnectionError } from "./connection-errors.ts";
import { openConnection, type Connection } from "./connection.ts";
import { checkAddress, identify } from "./examine.ts";
import { addScripts, type Store } from "./redis.ts";
import { retryingStore, retryRefused } from "./retry-refused.ts";

const retryMs = 1_000;
/**
 * When people at the screen read what the start waits for: with the time that a process needs
 * before, 2 s after they started it. Milliseconds.
 */
const quietMs = 250;

/**
 * Connects to a Redis that may hold conversations. Waits while none answers, and logs that once.
 * @throws UnsuitableRedisError when it answers but cannot be used: a wrong password, too old,
 * evicting, read-only.
 */
export async function connectStore(
  url: string,
  log: Logger,
  signal: AbortSignal,
  /** For a person who looks at the screen while the log goes elsewhere. */
  say: (line: string) => void = () => undefined,
): Promise<Store> {
  const reading = parseRedisUrl(url);
  if ("expected" in reading) throw new PermanentError(`expected ${reading.expected}`);
  const waiting = `Connecting to Redis at ${showRedisAddress(reading.address)} …`;
  using parts = new DisposableStack();
  parts.adopt(setTimeout(say, quietMs, waiting), clearTimeout);
  let said = "";
  for (;;) {
    signal.throwIfAborted();
    const found = await tryOnce(reading.address, log);
    if (typeof found !== "string") {
      const redis = openConnection(found);
      logErrors(redis, url, log);
      const store = addScripts(redis);
      await retryRefused(() => store.clock.read());
      return retryingStore(store, log);
    }
    if (found !== said) {
      parts.dispose();
      log.warn(`${found} Trying again.`);
      say(`${found} Trying again.`);
    }
    said = found;
    await sleep(retryMs);
  }
}

/** The address as it can be used, or a sentence about why not yet. */
async function tryOnce(given: RedisAddress, log: Logger): Promise<RedisAddress | string> {
  try {
    const address = await identify(given);
    const { warnings } = await checkAddress(address);
    for (const warning of warnings) log.warn(warning);
    return address;
  } catch (error) {
    if (error instanceof RetryableError) return error.message;
    throw error;
  }
}

/** One line when it is lost, and one when it is back; of a cluster, for each of its servers. */
function logErrors(redis: Connection, url: string, log: Logger): void {
  const lost = new Set<string>();
  const lose = (what: string, sentence: string) => {
    if (!lost.has(what)) log.warn(`${sentence} Trying again.`);
    lost.add(what);
  };
  redis.on("error", (error) => lose("", describeConnectionError(error, url)));
  redis.on("ready", () => {
    if (lost.delete("")) log.info("Redis is back");
  });
  if (!(redis instanceof Cluster)) return;
  redis.on("+node", (node: Connection) => {
    const { host, port } = node.options as { host?: string; port?: number };
    const address = `${host}:${port}`;
    node.on("error", (error) =>
      lose(address, describeConnectionError(error, `redis://${address}`)),
    );
    node.on("ready", () => {
      if (lost.delete(address)) log.info(`Redis at redis://${address} is back`);
    });
  });
}
