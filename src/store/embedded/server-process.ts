import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sleep } from "../../util/sleep.ts";
import { EmbeddedRedisError } from "./errors.ts";
import { freePort } from "./free-port.ts";
import { openProbe, probe } from "./probe.ts";
import { processStart } from "../operations/process-identity.ts";
import { serverConfigText, type ServerConfig } from "./server-config.ts";
import { serverEnvironment, type ServerProgram } from "./server-program.ts";

/** A server that answers. */
export type ServerProcess = {
  readonly pid: number;
  readonly port: number;
  readonly socket: string | undefined;
  /** Its start time, as `processStart` returns it. */
  readonly start: string;
  /** How it ended, once it has. */
  readonly ended: Promise<string>;
};

export type LaunchOptions = Omit<ServerConfig, "port"> & {
  readonly program: ServerProgram;
  /** Without a socket; undefined: any free one. */
  readonly port?: number | undefined;
  /** More arguments, as on the command line. */
  readonly arguments?: readonly string[];
  /** Called before the process is started, and again once it has a pid. */
  readonly onStarting?: (starting: {
    readonly port: number;
    readonly socket: string | undefined;
    readonly process: { readonly pid: number; readonly start: string } | undefined;
  }) => void;
  readonly signal?: AbortSignal | undefined;
};

const maxPortAttempts = 5;
/** How long a server may be silent; one that reports that it is loading may take any time. */
const silenceLimitMs = 30_000;
const probeEveryMs = 15;

/**
 * Starts a server in its own session, so that Ctrl-C in the terminal does not reach it before
 * Parley has finished, and waits until it answers. @throws EmbeddedRedisError with the end of its
 * log when it does not.
 */
export async function launchServer(options: LaunchOptions): Promise<ServerProcess> {
  let { socket } = options;
  for (let attempt = 1; ; attempt += 1) {
    const port = socket === undefined ? (options.port ?? (await freePort())) : 0;
    const outcome = await launchOnce(options, { port, socket });
    if ("process" in outcome) return outcome.process;
    const canFallBack = socket !== undefined && options.password !== undefined;
    if (outcome.reason === "no-sockets" && canFallBack) {
      socket = undefined;
      continue;
    }
    const mayTryAgain = options.port === undefined && attempt < maxPortAttempts;
    if (outcome.reason === "port-taken" && mayTryAgain) continue;
    throw new EmbeddedRedisError(
      `Redis (${options.program.command}) did not start: ${outcome.message}`,
    );
  }
}

type Outcome =
  | { readonly process: ServerProcess }
  | {
      /** `no-sockets`: the folder's file system has none. */
      readonly reason: "port-taken" | "no-sockets" | "failed";
      readonly message: string;
    };

async function launchOnce(
  options: LaunchOptions,
  where: { readonly port: number; readonly socket: string | undefined },
): Promise<Outcome> {
  const { folder, signal } = options;
  const password = where.socket === undefined ? options.password : undefined;
  const logFile = join(folder, "redis.log");
  const configFile = join(folder, "redis.conf");
  const config = serverConfigText({ ...options, ...where, password });
  await writeFile(configFile, config, { mode: 0o600 });
  await chmod(configFile, 0o600);
  signal?.throwIfAborted();
  options.onStarting?.({ ...where, process: undefined });
  const { child, ended } = spawnServer(options, { configFile, logFile });
  const { pid } = child;
  if (pid === undefined) return { reason: "failed", message: await ended };
  const start = (await processStart(pid)) ?? "";
  options.onStarting?.({ ...where, process: { pid, start } });
  const end: { how?: string } = {};
  void ended.then((how) => (end.how = how));
  const url = serverUrl({ ...where, password });
  let spokeMs = performance.now();
  while (end.how === undefined) {
    const found = await probe(url);
    if (found.state === "ready" && found.pid === pid)
      return { process: { pid, ...where, start, ended } };
    if (found.state === "loading") spokeMs = performance.now();
    if (signal?.aborted || performance.now() - spokeMs > silenceLimitMs) {
      child.kill("SIGKILL");
      await ended;
      signal?.throwIfAborted();
      return { reason: "failed", message: `no answer: ${found.state}` };
    }
    await sleep(probeEveryMs);
  }
  const tail = await logTail(logFile, pid);
  return {
    reason: reasonIn(tail),
    message: `${end.how}. The end of ${logFile}:\n${tail}`,
  };
}

