/** The caller must give up: repeating the same thing cannot help. Keeps `cause`. */
export class PermanentError extends Error {
  override readonly name: string = "PermanentError";
}

/** The caller may repeat the same thing after `retryAfterMs` milliseconds. Keeps `cause`. */
export class RetryableError extends Error {
  override readonly name: string = "RetryableError";
  readonly retryAfterMs: number;

  constructor(message: string, options: ErrorOptions & { retryAfterMs: number }) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** A call was sent and its answer never came: whether it took effect is unknown. Keeps `cause`. */
export class OutcomeUnknownError extends Error {
  override readonly name: string = "OutcomeUnknownError";
}

/** The text of anything thrown, for a log line or an `Error`'s message. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * A bug in our own code, which a retry repeats; not the `TypeError` that `fetch` throws after a
 * network failure.
 */
export const isFault = (thrown: unknown): boolean =>
  thrown instanceof ReferenceError ||
  thrown instanceof RangeError ||
  (thrown instanceof TypeError && thrown.cause === undefined);

/** Marks code that the types make unreachable; throws when it is reached. */
export function unreachable(value: never): never {
  throw new PermanentError(`unexpected value ${JSON.stringify(value)}`);
}
