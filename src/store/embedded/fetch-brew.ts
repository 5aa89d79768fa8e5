import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { toolEnvironment, type FetchOptions } from "./fetch-tools.ts";
import { runCommand } from "./run-command.ts";
import { openInstall, type Manifest, type ServerProgram } from "./server-program.ts";

/** Installs Redis with Homebrew (no service is started) and remembers where it is. */
export async function fetchWithBrew(options: FetchOptions, brew: string): Promise<ServerProgram> {
  const { installs, log, signal } = options;
  const environment = {
    ...toolEnvironment(options.environment),
    HOMEBREW_NO_AUTO_UPDATE: "1",
    HOMEBREW_NO_ENV_HINTS: "1",
  };
  log("Redis not found; installing it: brew install redis");
  const startedMs = performance.now();
  await runCommand(brew, ["install", "redis"], { environment, signal });
  const prefix = await runCommand(brew, ["--prefix", "redis"], {
    environment,
    signal,
  });
  const folder = join(installs, "brew");
  const manifest: Manifest = {
    command: relative(folder, join(prefix.trim(), "bin", "redis-server")),
    libraryFolders: [],
  };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "server.json"), JSON.stringify(manifest));
  const program = await openInstall(folder);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  log(`Redis ${program.version} installed in ${seconds} s`);
  return program;
}
