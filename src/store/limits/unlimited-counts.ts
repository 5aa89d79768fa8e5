import type { Logger } from "pino";
import type { LimitCounters, Unlimited } from "./limit-counters.ts";
import { sleepUnref } from "../../util/sleep.ts";

/**
 * Counts are gathered for so long: at 1,000 turns per second about 40 of messages and calls. Milliseconds.
 */
const tickMs = 20;
/** More are written with several scripts: 20 keep Redis busy for 0.5 ms. */
const maxPerScript = 20;
/** Counts that could not be written this long after shutdown began are lost. Milliseconds. */
const flushLimitMs = 1_000;

/** A count, and what to do if something was reserved for its call. */
export type UnlimitedCount = Unlimited & {
  /** Settles the reservation. */
  readonly settle?: () => Promise<void>;
};

/**
 * Counts what no limit applies to: gathered for a tick and written together, and no one waits for
 * it. A killed process loses the counts of one tick.
 *
 * A count is `waiting → being written → counted`, or lost if Redis reports an error.
 */
export class UnlimitedCounts {
  readonly #counters: Pick<LimitCounters, "add">;
  /** Takes the version of the rules that Redis has by now. */
  readonly #onVersion: (version: string) => Promise<void>;
  readonly #log: Pick<Logger, "warn">;
  #waiting: UnlimitedCount[] = [];
  #tick: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(deps: {
    readonly counters: Pick<LimitCounters, "add">;
    readonly onVersion: (version: string) => Promise<void>;
    readonly log: Pick<Logger, "warn">;
  }) {
    this.#counters = deps.counters;
    this.#onVersion = deps.onVersion;
    this.#log = deps.log;
  }

  add(count: UnlimitedCount): void {
    this.#waiting.push(count);
    if (this.#writing === undefined) this.#wait();
  }

  /** Fulfils when all counts are written, or after a second. */
  async flush(): Promise<void> {
    const limit = new AbortController();
    const late = sleepUnref(flushLimitMs, limit.signal).then(
      () => true,
      // The counts were written first.
      () => false,
    );
    const isLate = await Promise.race([this.#drain().then(() => false), late]);
    limit.abort();
    if (isLate) this.#log.warn("Redis does not take what was counted towards limits");
  }

  async #drain(): Promise<void> {
    while (this.#writing !== undefined || this.#waiting.length > 0) await this.#write();
  }

  #wait(): void {
    this.#tick ??= setTimeout(() => void this.#write(), tickMs).unref();
  }

  #write(): Promise<void> {
    clearTimeout(this.#tick);
    this.#tick = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
      // What came meanwhile gathers for a tick of its own.
      if (this.#waiting.length > 0) this.#wait();
    });
    return this.#writing;
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    const counts = this.#waiting;
    this.#waiting = [];
    // One after the other: two in a row would keep Redis busy for twice as long.
    for (let from = 0; from < counts.length; from += maxPerScript)
      await this.#writeBatch(counts.slice(from, from + maxPerScript));
  }

  /** Never rejects. */
  async #writeBatch(batch: readonly UnlimitedCount[]): Promise<void> {
    try {
      const { version, reserved } = await this.#counters.add(batch);
      await Promise.all([
        this.#onVersion(version),
        ...reserved.map((index) => batch[index]?.settle?.()),
      ]);
    } catch (error) {
      this.#log.warn({ error, counts: batch.length }, "could not count towards limits");
    }
  }
}
