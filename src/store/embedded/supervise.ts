import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../core/errors.ts";
import { removeEndpoint, writeEndpoint } from "./endpoint.ts";
import { adoptOrphan, type Orphan } from "./orphan.ts";
import type { ServerProgram } from "./server-program.ts";
import {
  isGone,
  killQuietly,
  launchServer,
  redisUrl,
  stopServer,
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

type Running = {
  readonly pid: number;
  readonly start: string;
  readonly port: number;
  readonly password: string;
  readonly ended: Promise<string>;
};

const orphanPollMs = 250;
const restartPauseMs = 200;
const maxRestartPauseMs = 5_000;

/**
 * Keeps one server running: `starting → running → (down → running)* → stopping → stopped`. `starting` takes over
 * the server of an earlier Parley if there is one. `down` is a server that ended without being told to; it is started
 * again on the same port, with the same password, until that succeeds or `stop` is called.
 */
export async function superviseServer(
  options: SuperviseOptions,
): Promise<SupervisedServer> {
  const { folder, log } = options;
  const orphan = await adoptOrphan(folder, log);
  options.signal?.throwIfAborted();
  let running =
    orphan === undefined
      ? await launch(options, { password: options.makePassword() })
      : adopt(orphan);
  const { port, password } = running;
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
      for (let pauseMs = restartPauseMs; !stopping.signal.aborted;) {
        try {
          const { signal } = stopping;
          const again = { ...options, signal };
          running = await launch(again, { port, password });
          log(`Redis runs again (process ${running.pid})`);
          break;
        } catch (error) {
          if (stopping.signal.aborted) return;
          log(messageOf(error));
          await sleep(pauseMs, undefined, {
            signal: stopping.signal,
          }).catch(() => undefined);
          pauseMs = Math.min(2 * pauseMs, maxRestartPauseMs);
        }
      }
    }
  };
  const kept = keepRunning();

  return {
    url: redisUrl(port, password),
    pid: () => running.pid,
    startedByUs: orphan === undefined,
    async stop() {
      stopping.abort();
      const url = redisUrl(port, password);
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

async function launch(
  { folder, findProgram, signal }: SuperviseOptions,
  given: { readonly port?: number; readonly password: string },
): Promise<Running> {
  const { password } = given;
  const program = await findProgram();
  const server = await launchServer({
    program,
    folder,
    password,
    port: given.port,
    appendOnly: "always",
    signal,
    onStarting: ({ port, process }) =>
      writeEndpoint(folder, { v: 1, port, password, folder, process }),
  });
  return { ...server, password };
}

function adopt({ endpoint, pid, start }: Orphan): Running {
  const { port, password, folder } = endpoint;
  writeEndpoint(folder, { ...endpoint, process: { pid, start } });
  const waitForEnd = async () => {
    while (!(await isGone(pid, start, orphanPollMs)));
    return "it was not our child";
  };
  return { pid, start, port, password, ended: waitForEnd() };
}
