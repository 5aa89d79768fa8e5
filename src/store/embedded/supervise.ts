import { join } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { backoffMs } from "../../util/backoff.ts";
import { sleep } from "../../util/sleep.ts";
import { removeEndpoint, writeEndpoint, type Endpoint } from "./endpoint.ts";
import { adoptOrphan, type Orphan } from "./orphan.ts";
import type { ServerProgram } from "./server-program.ts";
import {
  isGone,
  killQuietly,
  launchServer,
  serverUrl,
  stopServer,
  type ServerProcess,
} from "./server-process.ts";

export type SuperviseOptions = {
  /** The real path of the data's folder, locked by us. */
  readonly folder: string;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal | undefined;
  readonly makePassword: () => string;
  readonly findProgram: () => Promise<ServerProgram>;
};

export type SupervisedServer = {
  readonly url: string;
  /** Of the server that runs now. */
  readonly pid: () => number;
  readonly startedByUs: boolean;
  stop(): Promise<void>;
};

/** Where the server listens: a socket, or a port with a password. */
type Where = Pick<Endpoint, "port" | "password" | "socket">;

type Running = {
  readonly pid: number;
  readonly start: string;
  readonly where: Where;
  readonly ended: Promise<string>;
};

const orphanPollMs = 250;
const restartPause = { firstMs: 200, maxMs: 5_000 };

/**
 * Keeps one server running: `starting → running → (down → running)* → stopping → stopped`.
 * `starting` takes over the server of an earlier Parley if there is one. `down` is a server that
 * ended without being told to; it is started again at the same place, with the same password, until
 * that succeeds or `stop` is called.
 */
export async function superviseServer(options: SuperviseOptions): Promise<SupervisedServer> {
  const { folder, log } = options;
  const orphan = await adoptOrphan(folder, log);
  options.signal?.throwIfAborted();
  let running =
    orphan === undefined
      ? await launch(options, {
          password: options.makePassword(),
          ...socketIn(folder),
        })
      : adopt(orphan);
  const { where } = running;
  if (orphan !== undefined) {
    log(`Taking over the Redis that still runs (process ${running.pid})`);
  }
  const stopping = new AbortController();
  // The last resort when Parley exits without disposing: SIGTERM lets the server write its log out.
  const onExit = () => killQuietly(running.pid, "SIGTERM");
  process.once("exit", onExit);

  const keepRunning = async () => {
    while (!stopping.signal.aborted) {
      const how = await running.ended;
      if (stopping.signal.aborted) return;
      log(`Redis ended by itself (${how}); starting it again`);
      for (let failures = 1; !stopping.signal.aborted; failures += 1) {
        try {
          const { signal } = stopping;
          const again = { ...options, signal };
          running = await launch(again, where);
          log(`Redis runs again (process ${running.pid})`);
          break;
        } catch (error) {
          if (stopping.signal.aborted) return;
          log(messageOf(error));
          await sleep(backoffMs(failures, restartPause), stopping.signal).catch(() => undefined);
        }
      }
    }
  };
  const kept = keepRunning();

  return {
    url: serverUrl(where),
    pid: () => running.pid,
    startedByUs: orphan === undefined,
    async stop() {
      stopping.abort();
      const url = serverUrl(where);
      const last = running;
      await stopServer({ ...last, url });
      await kept;
      // It may have been started again in this very moment.
      if (running !== last) await stopServer({ ...running, url });
      process.off("exit", onExit);
      removeEndpoint(folder);
    },
  };
}

/** Bytes of a socket's path that the system takes, its end not counted. */
const maxSocketPathBytes = process.platform === "darwin" ? 103 : 107;

/** Empty where the path is too long, or is one that ioredis would take for more than a path. */
function socketIn(folder: string): Pick<Where, "socket"> {
  const socket = join(folder, "redis.sock");
  const isUsable = Buffer.byteLength(socket) <= maxSocketPathBytes && !/[?#]/.test(socket);
  return isUsable ? { socket } : {};
}

async function launch(
  { folder, findProgram, signal }: SuperviseOptions,
  given: { readonly port?: number } & Omit<Where, "port">,
): Promise<Running> {
  const program = await findProgram();
  const whereOf = ({ port, socket }: Pick<ServerProcess, "port" | "socket">): Where =>
    socket === undefined ? { port, password: given.password } : { port, password: "", socket };
  const server = await launchServer({
    program,
    folder,
    ...given,
    // Empty where it was on a socket: it must not come back on a port without one.
    password: given.password || undefined,
    appendOnly: "always",
    signal,
    onStarting: ({ process, ...starting }) =>
      writeEndpoint(folder, { v: 1, ...whereOf(starting), folder, process }),
  });
  return { ...server, where: whereOf(server) };
}

function adopt({ endpoint, pid, start }: Orphan): Running {
  const { folder } = endpoint;
  writeEndpoint(folder, { ...endpoint, process: { pid, start } });
  const waitForEnd = async () => {
    while (!(await isGone(pid, start, orphanPollMs)));
    return "it was not our child";
  };
  return { pid, start, where: endpoint, ended: waitForEnd() };
}
