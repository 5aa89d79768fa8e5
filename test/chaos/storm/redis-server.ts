import { mkdirSync } from "node:fs";
import {
  isGone,
  killQuietly,
  launchServer,
  redisUrl,
} from "../../../src/store/embedded/server-process.ts";
import { ensureRedisBinary } from "../../support/redis/redis-binary.ts";

/**
 * One Redis that keeps everything (`appendfsync always`): `up ⇄ down` on the same port and folder.
 */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** SIGKILL, and waits until it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const goneLimitMs = 10_000;

export async function startRedisServer(folder: string): Promise<RedisServer> {
  const program = await ensureRedisBinary();
  mkdirSync(folder, { recursive: true });
  const launch = (port?: number) =>
    launchServer({
      program,
      folder,
      password: undefined,
      appendOnly: "always",
      port,
    });
  let server = await launch();
  const { port } = server;
  // Several events may want it down at the same time.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work, work);
    return last;
  };
  let isUp = true;
  const kill = async (): Promise<void> => {
    if (!isUp) return;
    isUp = false;
    killQuietly(server.pid, "SIGKILL");
    await isGone(server.pid, server.start, goneLimitMs);
  };
  const removeAll = (): void => killQuietly(server.pid, "SIGKILL");
  process.once("exit", removeAll);
  return {
    url: redisUrl(port, undefined),
    port,
    kill: () => inTurn(kill),
    start: () =>
      inTurn(async () => {
        if (isUp) return;
        server = await launch(port);
        isUp = true;
      }),
    async [Symbol.asyncDispose]() {
      process.off("exit", removeAll);
      await inTurn(kill);
    },
  };
}
