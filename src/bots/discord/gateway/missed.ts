import { performance } from "node:perf_hooks";

/** Where nothing is known. What is older is not caught up. */
const longestMs = 24 * 3_600_000;

/** From where on a shard's messages have to be looked for. */
export interface MissedSince {
  /** Everything up to this snowflake is durable. Absent: not known. */
  readonly after?: string | undefined;
  /**
   * How long ago everything was durable. Absent: not known. For processes of earlier versions,
   * which search by it.
   */
  readonly gapMs?: number | undefined;
}

/** Messages written before a session began, while they are still to be fetched. */
export class Missed {
  /** Fulfils with true when it is known since when. */
  readonly isDated: Promise<true>;
  readonly #fromMs = performance.now();
  #since: MissedSince = {};

  /** @param since never rejects. */
  constructor(since: Promise<MissedSince>) {
    this.isDated = since.then((known) => {
      this.#since = known;
      return true;
    });
  }

  get after(): string | undefined {
    return this.#since.after;
  }

  /** How long ago everything was durable. */
  get ageMs(): number {
    return (this.#since.gapMs ?? longestMs) + performance.now() - this.#fromMs;
  }
}
