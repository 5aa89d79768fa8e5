import { messageOf, PermanentError, RetryableError } from "../core/errors.ts";

/**
 * Receives what could not be read or removed, never the stored value itself.
 */
export type ReportProblem = (what: string, error: unknown) => void;

/**
 * Processes one stored value. If the value itself is unreadable (broken, of another version, of
 * another type), it is reported and skipped, so that it doesn't block the others; other errors are
 * thrown.
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
