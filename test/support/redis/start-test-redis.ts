import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isGone,
  killQuietly,
  launchServer,
  redisUrl,
} from "../../../src/store/embedded/server-process.ts";
import type { ServerConfig } from "../../../src/store/embedded/server-config.ts";
import { ensureRedisBinary } from "./redis-binary.ts";

export type TestRedisOptions = {
  /** Default `off`: nothing survives a restart. */
  readonly appendOnly?: ServerConfig["appendOnly"];
  readonly password?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** As on the command line; they beat the configuration. */
  readonly args?: readonly string[];
};

/** A server of its own in a temporary folder, which goes with it. */
export type TestRedis = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  /** Where its masters keep their files: of the first master, where there is a replica. */
  readonly folders: readonly string[];
  /** Of the process that runs now, or ran last. */
  readonly pid: number;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  /** SIGKILL if it still runs, then a new process with the same port and folder. */
  restart(): Promise<void>;
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
};

const goneLimitMs = 10_000;

export async function startTestRedis(options: TestRedisOptions = {}): Promise<TestRedis> {
  const program = await ensureRedisBinary();
  const folder = mkdtempSync(join(tmpdir(), "parley-redis-"));
  const launch = (port?: number) =>
    launchServer({
      program,
      folder,
      password: options.password,
      appendOnly: options.appendOnly ?? "off",
      arguments: options.args ?? [],
      port,
    });
  let server = await launch(options.port).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  const { port } = server;
  const kill = async () => {
    killQuietly(server.pid, "SIGKILL");
    await isGone(server.pid, server.start, goneLimitMs);
  };
  const removeAll = () => {
    killQuietly(server.pid, "SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  process.once("exit", removeAll);
  return {
    url: redisUrl(port, options.password),
    port,
    folders: [folder],
    get pid() {
      return server.pid;
    },
    kill,
    async restart() {
      await kill();
      server = await launch(port);
    },
    pause: () => killQuietly(server.pid, "SIGSTOP"),
    resume: () => killQuietly(server.pid, "SIGCONT"),
    async [Symbol.asyncDispose]() {
      process.off("exit", removeAll);
      await kill();
      removeAll();
    },
  };
}
