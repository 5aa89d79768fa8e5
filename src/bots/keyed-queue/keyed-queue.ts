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
 * Work that is done one after another within a lane, and side by side between lanes. A lane lives
 * while it has work. What a job costs does not depend on how many wait before it.
 */
export class KeyedQueue {
  readonly #queue = new Map<string, QueueOfKey>();
  #size = 0;

  /** How many jobs are waiting or running. */
  get size(): number {
    return this.#size;
  }

  /** Whether a job is waiting or running there. */
  isBusy(lane: string): boolean {
    return this.#queue.has(lane);
  }

  /** Whether there is something to overtake. */
  isHeldUp(lane: string): boolean {
    return (this.#queue.get(lane)?.heldUp ?? 0) > 0;
  }

  /**
   * Starts at once if nothing is ahead. Settles as `work` does.
   * @param id of the job's subject, reported when it is dropped.
   * @param personId its owner.
   */
  run<T>(
    name: string,
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
    const lane = this.#queueKeyOf(name);
    const overtakes = priority === "overtaking";
    const isHeldUp = !overtakes && (priority === "slow" || lane.heldUp > 0);
    const job = { id, personId, isHeldUp, dropped: new AbortController() };
    const queued = inLaneOf(lane, job);
    const ahead = lane.jobs.size - (overtakes ? lane.heldUp : 0);
    const before = overtakes ? lane.free : lane.all;
    const settled = this.#enter(lane, job, overtakes);
    const result = ahead === 0 ? work(queued) : before.then(() => work(queued));
    const leave = (): void => {
      this.#leave(name, lane, job);
      settled();
    };
    result.then(leave, leave);
    return result;
  }

  /** As `run`; `job` must not reject. */
  start(lane: string, job: () => Promise<void>, priority?: Priority): void {
    void this.run(lane, job, priority === undefined ? {} : { priority });
  }

  /** Fulfils when there is no work left, what the work has given to other lanes included. */
  async idle(): Promise<void> {
    while (this.#size > 0) await Promise.all([...this.#queue.values()].map(({ all }) => all));
  }

  #queueKeyOf(name: string): QueueOfKey {
    const done = Promise.resolve();
    const lane = this.#queue.get(name) ?? {
      jobs: new Set(),
      heldUp: 0,
      all: done,
      free: done,
    };
    this.#queue.set(name, lane);
    return lane;
  }

  /** @returns what says that it has settled. */
  #enter(lane: QueueOfKey, job: Job, overtakes: boolean): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.jobs.add(job);
    this.#size += 1;
    if (job.isHeldUp) lane.heldUp += 1;
    else lane.free = Promise.all([lane.free, promise]);
    // A task that overtakes no other ends last.
    lane.all = overtakes ? Promise.all([lane.all, promise]) : promise;
    return resolve;
  }

  #leave(name: string, lane: QueueOfKey, job: Job): void {
    lane.jobs.delete(job);
    if (job.isHeldUp) lane.heldUp -= 1;
    if (lane.jobs.size === 0) this.#queue.delete(name);
    this.#size -= 1;
  }
}

function inLaneOf({ jobs }: QueueOfKey, own: Job): Queued {
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
