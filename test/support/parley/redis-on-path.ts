import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll } from "vitest";
import { ensureRedisBinary } from "../redis/redis-binary.ts";

/**
 * A PATH with the `redis-server` that all tests use and the tools next to it, so that an embedded
 * one starts without fetching anything.
 */
export async function pathWithRedis(): Promise<string> {
  const { command, libraryFolders } = await ensureRedisBinary();
  const folder = mkdtempSync(join(tmpdir(), "parley-path-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const programs = {
    "redis-server": command,
    "redis-cli": join(dirname(command), "redis-cli"),
    "redis-check-rdb": join(dirname(command), "redis-check-rdb"),
  };
  for (const [name, program] of Object.entries(programs)) {
    if (name !== "redis-server" && !existsSync(program)) continue;
    const script = join(folder, name);
    writeFileSync(
      script,
      `#!/bin/sh\nLD_LIBRARY_PATH='${libraryFolders.join(delimiter)}' exec '${program}' "$@"\n`,
    );
    chmodSync(script, 0o755);
  }
  return [folder, process.env["PATH"] ?? ""].join(delimiter);
}
