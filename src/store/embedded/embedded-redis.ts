import { randomBytes } from "node:crypto";
import { chmod, mkdir, realpath } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { EmbeddedRedisError } from "./errors.ts";
import { findServer } from "./find-server.ts";
import { tryFolderLock } from "./folder-lock.ts";
import type { Environment } from "./server-program.ts";
import { superviseServer } from "./supervise.ts";

export type EmbeddedRedisOptions = {
  /** The server's data goes to `redis` in it, a fetched server to `redis-server`. */
  readonly dataFolder: string;
  /** Reports progress, in whole lines for people. */
  readonly log: (line: string) => void;
  /** PATH and what package tools need (HOME, proxies). The server itself gets none of it. */
  readonly environment: Environment;
  /** Ends a start that is still going on. */
  readonly signal?: AbortSignal | undefined;
};

/** Disposing of it ends the server. */
export type EmbeddedRedis = AsyncDisposable & {
  /** With the password; stays the same when the server has to be started again. */
  readonly url: string;
  readonly pid: number;
  /** False if the server of an earlier Parley was taken over. */
  readonly startedByUs: boolean;
};

/**
 * Gives this process its own Redis, which keeps every acknowledged write.
 * @throws EmbeddedRedisError when another Parley uses the folder, or no server can be had or
 * started.
 */
export async function startEmbeddedRedis(options: EmbeddedRedisOptions): Promise<EmbeddedRedis> {
  const { log, signal } = options;
  const folder = await privateFolder(resolve(options.dataFolder, "redis"));
  const attempt = await tryFolderLock(join(folder, "lock"));
  if (!attempt.taken)
    throw new EmbeddedRedisError(
      `Parley already runs on ${resolve(options.dataFolder)} (process ${attempt.ownerPid}). End that one, or give this one another folder with PARLEY_DATA.`,
    );
  const { lock } = attempt;
  try {
    const server = await superviseServer({
      folder,
      log,
      signal,
      makePassword: () => randomBytes(24).toString("base64url"),
      findProgram: () => findServer(options),
    });
    return {
      url: server.url,
      get pid() {
        return server.pid();
      },
      startedByUs: server.startedByUs,
      async [Symbol.asyncDispose]() {
        await server.stop();
        await lock[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await lock[Symbol.asyncDispose]();
    throw error;
  }
}

/** Makes the folder if need be and closes it to other users; its real path. */
async function privateFolder(path: string): Promise<string> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
    return await realpath(path);
  } catch (error) {
    throw new EmbeddedRedisError(
      `The folder ${path} can't be used for Redis' data: ${messageOf(error)}. Give Parley a folder of its own with PARLEY_DATA.`,
      { cause: error },
    );
  }
}
