import { languageOf } from "./locale-for.ts";

const unitsMs = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;
const dayMs = 86_400_000;

/**
 * When something to come is, for people: `in 3 hours (00:00 UTC)`, `in 12 days (Dec 1, 00:00 UTC)`.
 * Never earlier than it is: whoever waits for so long has waited long enough.
 * @param tag BCP 47. Times in milliseconds since the epoch.
 */
export function momentIn(tag: string | undefined, atMs: number, nowMs: number): string {
  const language = languageOf(tag) ?? "en";
  const leftMs = Math.max(atMs - nowMs, 1);
  const [unit, sizeMs] =
    unitsMs.find(([, unitMs]) => leftMs >= 2 * unitMs) ?? (["second", 1_000] as const);
  const soon = new Intl.RelativeTimeFormat(language, {
    numeric: "always",
  }).format(Math.ceil(leftMs / sizeMs), unit);
  const clock = new Intl.DateTimeFormat(language, {
    timeZone: "UTC",
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
    ...(leftMs > dayMs ? { day: "numeric", month: "short" } : {}),
  }).format(atMs);
  return `${soon} (${clock} UTC)`;
}
