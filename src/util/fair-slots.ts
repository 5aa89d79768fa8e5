/** How many pieces of work run at the same time; the rest wait. */
export interface SlotLimits {
  readonly perProcess: number;
  readonly perPerson: number;
}

interface Waiting {
  readonly begin: () => void;
}

/**
 * Slots for slow work, shared between people: `waiting → running → ended`. A
 * free slot goes to the next person, round robin, so that one person's long
 * queue delays others by at most one job.
 */
export class FairSlots {
  readonly #limits: SlotLimits;
  /** By person, the next one first. Contains only people with waiting work. */
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** By person. */
  readonly #running = new Map<string, number>();
  #total = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /**
   * Runs `work` in a slot. @throws what it throws, or the signal's reason when that aborts while it
   * waits.
   */
  async run<T>(person: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#hasRoom(person)) this.#take(person);
    else await this.#wait(person, signal);
    try {
      return await work();
    } finally {
      this.#release(person);
    }
  }

  #wait(person: string, signal: AbortSignal | undefined): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const own = this.#waiting.get(person) ?? new Set();
    this.#waiting.set(person, own);
    const waiting: Waiting = {
      begin: () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      },
    };
    const leave = (): void => {
      own.delete(waiting);
      if (own.size === 0) this.#waiting.delete(person);
      reject(signal?.reason as Error);
    };
    own.add(waiting);
    signal?.addEventListener("abort", leave, { once: true });
    return promise;
  }

  #hasRoom(person: string): boolean {
    const { perProcess, perPerson } = this.#limits;
    return this.#total < perProcess && (this.#running.get(person) ?? 0) < perPerson;
  }

  #take(person: string): void {
    this.#total += 1;
    this.#running.set(person, (this.#running.get(person) ?? 0) + 1);
  }

  #release(person: string): void {
    const left = (this.#running.get(person) ?? 1) - 1;
    if (left === 0) this.#running.delete(person);
    else this.#running.set(person, left);
    this.#total -= 1;
    for (const next of this.#waiting.keys()) this.#beginOneOf(next);
  }

  /** Whose work begins goes to the end of the queue of people. */
  #beginOneOf(person: string): void {
    const own = this.#waiting.get(person) ?? new Set();
    const [first] = own;
    if (first === undefined || !this.#hasRoom(person)) return;
    own.delete(first);
    this.#waiting.delete(person);
    if (own.size > 0) this.#waiting.set(person, own);
    this.#take(person);
    first.begin();
  }
}
