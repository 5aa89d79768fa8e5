import { languageIn, languageOf } from "./locale-for.ts";
import type { Locale } from "./locale.ts";

const unitsMs = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
] as const;
const dayMs = 86_400_000;

/** Before the number, or before the whole phrase. */
const about = {
  en: "about ",
  de: "etwa ",
  fr: "environ ",
  es: "aproximadamente ",
  ru: "примерно ",
  zh: "大约",
} as const;

/**
 * Roughly when something to come is: `in about 10 minutes`, `in about 1 hour`. Never earlier than it is.
 * @param tag BCP 47.
 */
function aboutIn(tag: string | undefined, ms: number): string {
  const language = languageOf(tag) ?? "en";
  const minutes = Math.max(1, Math.ceil(ms / 60_000));
  const isMinutes = minutes < 120 && minutes !== 60;
  const [count, unit] = isMinutes
    ? ([minutes, "minute"] as const)
    : minutes < 48 * 60
      ? ([Math.ceil(minutes / 60), "hour"] as const)
      : ([Math.ceil(minutes / 1440), "day"] as const);
  const format = new Intl.RelativeTimeFormat(language, { numeric: "always" });
  if (language === "ru") return about.ru + format.format(count, unit);
  const said = ({ type, value }: Intl.RelativeTimeFormatPart): string =>
    type === "integer" ? about[language] + value : value;
  return format.formatToParts(count, unit).map(said).join("");
}

/** A server that asks for no more than this is waited for, and people needn't know. Milliseconds. */
const waitedForMs = 30_000;

/** When a person may try again, if a model's server said so: `in about 10 minutes`. */
export const tryAgainIn = (locale: Locale, waitMs: number | undefined): string | undefined =>
  waitMs === undefined || waitMs <= waitedForMs ? undefined : aboutIn(languageIn(locale), waitMs);

/** Roughly when something to come is, for people: `in about 1 minute`. */
export const whenAbout = (locale: Locale, waitMs: number): string =>
  aboutIn(languageIn(locale), waitMs);

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
