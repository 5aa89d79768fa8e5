import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import { checkRedisServer, UnsuitableRedisError } from "./check-server.ts";
import { describeConnectionError } from "./connection-errors.ts";
import { openProbe } from "./embedded/probe.ts";
import { openStore, type Store } from "./redis.ts";

const retryMs = 1_000;

/**
 * Connects to a Redis that may hold conversations. Waits while nothing answers, and says so once.
 * @throws UnsuitableRedisError when it answers but cannot be used: a wrong password, too old, evicting, read-only.
 */
export async function connectStore(
  url: string,
  log: Logger,
  signal: AbortSignal,
): Promise<Store> {
  let said = "";
  for (;;) {
    signal.throwIfAborted();
    const trouble = await tryOnce(url, log);
    if (trouble === undefined) break;
    if (trouble !== said) log.warn(`${trouble} Trying again.`);
    said = trouble;
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
  let lost = false;
  const store = openStore(url, (error) => {
    if (!lost) log.warn(`${describeConnectionError(error, url)} Trying again.`);
    lost = true;
  });
  store.redis.on("ready", () => {
    if (lost) log.info("Redis is back");
    lost = false;
  });
  return store;
}

/** Undefined: it can be used. Else a sentence about why not yet. */
async function tryOnce(url: string, log: Logger): Promise<string | undefined> {
  const client = openProbe(url);
  let seen: unknown;
  client.on("error", (error: unknown) => {
    seen = error;
  });
  try {
    await client.connect();
    const { warnings } = await checkRedisServer(client);
    for (const warning of warnings) log.warn(warning);
    return undefined;
  } catch (error) {
    if (error instanceof UnsuitableRedisError) throw error;
    const cause = seen ?? error;
    const sentence = describeConnectionError(cause, url);
    if (
      /NOAUTH|WRONGPASS|HELLO must|invalid password|NOPERM|without any password/i.test(
        `${messageOf(cause)} ${messageOf(error)}`,
      )
    ) {
      throw new UnsuitableRedisError(sentence, { cause });
    }
    return sentence;
  } finally {
    client.disconnect();
  }
}