function reasonIn(log: string): "port-taken" | "no-sockets" | "failed" {
  if (/unix socket/i.test(log)) return "no-sockets";
  return /Address already in use|EADDRINUSE/i.test(log) ? "port-taken" : "failed";
}

function spawnServer(
  { program, arguments: more = [] }: LaunchOptions,
  files: { readonly configFile: string; readonly logFile: string },
) {
  const log = openSync(files.logFile, "a", 0o600);
  try {
    // Redis takes these for a pattern of names, from version 7 on: it is given the file's content
    // instead.
    const isPattern = /[*?[]/.test(files.configFile);
    const config = isPattern ? openSync(files.configFile, "r") : undefined;
    const first = isPattern ? "-" : files.configFile;
    const child = spawn(program.command, [first, ...more], {
      argv0: program.command,
      // The data's folder is part of the configuration.
      cwd: dirname(program.command),
      detached: true,
      env: { ...serverEnvironment(program) },
      stdio: [config ?? "ignore", log, log],
    });
    if (config !== undefined) closeSync(config);
    const ended = new Promise<string>((done) => {
      child.once("error", (error) => done(error.message));
      child.once("exit", (code, signal) =>
        done(signal === null ? `it ended with ${code}` : `it died of ${signal}`),
      );
    });
    return { child, ended };
  } finally {
    closeSync(log);
  }
}

/** As `parseRedisUrl` takes it: a socket's path, or a URL. */
export const serverUrl = ({
  port,
  password,
  socket,
}: {
  readonly port: number;
  readonly password: string | undefined;
  readonly socket?: string | undefined;
}): string => socket ?? redisUrl(port, password);

export function redisUrl(port: number, password: string | undefined): string {
  const user = password === undefined ? "" : `default:${encodeURIComponent(password)}@`;
  return `redis://${user}127.0.0.1:${port}`;
}

/** The last output of process `pid`; earlier starts wrote into the same file. */
async function logTail(logFile: string, pid: number): Promise<string> {
  const lines = (await readFile(logFile, "utf8")).trim().split("\n");
  const first = lines.findLastIndex((line) => !line.startsWith(`${pid}:`));
  const own = lines.slice(first + 1);
  return (own.length > 0 ? own : lines).slice(-8).join("\n");
}

export type StopOptions = {
  readonly url: string;
  readonly pid: number;
  readonly start: string;
};

const graceMs = 2_000;

/**
 * Asks the server to end, which writes its log out first; then SIGTERM, then SIGKILL, 2 s apart.
 */
export async function stopServer(options: StopOptions): Promise<void> {
  const { url, pid, start } = options;
  const client = openProbe(url);
  try {
    await client.connect();
    // It answers by closing the connection.
    await client.shutdown("NOSAVE").catch(() => undefined);
  } catch {
    // It does not answer: the signals below will do.
  } finally {
    client.disconnect();
  }
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    if (await isGone(pid, start, graceMs)) return;
    killQuietly(pid, signal);
  }
  await isGone(pid, start, graceMs);
}

/** Whether the process is gone within `limitMs`. */
export async function isGone(pid: number, start: string, limitMs: number): Promise<boolean> {
  const endMs = performance.now() + limitMs;
  while ((await processStart(pid)) === start) {
    if (performance.now() >= endMs) return false;
    await sleep(probeEveryMs);
  }
  return true;
}

export function killQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
