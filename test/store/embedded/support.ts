import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { onTestFinished } from "vitest";
import {
  startEmbeddedRedis,
  type EmbeddedRedis,
} from "../../../src/store/embedded/embedded-redis.ts";
import { readEmbeddedEndpoint } from "../../../src/store/embedded/endpoint.ts";
import { ensureRedisBinary, sharedDataFolder } from "../../support/redis/redis-binary.ts";

/**
 * An empty folder that goes when the test ends, and with it the server that a killed starter left
 * on it.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-embedded-"));
  onTestFinished(async () => {
    const orphan = await readEmbeddedEndpoint(folder);
    if (orphan !== undefined) process.kill(orphan.pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A data folder in which the tests' server counts as fetched already. */
export async function dataFolderWithServer(): Promise<string> {
  await ensureRedisBinary();
  const folder = temporaryFolder();
  const fetched = join(sharedDataFolder, "redis-server");
  if (existsSync(fetched)) symlinkSync(fetched, join(folder, "redis-server"));
  return folder;
}

export async function start(
  dataFolder: string,
  log: (line: string) => void = () => undefined,
): Promise<EmbeddedRedis> {
  return startEmbeddedRedis({ dataFolder, log, environment: process.env });
}

/** A client that goes when the test ends. */
export function connect(url: string): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  onTestFinished(() => client.disconnect());
  return client;
}

type Line = {
  readonly url?: string;
  readonly pid?: number;
  readonly startedByUs?: boolean;
  readonly log?: string;
  readonly answer?: string;
  readonly error?: string;
};

export type Starter = {
  readonly child: ChildProcess;
  /** The next line that has what is asked for. @throws when the process ends without one. */
  next<Key extends keyof Line>(key: Key): Promise<Line & Required<Pick<Line, Key>>>;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
};

/** Runs `starter.ts` in a process (and a process group) of its own, as the terminal would. */
export function spawnStarter(
  dataFolder: string,
  options: { environment?: NodeJS.ProcessEnv; uid?: number } = {},
): Starter {
  const script = fileURLToPath(new URL("starter.ts", import.meta.url));
  const { uid } = options;
  const user = uid === undefined ? [] : [String(uid)];
  const child = spawn(process.execPath, [script, dataFolder, ...user], {
    env: options.environment ?? process.env,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const ended = new Promise<number | string>((done) =>
    child.once("exit", (code, signal) => done(code ?? signal ?? "")),
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    ended,
    async next(key) {
      for (;;) {
        const { value, done } = await lines.next();
        if (done) throw new Error(`the starter ended (${await ended}) without ${key}`);
        const line = JSON.parse(value) as Line;
        if (line[key] !== undefined) return line as Line & Required<Pick<Line, typeof key>>;
        if (line.error !== undefined) throw new Error(line.error);
      }
    },
  };
}

/** A folder of programs, `name` → the text of a shell script. */
export function programs(scripts: Readonly<Record<string, string>>): string {
  const folder = join(temporaryFolder(), "bin");
  mkdirSync(folder);
  for (const [name, text] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return folder;
}
