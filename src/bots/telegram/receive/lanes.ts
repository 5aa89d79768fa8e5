/** One thing after another within a lane; lanes don't wait for each other. */
export class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs `work` when all that was given to this lane before has settled. */
  run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(lane);
    const result = before === undefined ? work() : before.then(work, work);
    const tail: Promise<void> = result.then(
      () => this.#leave(lane, tail),
      () => this.#leave(lane, tail),
    );
    this.#tails.set(lane, tail);
    return result;
  }

  #leave(lane: string, tail: Promise<unknown>): void {
    if (this.#tails.get(lane) === tail) this.#tails.delete(lane);
  }
}
