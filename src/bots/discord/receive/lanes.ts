/** Work that is done one after another within a lane, and side by side between lanes. A lane lives while it has work. */
export class Lanes {
  readonly #tails = new Map<string, Promise<void>>();
  #size = 0;

  /** How many jobs are waiting or running. */
  get size(): number {
    return this.#size;
  }

  /** Whether a job is waiting or running there. */
  isBusy(lane: string): boolean {
    return this.#tails.has(lane);
  }

  /** `job` must not reject. */
  run(lane: string, job: () => Promise<void>): void {
    this.#size += 1;
    const before = this.#tails.get(lane);
    const tail = (before ? before.then(job) : job()).finally(() => {
      this.#size -= 1;
      if (this.#tails.get(lane) === tail) this.#tails.delete(lane);
    });
    this.#tails.set(lane, tail);
  }

  /** Fulfils when there is no work left, what the work has given to other lanes included. */
  async idle(): Promise<void> {
    while (this.#size > 0) await Promise.all(this.#tails.values());
  }
}
