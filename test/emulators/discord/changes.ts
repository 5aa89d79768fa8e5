/** `timeoutMs` counts from the call; `what` names the condition in the error. */
export interface WaitOptions {
  readonly what: string;
  readonly timeoutMs?: number;
}

interface Waiter {
  check(): void;
  reject(error: Error): void;
}

/**
 * Tells waiters that something in the emulator changed; a waiter looks again at each change and
 * never sleeps.
 */
export class Changes {
  readonly #waiters = new Set<Waiter>();
  readonly #dump: () => string;

  constructor(dump: () => string) {
    this.#dump = dump;
  }

  notify(): void {
    for (const waiter of Array.from(this.#waiters)) waiter.check();
  }

  /**
   * Resolves with the first truthy value of `predicate`; rejects with a dump after 20 s, or when it
   * throws.
   */
  waitFor<T>(
    predicate: () => T | undefined | null | false,
    { what, timeoutMs = 20_000 }: WaitOptions,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const end = (): void => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    };
    const fail = (error: unknown): void => {
      end();
      reject(error instanceof Error ? error : new Error("Not an Error", { cause: error }));
    };
    const check = (): void => {
      try {
        const value = predicate();
        if (value === undefined || value === null || value === false) return;
        end();
        resolve(value);
      } catch (error) {
        fail(error);
      }
    };
    const waiter: Waiter = { check, reject: fail };
    const timer = setTimeout(() => {
      fail(new Error(`No ${what} within ${timeoutMs} ms.\n${this.#dump()}`));
    }, timeoutMs);
    this.#waiters.add(waiter);
    check();
    return promise;
  }

  /** Rejects every caller that still waits. */
  close(): void {
    for (const waiter of Array.from(this.#waiters))
      waiter.reject(new Error("The Discord emulator was closed while waiting."));
  }
}
