import { Worker, type Job } from "bullmq";
import type { Logger } from "pino";
import { z } from "zod";
import { chatKeySchema, type ChatKey } from "../core/chat.ts";
import { messageOf, RetryableError } from "../core/errors.ts";
import type { Connection } from "../store/connection.ts";
import {
  lockMs,
  queuePrefix,
  retryAfterTroubleMs,
  stalledIntervalMs,
} from "./names.ts";
import { queueConnection } from "./queue-connection.ts";
import { troubleLog } from "./trouble-log.ts";
import type { Mailbox, Waker } from "./waker.ts";

/** What came of one look at a chat's mailbox. */
export type DrainResult =
  | { readonly type: "done" }
  | { readonly type: "again" }
  | { readonly type: "later"; readonly atMs: number };

export interface DrainWorkerDeps {
  readonly connection: Connection;
  readonly queueName: string;
  readonly mailbox: Mailbox;
  /** Chats that are worked on at the same time. */
  readonly concurrency: number;
  /** Does what is due in one chat. The signal aborts when the process stops or the job's lock is lost. */
  readonly drain: (chat: ChatKey, signal: AbortSignal) => Promise<DrainResult>;
  readonly waker: Waker;
  /** Aborts when the process is told to stop: what runs is given back at once, before anything is disposed. */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

const jobSchema = z.object({ chat: chatKeySchema });

/** A running consumer of one queue. Disposing stops fetching, aborts what runs, and waits until it has let go. */
export interface DrainWorker extends AsyncDisposable {
  /** Fulfils when the worker listens. */
  readonly ready: Promise<unknown>;
}

export function createDrainWorker(deps: DrainWorkerDeps): DrainWorker {
  const stopping = new AbortController();

  const process = async (
    job: Job,
    _token?: string,
    lockLost?: AbortSignal,
  ): Promise<void> => {
    const { chat } = jobSchema.parse(job.data);
    const signal = lockLost
      ? AbortSignal.any([stopping.signal, lockLost])
      : stopping.signal;
    const result = await drainSafely(deps, chat, signal);
    if (result.type === "again") await deps.waker.wake(deps.mailbox, chat);
    if (result.type === "later")
      deps.waker.wakeAt(deps.mailbox, chat, result.atMs);
  };

  const worker = new Worker(deps.queueName, process, {
    connection: queueConnection(deps.connection),
    prefix: queuePrefix,
    concurrency: deps.concurrency,
    lockDuration: lockMs,
    stalledInterval: stalledIntervalMs,
    // A chat must outlive any number of dead workers: poisoned turns are counted in the chat's own state.
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    runRetryDelay: retryAfterTroubleMs,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  });
  const trouble = troubleLog(deps.log, deps.queueName);
  worker.on("error", (error) => trouble(error, "worker trouble"));
  worker.on("failed", (_job, error) =>
    deps.log.error({ error, queue: deps.queueName }, "a drain job failed"),
  );
  worker.on("lockRenewalFailed", (jobIds: string[]) => {
    for (const id of jobIds) worker.cancelJob(id, "lock lost");
  });

  const onStop = (): void => {
    worker
      .pause(true)
      .catch((error: unknown) => deps.log.warn({ error }, "pausing failed"));
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

/** A chat that cannot be drained now stays in the wake index: the sweeper tries again. */
async function drainSafely(
  deps: DrainWorkerDeps,
  chat: ChatKey,
  signal: AbortSignal,
): Promise<DrainResult> {
  try {
    return await deps.drain(chat, signal);
  } catch (error) {
    deps.log.error(
      { error, chat, cause: messageOf(error) },
      "a chat could not be drained",
    );
    if (error instanceof RetryableError)
      return { type: "later", atMs: Date.now() + error.retryAfterMs };
    return { type: "done" };
  }
}
