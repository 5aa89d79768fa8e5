import { Worker, type Job } from "bullmq";
import type { Logger } from "pino";
import { z } from "zod";
import { chatKeySchema } from "../core/chat.ts";
import type { Connection } from "../store/redis/connection.ts";
import { drainSafely, type Drain } from "./drain.ts";
import {
  lockMs,
  queuePrefix,
  retryAfterErrorMs,
  stalledIntervalMs,
  turnQueueName,
} from "./names.ts";
import { queueConnection } from "./queue-connection.ts";
import { queueErrorLog } from "./queue-error-log.ts";
import type { Waker } from "./waker.ts";

export interface TurnWorkerDeps {
  readonly connection: Connection;
  /** Chats that are worked on at the same time. */
  readonly concurrency: number;
  readonly drain: Drain;
  readonly waker: Waker;
  /**
   * Aborts when the process is stopping: running work is released at once,
   * before anything is disposed.
   */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const jobSchema = z.object({ chat: chatKeySchema });

/**
 * A running consumer of the turns. Disposing stops fetching, aborts what runs, and waits until it
 * has let go.
 */
export interface TurnWorker extends AsyncDisposable {
  /** Fulfils when the worker listens. */
  readonly ready: Promise<unknown>;
}

export function createTurnWorker(deps: TurnWorkerDeps): TurnWorker {
  const stopping = new AbortController();

  const process = async (job: Job, _token?: string, lockLost?: AbortSignal): Promise<void> => {
    const { chat } = jobSchema.parse(job.data);
    const signal = lockLost ? AbortSignal.any([stopping.signal, lockLost]) : stopping.signal;
    const result = await drainSafely(deps, chat, signal);
    if (result.type === "again") await deps.waker.wake("turn", chat);
    if (result.type === "later") deps.waker.wakeIn("turn", chat, result.inMs);
  };

  const worker = new Worker(turnQueueName, process, {
    connection: queueConnection(deps.connection),
    prefix: queuePrefix,
    concurrency: deps.concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledIntervalMs,
    // A chat must outlive any number of dead workers: poisoned turns are counted in the chat's own
    // state.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: retryAfterErrorMs,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  const logError = queueErrorLog(deps.log, turnQueueName);
  worker.on("error", (error) => logError(error, "worker error"));
  worker.on("failed", (_job, error) =>
    deps.log.error({ error, queue: turnQueueName }, "a drain job failed"),
  );
  worker.on("lockRenewalFailed", (jobIds: string[]) => {
    for (const id of jobIds) worker.cancelJob(id, "lock lost");
  });

  const onStop = (): void => {
    worker.pause(true).catch((error: unknown) => deps.log.warn({ error }, "pausing failed"));
    stopping.abort("shutdown");
  };
  deps.signal.addEventListener("abort", onStop, { once: true });
  if (deps.signal.aborted) onStop();

  return {
    ready: worker.waitUntilReady(),
    async [Symbol.asyncDispose]() {
      deps.signal.removeEventListener("abort", onStop);
      const paused = worker.pause(true);
      stopping.abort("shutdown");
      await paused;
      await worker.close();
    },
  };
}
