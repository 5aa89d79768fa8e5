import { pino } from "pino";
import { afterEach } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import {
  createDrainWorker,
  type DrainResult,
  type DrainWorker,
} from "../../src/queue/drain-worker.ts";
import { turnQueueName } from "../../src/queue/names.ts";
import { createWaker, type Waker } from "../../src/queue/waker.ts";
import type { Connection } from "../../src/store/connection.ts";
import { openStore } from "../../src/store/redis.ts";
import { keysLike } from "../support/redis/test-client.ts";

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly member?: string;
}

/** Everything that a test opens, closed after it in reverse order, and what was logged meanwhile. */
export function bench(url: string) {
  let parts = new AsyncDisposableStack();
  const lines: LogLine[] = [];
  const log = pino(
    { level: "debug" },
    { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) },
  );
  const connect = (): Connection => {
    const { redis } = openStore(url, () => undefined);
    parts.defer(() => redis.disconnect());
    return redis;
  };
  afterEach(async () => {
    const held = parts;
    parts = new AsyncDisposableStack();
    await held.disposeAsync();
    lines.length = 0;
  });
  return {
    log,
    lines,
    connect,
    waker(): Waker {
      return parts.use(createWaker({ connection: connect(), log }));
    },
    async worker(
      waker: Waker,
      drain: (chat: ChatKey, signal: AbortSignal) => Promise<DrainResult>,
      more: { concurrency?: number; queueName?: string } = {},
    ): Promise<DrainWorker> {
      const worker = parts.use(
        createDrainWorker({
          connection: connect(),
          queueName: turnQueueName,
          mailbox: "turn",
          concurrency: 100,
          drain,
          waker,
          signal: new AbortController().signal,
          log,
          ...more,
        }),
      );
      await worker.ready;
      return worker;
    },
    use: <T extends AsyncDisposable>(part: T): T => parts.use(part),
  };
}

/** BullMQ's keys of a queue that hold a job or the memory of one. */
export async function jobKeys(
  redis: Connection,
  queue: string,
): Promise<string[]> {
  const prefix = `parley:${queue}:`;
  const standing = new Set([
    "meta",
    "id",
    "events",
    "stalled-check",
    "marker",
    "completed",
    "failed",
  ]);
  return (await keysLike(redis, `${prefix}*`))
    .map((key) => key.slice(prefix.length))
    .filter((name) => !standing.has(name));
}
