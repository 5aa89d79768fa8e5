/** How long a reading is used before the next one. Milliseconds. */
const freshForMs = 10_000;

/** The seconds and microseconds that `TIME` returns. */
type Time = readonly (string | number)[];

/**
 * Redis' clock, the only one that all processes of a deployment share. Between two readings the
 * machine's monotonic clock carries it on, so that a wall clock that is wrong or is set has no say.
 */
export class ServerClock {
  readonly #read: () => Promise<Time>;
  readonly #monotonic: () => number;
  /** Redis' time less the monotonic one; undefined before the first reading. */
  #aheadMs: number | undefined;
  #readAtMs = -Infinity;
  #isReading = false;

  constructor(read: () => Promise<Time>, monotonic: () => number = () => performance.now()) {
    this.#read = read;
    this.#monotonic = monotonic;
  }

  /**
   * Whole milliseconds since the epoch. Before the first reading there is only the machine's own
   * clock.
   */
  now(): number {
    return this.#aheadMs === undefined ? Date.now() : Math.floor(this.#monotonic() + this.#aheadMs);
  }

  /** @throws what the connection throws. */
  async read(): Promise<void> {
    const sentAtMs = this.#monotonic();
    const [seconds, microseconds] = await this.#read();
    const receivedAtMs = this.#monotonic();
    const serverMs = Number(seconds) * 1_000 + Number(microseconds) / 1_000;
    // The server looked at its clock between these two: a slow reply moves a better reading by no
    // more than it must.
    const least = serverMs - receivedAtMs;
    const most = serverMs - sentAtMs;
    const known = this.#aheadMs ?? (least + most) / 2;
    this.#aheadMs = Math.min(Math.max(known, least), most);
    this.#readAtMs = receivedAtMs;
  }

  /** Reads it in the background where the last reading is old. Never throws. */
  refresh(): void {
    const ageMs = this.#monotonic() - this.#readAtMs;
    if (this.#isReading || ageMs < freshForMs) return;
    this.#isReading = true;
    this.read()
      // The old reading serves until the connection is back.
      .catch(() => undefined)
      .finally(() => {
        this.#isReading = false;
      });
  }
}
