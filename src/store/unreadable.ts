import { messageOf, PermanentError, RetryableError } from "../core/errors.ts";

/**
 * Receives what could not be read or removed, never the stored value itself.
 */
export type ReportProblem = (what: string, error: unknown) => void;

/**
 * Does something with one stored value. Where that value is the trouble (broken, of another version, of another type),
 * it is reported and left out, so that it does not keep the others from their turn; other errors are thrown.
 */
export async function unlessUnreadable<T>(
  report: ReportProblem,
  what: string,
  action: () => T | Promise<T>,
): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    const isItsOwn =
      error instanceof PermanentError ||
      error instanceof RetryableError ||
      /\bWRONGTYPE\b/.test(messageOf(error));
    if (!isItsOwn) throw error;
    report(what, error);
    return undefined;
  }
}
