import type { Patience } from "./patience.ts";
import { troubleOf } from "./trouble.ts";

export interface Insistence {
  readonly patience: Patience;
  readonly signal: AbortSignal;
  /** Throws what is not worth another try. */
  readonly refuses?: (error: unknown) => void;
}

/** Makes a request until Telegram fulfils it. @throws what `refuses` throws; the signal's reason when it aborts. */
export async function insist<T>(
  request: () => Promise<T>,
  { patience, signal, refuses }: Insistence,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await request();
      patience.itWorks();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      refuses?.(error);
      await patience.wait(troubleOf(error), attempt);
    }
  }
}
