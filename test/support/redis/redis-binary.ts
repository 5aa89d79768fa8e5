import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findServer } from "../../../src/store/embedded/find-server.ts";
import { waitForFolderLock } from "../../../src/store/embedded/folder-lock.ts";
import type { ServerProgram } from "../../../src/store/embedded/server-program.ts";

/**
 * Where a server that the tests had to fetch stays for the next run: the repository's own `data`.
 */
export const sharedDataFolder = fileURLToPath(new URL("../../../data", import.meta.url));

let found: Promise<ServerProgram> | undefined;

/** The server that all tests use, fetched once for all workers if there is none on the PATH. */
export function ensureRedisBinary(): Promise<ServerProgram> {
  found ??= find();
  return found;
}

async function find(): Promise<ServerProgram> {
  await mkdir(sharedDataFolder, { recursive: true });
  await using held = new AsyncDisposableStack();
  held.use(await waitForFolderLock(join(sharedDataFolder, "redis-server-lock")));
  return findServer({
    dataFolder: sharedDataFolder,
    environment: process.env,
    log: (line) => process.stderr.write(`${line}\n`),
  });
}
