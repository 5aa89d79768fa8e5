/** Of one person's turns that a process begins at the same time. */
const defaultAtOnce = 2;
/**
 * How long a turn that begins keeps its place. Most wait for their model then and cost this process
 * nothing; and 25 a second are more than Telegram lets a bot say. Milliseconds.
 */
const defaultStartMs = 80;
/** Of one person's turns that wait in a process. Each holds a job, and so a chat's lease. */
const defaultMostWaiting = 100;

/**
 * A turn's permit to begin. `throttled`: too many turns of the same person wait; it tries again
 * later.
 */
export type Start = "throttled" | Disposable;

interface Person {
  /** Turns that begin. */
  starting: number;
  /** The others, in the order in which they came. */
  readonly waiting: (() => void)[];
}

/**
 * Limits how many turns of one person begin at once: `waiting → starting →
 * under way`. A person who writes in a hundred chats at once starts a hundred
 * turns, and the cost of each would delay others. So only a few turns per
 * person begin at a time, however short they are; different people never wait
 * for each other, nor for turns that have ended.
 */
export class TurnStarts {
  readonly #atOnce: number;
  readonly #startMs: number;
  readonly #mostWaiting: number;
  /** People with a beginning turn. */
  readonly #people = new Map<string, Person>();

  constructor({
    atOnce = defaultAtOnce,
    startMs = defaultStartMs,
    mostWaiting = defaultMostWaiting,
  } = {}) {
    this.#atOnce = atOnce;
    this.#startMs = startMs;
    this.#mostWaiting = mostWaiting;
  }

  /**
   * Fulfils when the turn may begin, or the signal aborts. Never rejects.
   * @param personId whose turn it is.
   * @returns to be disposed of when the turn has ended.
   */
  async enter(personId: string, signal: AbortSignal): Promise<Start> {
    const person = this.#people.get(personId) ?? { starting: 0, waiting: [] };
    this.#people.set(personId, person);
    if (person.starting >= this.#atOnce) {
      if (person.waiting.length >= this.#mostWaiting) return "throttled";
      if (!(await turnIn(person, signal))) return { [Symbol.dispose]: () => undefined };
    } else person.starting += 1;
    let isStarting = true;
    const leave = (): void => {
      clearTimeout(timer);
      if (isStarting) this.#leave(personId, person);
      isStarting = false;
    };
    const timer = setTimeout(leave, this.#startMs);
    return {
      [Symbol.dispose]() {
        if (person.waiting.length === 0) leave();
      },
    };
  }

  /** The next one has the place. */
  #leave(personId: string, person: Person): void {
    const next = person.waiting.shift();
    if (next) return next();
    person.starting -= 1;
    if (person.starting === 0) this.#people.delete(personId);
  }
}

/** Whether the person's next place is this one's; false: the signal has aborted. */
async function turnIn({ waiting }: Person, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const begin = (): void => resolve(true);
  const stop = (): void => {
    // One whose turn it is already is no longer among them, and goes on.
    const index = waiting.indexOf(begin);
    if (index < 0) return;
    waiting.splice(index, 1);
    resolve(false);
  };
  waiting.push(begin);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** Lets every turn begin at once. */
export const startAtOnce: Pick<TurnStarts, "enter"> = {
  enter: () => Promise.resolve({ [Symbol.dispose]: () => undefined }),
};
