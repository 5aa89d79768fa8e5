import { pino } from "pino";
import { afterEach } from "vitest";
import { createDeliveryWorker } from "../../src/queue/delivery-worker.ts";
import type { Drain } from "../../src/queue/drain.ts";
import { createTurnWorker, type TurnWorker } from "../../src/queue/turn-worker.ts";
import { createWaker, type QueueDepths, type Waker } from "../../src/queue/waker.ts";
import type { Connection } from "../../src/store/redis/connection.ts";
import { openStore, type Store } from "../../src/store/redis/redis.ts";
import { keysLike } from "../support/redis/test-client.ts";

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly member?: string;
}

/**
 * Everything that a test opens, closed after it in reverse order, and what was logged meanwhile.
 */
export function bench(url: string) {
  let parts = new AsyncDisposableStack();
  const lines: LogLine[] = [];
  const log = pino(
    { level: "debug" },
    { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) },
  );
  const open = (): Store => {
    const store = openStore(url, () => undefined);
    parts.defer(() => store.redis.disconnect());
    return store;
  };
  const connect = (): Connection => open().redis;
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
    waker(): Waker & QueueDepths {
      return parts.use(createWaker({ store: open(), log }));
    },
    async worker(
      waker: Waker,
      drain: Drain,
      more: { concurrency?: number } = {},
    ): Promise<TurnWorker> {
      const worker = parts.use(
        createTurnWorker({
          connection: connect(),
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
    deliveries(
      waker: Waker,
      drain: Drain,
      more: { concurrency?: number; bot?: string; signal?: AbortSignal } = {},
    ): AsyncDisposable {
      return parts.use(
        createDeliveryWorker({
          connection: connect(),
          bot: "telegram:77",
          concurrency: 100,
          drain,
          waker,
          signal: new AbortController().signal,
          log,
          ...more,
        }),
      );
    },
    use: <T extends AsyncDisposable>(part: T): T => parts.use(part),
  };
}

/** BullMQ's keys of a queue that hold a job or the memory of one. */
export async function jobKeys(redis: Connection, queue: string): Promise<string[]> {
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
