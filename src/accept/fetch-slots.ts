/** At most so many messages have their files fetched at the same time; the rest wait, first come first served. */
interface FetchLimits {
  readonly perProcess: number;
  readonly perPerson: number;
}

/** A file has up to 8 MiB in memory while it is fetched. */
const defaults: FetchLimits = { perProcess: 8, perPerson: 2 };

interface Waiting {
  readonly person: string;
  readonly begin: () => void;
}

/** `waiting → running → gone`. Who has all that one person may have lets others go ahead. */
export class FetchSlots {
  readonly #limits: FetchLimits;
  readonly #waiting = new Set<Waiting>();
  /** By person. */
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: FetchLimits = defaults) {
    this.#limits = limits;
  }

  /**
   * Runs `work` when there is room for it. @throws what it throws, or the signal's reason when that aborts while it waits.
   */
  async run<T>(
    person: string,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    if (!this.#hasRoom(person)) await this.#wait(person, signal);
    else this.#take(person);
    try {
      return await work();
    } finally {
      this.#giveBack(person);
    }
  }

  #wait(person: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      person,
      begin: () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      },
    };
    const leave = (): void => {
      this.#waiting.delete(waiting);
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) leave();
    else {
      this.#waiting.add(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    }
    return promise;
  }

  #hasRoom(person: string): boolean {
    const { perProcess, perPerson } = this.#limits;
    return (
      this.#total < perProcess && (this.#running.get(person) ?? 0) < perPerson
    );
  }

  #take(person: string): void {
    this.#total += 1;
    this.#running.set(person, (this.#running.get(person) ?? 0) + 1);
  }

  #giveBack(person: string): void {
    const left = (this.#running.get(person) ?? 1) - 1;
    if (left === 0) this.#running.delete(person);
    else this.#running.set(person, left);
    this.#total -= 1;
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom(waiting.person)) continue;
      this.#waiting.delete(waiting);
      this.#take(waiting.person);
      waiting.begin();
    }
  }
}
