import { Worker } from "node:worker_threads";
import type { ThreadMessage } from "./protocol.ts";

export interface ThreadJob {
  /** A file that calls `serve`, or `serveBytes` where the input is bytes. */
  readonly script: URL;
  readonly input: string | Uint8Array;
  /** Of the work itself, milliseconds; loading the script is not counted. */
  readonly limitMs: number;
  readonly maxMemoryMb: number;
  readonly signal: AbortSignal;
}

export type ThreadOutcome =
  | { readonly type: "done"; readonly text: string }
  | { readonly type: "out-of-time" | "out-of-memory" };

/** Loading a script, milliseconds: only a machine in deep trouble takes longer. */
const startLimitMs = 20_000;

/**
 * Runs work that cannot be trusted to end: each job in a thread of its own, which is ended when the job is done, out
 * of time or no longer wanted. It has no environment variables.
 *
 * A memory limit stops growth; one single huge allocation ends the whole process all the same (V8 says "fatal"), so
 * whoever writes a job's script bounds what can be asked of it.
 *
 * A job is waiting → running → ended; at most `atOnce` run, the others wait in order.
 */
export class Threads {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** @throws the signal's reason; whatever the script throws, as an `Error`. */
  async run(job: ThreadJob): Promise<ThreadOutcome> {
    await this.#enter(job.signal);
    try {
      return await runThread(job);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async #enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(signal.reason as Error);
    };
    this.#waiting.push(resolve);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }
}

/** How often a thread's buffers are looked at, milliseconds. */
const watchMs = 100;

/** Of buffers. Never rejects: a thread that has ended meanwhile says itself how. */
async function hasMoreThan(
  worker: Worker,
  maxMemoryMb: number,
): Promise<boolean> {
  try {
    const { external_memory: bytes } = await worker.getHeapStatistics();
    return bytes > maxMemoryMb * 1_048_576;
  } catch {
    return false;
  }
}

async function runThread(job: ThreadJob): Promise<ThreadOutcome> {
  job.signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ThreadOutcome>();
  const onAbort = (): void => reject(job.signal.reason as Error);
  job.signal.addEventListener("abort", onAbort, { once: true });
  const outOfTime = (): void => resolve({ type: "out-of-time" });
  let timer = setTimeout(outOfTime, startLimitMs);
  const worker = new Worker(job.script, {
    workerData: job.input,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: job.maxMemoryMb, stackSizeMb: 4 },
  });
  worker.on("message", (message: ThreadMessage) => {
    if (message.type === "done") return resolve(message);
    clearTimeout(timer);
    timer = setTimeout(outOfTime, job.limitMs);
  });
  worker.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY")
      resolve({ type: "out-of-memory" });
    else reject(error);
  });
  worker.on("exit", () => reject(new Error("the thread ended too early")));
  // V8's own limit does not count buffers.
  const watch = setInterval(
    () =>
      void hasMoreThan(worker, job.maxMemoryMb).then((isTooMuch) =>
        isTooMuch ? resolve({ type: "out-of-memory" }) : undefined,
      ),
    watchMs,
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
    job.signal.removeEventListener("abort", onAbort);
    await worker.terminate();
  }
}
