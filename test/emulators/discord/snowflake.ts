/** Discord's epoch, 2015-01-01, in Unix milliseconds (docs: Reference, Snowflakes). */
const discordEpochMs = 1_420_070_400_000n;

/** Makes strictly increasing ids whose upper bits are the time of creation, as Discord's are. */
export class Snowflakes {
  readonly #clockOffMs: number;
  #last = 0n;

  /** @param clockOffMs how far the clock that makes the ids is ahead of this machine's. */
  constructor(clockOffMs = 0) {
    this.#clockOffMs = clockOffMs;
  }

  next(): string {
    const nowMs = BigInt(Date.now() + this.#clockOffMs);
    const now = (nowMs - discordEpochMs) << 22n;
    this.#last = now > this.#last ? now : this.#last + 1n;
    return this.#last.toString();
  }
}

/** 17 to 20 digits: what the real service takes for an id. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === "string" && /^\d{17,20}$/.test(value);
}

/** The time of creation inside an id, in Unix milliseconds. */
export function createdAtMs(id: string): number {
  return Number((BigInt(id) >> 22n) + discordEpochMs);
}
