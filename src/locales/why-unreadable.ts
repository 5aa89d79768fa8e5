import { unreadableReasons } from "../core/history.ts";
import type { Locale } from "./locale.ts";

/**
 * Why a file could not be read, as a sentence; one that an earlier version wrote stays as it is.
 * Pure.
 */
export function whyUnreadable({ unreadable }: Pick<Locale, "unreadable">, failure: string): string {
  const reason = unreadableReasons.find((each) => each === failure);
  return reason === undefined ? failure : unreadable[reason];
}
