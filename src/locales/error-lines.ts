import type { ErrorReport } from "../core/error-report.ts";
import type { Locale } from "./locale.ts";

import { tryAgainIn } from "./moment.ts";

/**
 * What an owner reads of an error: why it happened, in the words of the provider, and what to do.
 * What is no provider's fault has no such words: there the second sentence says both. Pure.
 * @param waitMs how long the server still wants to be left alone, if it said so.
 */
export function errorLines(
  { kind, cause }: Pick<ErrorReport, "kind" | "cause">,
  locale: Locale,
  waitMs?: number,
): readonly string[] {
  const isOurs = kind === "empty" || kind === "poisoned";
  return [...(isOurs ? [] : [locale.errors.cause(cause)]), fixOf(kind, locale, waitMs)];
}

/** What an owner can do about it. Pure. */
export function fixOf(kind: ErrorReport["kind"], locale: Locale, waitMs?: number): string {
  const fix = locale.errors.fix[kind];
  return typeof fix === "string" ? fix : fix(tryAgainIn(locale, waitMs));
}
