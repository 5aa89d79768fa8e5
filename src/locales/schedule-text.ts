import type { Schedule, Task, Timing } from "../core/schedule.ts";
import { runsAfter } from "../text/next-run.ts";
import { languageIn } from "./locale-for.ts";
import type { Locale } from "./locale.ts";
import { chosenSpan } from "./span.ts";

/** When a schedule is due, and where clocks show that. */
export type Due = Pick<Schedule, "timing" | "zone">;

const marks = { remind: "⏰", ask: "💬", watch: "👁" } as const;
const maxName = 80;

/**
 * A schedule by its kind and the beginning of its text: `⏰ tea`. Pure.
 * @param atMost characters of the text
 */
export function scheduleName(
  { type, text }: Pick<Task, "type" | "text">,
  atMost: number = maxName,
): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return `${marks[type]} ${line.length > atMost ? `${line.slice(0, atMost).toWellFormed()}…` : line}`;
}

/** A moment as clocks in a zone show it: `Tue, Jan 5, 2027, 09:00`. Pure. */
export const zonedMoment = (atMs: number, zone: string, locale: Locale): string =>
  new Intl.DateTimeFormat(languageIn(locale), {
    timeZone: zone,
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).format(atMs);

/** `every Monday at 09:00 (Europe/Berlin)`. Pure. */
export const dueText = ({ timing, zone }: Due, locale: Locale): string =>
  `${ruleText(timing, zone, locale)} (${zone})`;

function ruleText(timing: Timing, zone: string, locale: Locale): string {
  const { rules } = locale.schedules;
  if (timing.type === "every") return rules.every(chosenSpan(timing.everyMs, locale.cards));
  if (timing.type === "at") return zonedMoment(timing.atMs, zone, locale);
  const [, minute = "", hour = "", days = ""] =
    /^(\d{1,2}) (\d{1,2}) \* \* (\*|1-5|[0-6])$/.exec(timing.rule) ?? [];
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (days === "") return rules.cron(timing.rule);
  if (days === "*") return rules.daily(time);
  return days === "1-5"
    ? rules.workdays(time)
    : rules.weekly(weekdayName(Number(days), locale), time);
}

/** @param day 0 is Sunday */
const weekdayName = (day: number, locale: Locale): string =>
  new Intl.DateTimeFormat(languageIn(locale), { weekday: "long", timeZone: "UTC" }).format(
    // January 1, 2023 was a Sunday.
    Date.UTC(2023, 0, 1 + day),
  );

/** The next three slots after a moment. Pure. */
export const nextText = ({ timing, zone }: Due, afterMs: number, locale: Locale): string =>
  runsAfter(timing, zone, afterMs)
    .take(3)
    .map((slot) => zonedMoment(slot, zone, locale))
    .toArray()
    .join(" · ");
