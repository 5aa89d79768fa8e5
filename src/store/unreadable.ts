import { messageOf, PermanentError, RetryableError } from "../core/errors.ts";

/**
 * Receives what could not be read or removed, never the stored value itself.
 */
export type ReportProblem = (what: string, error: unknown) => void;

/** Whether an error says that what is stored is broken; one of a newer version isn't. */
export const isDamage = (error: unknown): boolean =>
  error instanceof PermanentError || /\bWRONGTYPE\b/.test(messageOf(error));

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
    if (!isDamage(error) && !(error instanceof RetryableError)) throw error;
    report(what, error);
    return undefined;
  }
}
