import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { EmbeddedRedisError } from "./errors.ts";
import { fetchWithApt } from "./fetch-apt.ts";
import { fetchWithBrew } from "./fetch-brew.ts";
import { findTool, type FetchOptions } from "./fetch-tools.ts";
import { findFetched, findOnPath, type Environment, type ServerProgram } from "./server-program.ts";

export type FindOptions = {
  readonly dataFolder: string;
  readonly environment: Environment;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
};

/**
 * A Redis or Valkey server: on the PATH, else fetched earlier, else fetched now. @throws
 * EmbeddedRedisError
 */
export async function findServer(options: FindOptions): Promise<ServerProgram> {
  const { dataFolder, environment, log } = options;
  const installs = join(dataFolder, "redis-server");
  return (
    (await findOnPath(environment, log)) ??
    (await findFetched(installs)) ??
    (await fetchServer({ ...options, installs }))
  );
}

async function fetchServer(options: FetchOptions): Promise<ServerProgram> {
  const { environment, installs, signal } = options;
  const hasApt =
    (await findTool("apt-get", environment)) !== undefined &&
    (await findTool("dpkg-deb", environment)) !== undefined;
  const brew = await findTool("brew", environment);
  if (!hasApt && brew === undefined) throw new EmbeddedRedisError(advice);
  try {
    await mkdir(installs, { recursive: true, mode: 0o755 });
    return hasApt || brew === undefined
      ? await fetchWithApt(options)
      : await fetchWithBrew(options, brew);
  } catch (error) {
    signal?.throwIfAborted();
    throw new EmbeddedRedisError(`Redis could not be fetched: ${messageOf(error)}\n${advice}`, {
      cause: error,
    });
  }
}

const advice = `Parley needs Redis 6.2 or newer (or Valkey). Install it and start Parley again:
  Debian, Ubuntu:  sudo apt-get install redis-server
  Fedora, RHEL:    sudo dnf install valkey
  Alpine:          sudo apk add redis
  Arch:            sudo pacman -S valkey
  macOS:           brew install redis
or set REDIS_URL to a Redis that runs elsewhere, such as
  docker run -d -p 127.0.0.1:6379:6379 redis:7 redis-server --appendonly yes --appendfsync always
  REDIS_URL=redis://127.0.0.1:6379`;
