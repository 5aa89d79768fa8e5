/**
 * The position relative to earlier work of the same key. `in order`: after all
 * of it. `slow`: the same, but it may take long. `overtaking`: before slow work
 * and everything that waits after it.
 */
export type Priority = "in order" | "slow" | "overtaking";

/** The position of a task in its queue. */
export interface Queued {
  /** Aborts when a later task has made it pointless. */
  readonly dropped: AbortSignal;
  /**
   * Drops the overtaken jobs. @returns their ids, as far as they have one; each
   * time all of them.
   * @param of a person's id: only their jobs.
   */
  readonly dropEarlier: (of?: string) => readonly string[];
}

interface Job {
  readonly id: string | undefined;
  readonly personId: string | undefined;
  /** Slow, or after something slow. */
  readonly isHeldUp: boolean;
  readonly dropped: AbortController;
}

interface QueueOfKey {
  /** Those that have not settled, in their order. */
  readonly jobs: Set<Job>;
  /** How many of them are held up. */
  heldUp: number;
  /** Fulfils when all jobs so far have settled; it never rejects, nor does the other. */
  all: Promise<unknown>;
  /** The same for jobs without slow ones before them. */
  free: Promise<unknown>;
}

/**
 * Work that is done one after another for one key, and side by side for different keys. A key's
 * queue lives while it has work. What a job costs does not depend on how many wait before it.
 */
export class KeyedQueue {
  readonly #queues = new Map<string, QueueOfKey>();
  #size = 0;

  /** How many jobs are waiting or running. */
  get size(): number {
    return this.#size;
  }

  /** Whether a job is waiting or running there. */
  isBusy(key: string): boolean {
    return this.#queues.has(key);
  }

  /** Whether there is something to overtake. */
  isHeldUp(key: string): boolean {
    return (this.#queues.get(key)?.heldUp ?? 0) > 0;
  }

  /**
   * Starts at once if nothing is ahead. Settles as `work` does.
   * @param id of the job's subject, reported when it is dropped.
   * @param personId its owner.
   */
  run<T>(
    key: string,
    work: (queued: Queued) => Promise<T>,
    {
      priority = "in order",
      id,
      personId,
    }: {
      readonly priority?: Priority;
      readonly id?: string;
      readonly personId?: string;
    } = {},
  ): Promise<T> {
    const queue = this.#queueOf(key);
    const overtakes = priority === "overtaking";
    const isHeldUp = !overtakes && (priority === "slow" || queue.heldUp > 0);
    const job = { id, personId, isHeldUp, dropped: new AbortController() };
    const queued = positionIn(queue, job);
    const ahead = queue.jobs.size - (overtakes ? queue.heldUp : 0);
    const before = overtakes ? queue.free : queue.all;
    const settled = this.#enter(queue, job, overtakes);
    const result = ahead === 0 ? work(queued) : before.then(() => work(queued));
    const leave = (): void => {
      this.#leave(key, queue, job);
      settled();
    };
    result.then(leave, leave);
    return result;
  }

  /** As `run`; `job` must not reject. */
  start(key: string, job: () => Promise<void>, priority?: Priority): void {
    void this.run(key, job, priority === undefined ? {} : { priority });
  }

  /** Fulfils when there is no work left, what the work has given to other keys included. */
  async idle(): Promise<void> {
    while (this.#size > 0) await Promise.all([...this.#queues.values()].map(({ all }) => all));
  }

  #queueOf(key: string): QueueOfKey {
    const done = Promise.resolve();
    const queue = this.#queues.get(key) ?? {
      jobs: new Set(),
      heldUp: 0,
      all: done,
      free: done,
    };
    this.#queues.set(key, queue);
    return queue;
  }

  /** @returns what says that it has settled. */
  #enter(queue: QueueOfKey, job: Job, overtakes: boolean): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.jobs.add(job);
    this.#size += 1;
    if (job.isHeldUp) queue.heldUp += 1;
    else queue.free = Promise.all([queue.free, promise]);
    // A task that overtakes no other ends last.
    queue.all = overtakes ? Promise.all([queue.all, promise]) : promise;
    return resolve;
  }

  #leave(key: string, queue: QueueOfKey, job: Job): void {
    queue.jobs.delete(job);
    if (job.isHeldUp) queue.heldUp -= 1;
    if (queue.jobs.size === 0) this.#queues.delete(key);
    this.#size -= 1;
  }
}

function positionIn({ jobs }: QueueOfKey, own: Job): Queued {
  const taken: string[] = [];
  return {
    dropped: own.dropped.signal,
    dropEarlier(of) {
      if (!jobs.has(own)) return taken;
      // They are in order of arrival.
      for (const job of jobs) {
        if (job === own) break;
        if (!job.isHeldUp || job.dropped.signal.aborted) continue;
        if (of !== undefined && job.personId !== of) continue;
        job.dropped.abort();
        if (job.id !== undefined) taken.push(job.id);
      }
      return taken;
    },
  };
}
