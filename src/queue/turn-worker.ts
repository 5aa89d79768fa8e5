import { Worker, type Job } from "bullmq";
import type { Logger } from "pino";
import { z } from "zod";
import { chatKeySchema, type ChatKey } from "../core/chat.ts";
import type { Connection } from "../store/redis/connection.ts";
import { FairSlots } from "../util/fair-slots.ts";
import { sleepUnref } from "../util/sleep.ts";
import { drainSafely, type Drain, type DrainResult } from "./drain.ts";
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

/**
 * How long a stopping worker, all of whose work has ended, waits for its server. BullMQ would wait for
 * ever where its connection is about to be opened again. Milliseconds.
 */
const closeLimitMs = 2_000;

/**
 * Below this many chats a process takes those that it wakes itself at once; beyond it the queue
 * shares them out.
 */
const maxOwn = 10;

/** A worker that had no slot fetches again when this share of them is free. */
const resumeShare = 0.01;

const jobSchema = z.object({
  chat: chatKeySchema,
  others: z.array(chatKeySchema).default([]),
  takenBy: z.string().optional(),
});

/**
 * A running consumer of the turns. Disposing stops fetching, aborts what runs, and waits until it
 * has let go.
 */
export interface TurnWorker extends AsyncDisposable {
  /** Fulfils when the worker listens. */
  readonly ready: Promise<unknown>;
}

export function createTurnWorker(deps: TurnWorkerDeps): TurnWorker {
  const { waker } = deps;
  const stopping = new AbortController();
  const slots = new FairSlots({ perProcess: deps.concurrency, perPerson: 1 });
  /** For each chat that is worked on, or waits for a slot, whether it was woken since. */
  const active = new Map<ChatKey, "drained" | "woken">();

  /** @param isTaken another process has the chat, and wakes it when there is more to do. */
  const drainOne = async (chat: ChatKey, signal: AbortSignal, isTaken = false): Promise<void> => {
    if (active.has(chat)) {
      active.set(chat, "woken");
      return;
    }
    active.set(chat, "drained");
    const again: DrainResult = { type: "again" };
    fetchWhatFits();
    const result = await slots
      .run(chat, () => drainSafely(deps, chat, signal), signal)
      // It waited for a slot until this process stopped: another one goes on with it.
      .catch(() => again);
    const isWoken = active.get(chat) === "woken";
    active.delete(chat);
    fetchWhatFits();
    if (result.type === "again" || isWoken) await waker.wake("turn", chat);
    if (result.type === "later" && !isTaken) waker.wakeIn("turn", chat, result.inMs);
  };

  const process = async (job: Job, _token?: string, lockLost?: AbortSignal): Promise<void> => {
    const { chat, others, takenBy } = jobSchema.parse(job.data);
    if (takenBy === waker.id) return;
    const signal = lockLost ? AbortSignal.any([stopping.signal, lockLost]) : stopping.signal;
    await running(
      Promise.all([chat, ...others].map((each) => drainOne(each, signal, takenBy !== undefined))),
    );
  };

  /** What is waited for at the end. */
  const runs = new Set<Promise<unknown>>();
  const running = async (run: Promise<unknown>): Promise<void> => {
    runs.add(run);
    await run.finally(() => runs.delete(run));
  };
  const offered = waker.offer("turn", (chat) => {
    if (stopping.signal.aborted || (active.size >= maxOwn && !active.has(chat))) return false;
    running(drainOne(chat, stopping.signal)).catch((error: unknown) =>
      deps.log.warn({ error, chat }, "could not wake a chat; the sweeper will"),
    );
    return true;
  });

  // A job whose chats have no slots here is for another worker. Not by `worker.concurrency`: BullMQ
  // reads that again when a job ends, and one slow chat keeps its job.
  const fetchWhatFits = (): void => {
    if (stopping.signal.aborted) return;
    const free = deps.concurrency - active.size;
    if (free <= 0 && !worker.isPaused()) void worker.pause(true);
    if (free >= deps.concurrency * resumeShare && worker.isPaused()) void worker.resume();
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
    offered[Symbol.dispose]();
    worker.pause(true).catch((error: unknown) => deps.log.warn({ error }, "pausing failed"));
    stopping.abort("shutdown");
  };
  deps.signal.addEventListener("abort", onStop, { once: true });
  if (deps.signal.aborted) onStop();

  return {
    ready: worker.waitUntilReady(),
    async [Symbol.asyncDispose]() {
      deps.signal.removeEventListener("abort", onStop);
      offered[Symbol.dispose]();
      const paused = worker.pause(true);
      stopping.abort("shutdown");
      await paused;
      await Promise.allSettled(runs);
      await Promise.race([worker.close(), sleepUnref(closeLimitMs)]);
    },
  };
}
