import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll } from "vitest";
import { ensureRedisBinary } from "../redis/redis-binary.ts";

/** A PATH with the `redis-server` that all tests use, so that an embedded one starts without fetching anything. */
export async function pathWithRedis(): Promise<string> {
  const { command, libraryFolders } = await ensureRedisBinary();
  const folder = mkdtempSync(join(tmpdir(), "parley-path-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const script = join(folder, "redis-server");
  writeFileSync(
    script,
    `#!/bin/sh\nLD_LIBRARY_PATH='${libraryFolders.join(delimiter)}' exec '${command}' "$@"\n`,
  );
  chmodSync(script, 0o755);
  return [folder, process.env["PATH"] ?? ""].join(delimiter);
}
