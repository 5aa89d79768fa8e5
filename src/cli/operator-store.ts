import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../config/interpolation.ts";
import type { Settings } from "../config/settings.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import { connectOnce } from "../store/redis/connect-once.ts";
import { startEmbeddedRedis } from "../store/embedded/embedded-redis.ts";
import { readEmbeddedEndpoint } from "../store/embedded/endpoint.ts";
import type { Store } from "../store/redis/redis.ts";

export interface OperatorStoreOptions {
  readonly settings: Settings;
  /** For the tools that fetch a Redis; PATH and the like. */
  readonly environment: Environment;
  /** Lines for the user. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * The Redis of the settings, for one command of an operator. An embedded one that does not run is
 * started and ends with `parts`; undefined: there never was one.
 * @throws PermanentError or RetryableError with a sentence when it can't be had.
 */
export async function openOperatorStore(
  { settings, environment, say, signal }: OperatorStoreOptions,
  parts: AsyncDisposableStack,
): Promise<Store | undefined> {
  const { redis, dataFolder } = settings;
  if (redis.kind === "external") return parts.use(await connectOnce(redis.url));
  if (!existsSync(join(dataFolder, "redis"))) return undefined;
  const running = await endpointOf(dataFolder);
  const { url } =
    running ?? parts.use(await startEmbeddedRedis({ dataFolder, log: say, environment, signal }));
  return parts.use(await connectOnce(url));
}

async function endpointOf(dataFolder: string) {
  try {
    return await readEmbeddedEndpoint(dataFolder);
  } catch (cause) {
    throw new PermanentError(
      `PARLEY_DATA is ${dataFolder}: expected a folder of this user (${messageOf(cause)})`,
      { cause },
    );
  }
}
