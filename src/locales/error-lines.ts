import type { ErrorReport } from "../core/error-report.ts";
import type { Locale } from "./locale.ts";

/**
 * What an owner reads of an error: why it happened, in the words of the provider, and what to do.
 * What is no provider's fault has no such words: there the second sentence says both. Pure.
 */
export function errorLines(
  { kind, cause }: Pick<ErrorReport, "kind" | "cause">,
  { errors }: Pick<Locale, "errors">,
): readonly string[] {
  const isOurs = kind === "empty" || kind === "poisoned";
  return [...(isOurs ? [] : [errors.cause(cause)]), errors.fix[kind]];
}
