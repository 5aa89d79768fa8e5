import { Cron } from "croner";
import { minGapMs, type Timing } from "../core/schedule.ts";
import { nextRun, runsAfter } from "./next-run.ts";
import { clockText } from "./zones.ts";

export const englishWhen = {
  today: "today",
  tomorrow: "tomorrow",
  /** Before a span: `in 20m`. */
  in: "in",
  /** After a span: `20m from now`. */
  later: "from now",
  every: "every|each",
  day: "day",
  /** Monday to Friday. */
  workday: "weekday|workday",
  /** Before a time of day or a weekday. */
  at: "at|on",
  /** After a time of day: it is then one without minutes, too. */
  oclock: "o'clock|o’clock",
  /** After a time of day, and may change it: `9:00 in the evening`. */
  dayParts:
    "in the morning|in the afternoon|in the evening|at night|tonight|this morning|this afternoon|this evening",
  /** Between a time and more of it: `9:00 and 18:00`, `9:00 next friday`. */
  and: "and|or|on|at|to|till|until|of|by|from|this|next|coming",
  /** Monday first. */
  weekdays: "monday|mon tuesday|tue wednesday|wed thursday|thu friday|fri saturday|sat sunday|sun",
  /** Seconds, minutes, hours, days, weeks. */
  units: "s|sec|second|seconds m|min|minute|minutes h|hour|hours d|day|days w|week|weeks",
};

/**
 * A language's words of time. `|` divides words of one meaning, a space words of different ones.
 * English words are read in every language.
 */
export type WhenWords = Readonly<typeof englishWhen>;

/** Why a time can't be used. */
export type WhenProblem =
  /** No such date, time or rule. */
  | "impossible"
  | "past"
  /** In less than 5 s. */
  | "soon"
  /** In more than 10 years. */
  | "far"
  /** A rule without a next time. */
  | "never"
  /** Less than 5 minutes apart. */
  | "often";

export type When =
  | {
      readonly timing: Timing;
      /** It names a local time, so the zone matters. */
      readonly isLocal: boolean;
      /** What follows it. */
      readonly rest: string;
    }
  | { readonly problem: WhenProblem; readonly isLocal: boolean };

export interface WhenContext {
  readonly words: WhenWords;
  /** IANA. */
  readonly zone: string;
  readonly nowMs: number;
}

const minOnceMs = 5_000;
const maxAheadMs = 10 * 366 * 86_400_000;
const unitsMs = [1_000, 60_000, 3_600_000, 86_400_000, 604_800_000] as const;

type Groups = Readonly<Record<string, string | undefined>>;
type Read = (found: Groups, context: WhenContext) => Timing | undefined;

/**
 * Reads when something is due from the beginning of a text; `docs/schedules.md` has the grammar.
 * Undefined: it begins with no time that the grammar knows, or says more of it than that. Never
 * throws. Pure.
 */
export function readWhen(text: string, context: WhenContext): When | undefined {
  const given = text.normalize("NFC").trim();
  const { forms, more } = formsIn(context.words);
  for (const { shape, isLocal, read } of forms) {
    const match = shape.exec(given);
    if (match === null) continue;
    const rest = given.slice(match[0].length).replace(/^[\s.,:;–—-]+/u, "");
    if (more.test(rest)) return undefined;
    const timing = read(match.groups ?? {}, context);
    if (timing === undefined) return { problem: "impossible", isLocal };
    const problem = timingProblem(timing, context);
    if (problem !== undefined) return { problem, isLocal };
    return { timing, isLocal, rest };
  }
  return undefined;
}

/** Why a timing can't be kept; undefined: it can. Pure. */
export function timingProblem(
  timing: Timing,
  { zone, nowMs }: Pick<WhenContext, "zone" | "nowMs">,
): WhenProblem | undefined {
  try {
    if (timing.type === "at") {
      if (Number.isNaN(timing.atMs)) return "impossible";
      if (timing.atMs < nowMs) return "past";
      if (timing.atMs < nowMs + minOnceMs) return "soon";
    }
    const first = nextRun(timing, zone, nowMs);
    if (first === undefined) return "never";
    if (first > nowMs + maxAheadMs) return "far";
    return isTooOften(timing, zone, first) ? "often" : undefined;
  } catch {
    return "impossible";
  }
}

/** Slots that are looked at: a day of a rule that just isn't too often. */
const lookedAt = 290;

function isTooOften(timing: Timing, zone: string, first: number): boolean {
  if (timing.type === "at") return false;
  if (timing.type === "every") return timing.everyMs < minGapMs;
  let last = first;
  for (const slot of runsAfter(timing, zone, first).take(lookedAt)) {
    if (slot - last < minGapMs) return true;
    last = slot;
  }
  return false;
}

/** The next letter, if any, is of a script without spaces. */
const wordEnd = String.raw`(?!(?!\p{sc=Han})[\p{L}\p{M}])`;
const clockEnd = String.raw`(?![\p{N}:：])` + wordEnd;

interface Form {
  readonly shape: RegExp;
  readonly isLocal: boolean;
  readonly read: Read;
}
interface Forms {
  readonly forms: readonly Form[];
  /** What follows a time and still says when: `9pm` … `tomorrow`, `9:00` … `and 18:00`. */
  readonly more: RegExp;
}

const month = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const field = `(?:\\*|\\d{1,2}|${month}|sun|mon|tue|wed|thu|fri|sat)`;
const fields = `${field}(?:[-,/#]${field})*`;
const hourAndMinute = "(?<hour>\\d{1,2}):(?<minute>\\d{2})";
const second = "(?<second>\\d{2}(?:\\.\\d+)?)";
const rule = `(?:${fields}\\s+){4}${fields}`;

/** Making them takes milliseconds. */
const known = new WeakMap<WhenWords, Forms>();

function formsIn(words: WhenWords): Forms {
  const forms = known.get(words) ?? formsOf(words);
  known.set(words, forms);
  return forms;
}

function formsOf(own: WhenWords): Forms {
  const both = (name: keyof WhenWords): string =>
    `(?:${anyOf(`${own[name]}|${englishWhen[name]}`)})`;
  const each = (name: "weekdays" | "units"): readonly string[] => {
    const english = englishWhen[name].split(" ");
    return own[name].split(" ").map((words, at) => anyOf(`${words}|${english[at] ?? words}`));
  };
  const units = each("units");
  const days = each("weekdays");
  const unit = units.map((words, at) => `(?<u${at}>${words})`).join("|");
  const span = `(?<span>(?:\\d{1,6}\\s*(?:${units.join("|")})\\s*)+)`;
  const weekday = `(?:${days.map((words, at) => `(?<d${at}>${words})`).join("|")})`;
  // In German, `9:00 am` begins `9:00 am Bahnhof`, and only `9am` is a time.
  const gap = own.at.split("|").includes("am") ? "(?:\\s+(?!am))?" : "\\s*";
  // `9 Uhr 30` is another time.
  const oclock = `\\s*${both("oclock")}(?!\\s*\\p{N})`;
  const timeWith = (seconds: string): string =>
    `(?=[^\\d]*\\d{1,2}(?:[:：]\\d{2}|${gap}[ap]m(?!\\p{L})|${oclock}))` +
    `(?:${both("at")}\\s*)?(?<hour>\\d{1,2})(?:[:：](?<minute>\\d{2})${seconds})?(?:${gap}(?<half>am|pm))?(?:${oclock})?${clockEnd}`;
  const time = timeWith("");
  const date = `(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?:t|,?\\s*)`;
  const form = (shape: string, read: Read, isLocal = true): Form => ({
    shape: new RegExp(`^${shape}`, "iu"),
    isLocal,
    read,
  });
  const spanOf = (text = ""): number =>
    [...text.matchAll(new RegExp(`(\\d+)\\s*(?:${unit})`, "giu"))].reduce(
      (sum, { 1: count, groups = {} }) =>
        sum + Number(count) * (unitsMs[units.findIndex((_, at) => groups[`u${at}`])] ?? NaN),
      0,
    );
  const inSpan: Read = ({ span: text }, { nowMs }) => ({
    type: "at",
    atMs: nowMs + spanOf(text),
    isMoment: true,
  });
  const someDays = `(?:(?<workday>${both("workday")})|(?<daily>${both("day")})|${weekday})`;
  const daysIn = (found: Groups): string => {
    if (found["workday"] !== undefined) return "1-5";
    if (found["daily"] !== undefined) return "*";
    return `${(days.findIndex((_, at) => found[`d${at}`]) + 1) % 7}`;
  };
  const often = `${both("every")}\\s*(?:${someDays}|${span})`;
  const more = [both("today"), both("tomorrow"), often, weekday, time];
  // The same names in several places of one pattern are an error.
  const nameless = more.map((each) => each.replaceAll(/\?<(?![=!])\w+>/g, "?:"));
  const forms = [
    form(
      `${date}${hourAndMinute}(?::${second})?(?<offset>z|[+-]\\d{2}(?::?\\d{2}|(?!:\\d)))(?![\\p{L}\\p{N}])`,
      (found) => withOffset(found),
      false,
    ),
    form(`${date}${timeWith(`(?:[:：]${second})?`)}`, (found, { zone }) =>
      onDate(found, dateIn(found), zone),
    ),
    form(`["'“”«„\`](?<rule>[^"'“”«»\`]{9,120})["'“”»\`]`, ({ rule: text }) => cron(text)),
    form(`(?<rule>${rule})(?=\\s|$)`, ({ rule: text }) => cron(text)),
    form(`${both("in")}\\s*${span}`, inSpan, false),
    form(`${span}${both("later")}`, inSpan, false),
    ...(["today", "tomorrow"] as const).map((day, plusDays) =>
      form(`${both(day)}\\s*${time}`, (found, { zone, nowMs }) =>
        onDate(found, today(zone, nowMs, plusDays), zone),
      ),
    ),
    form(`${both("every")}\\s*${someDays}\\s*${time}`, (found) => daily(found, daysIn(found))),
    form(
      `${both("every")}\\s*${span}`,
      ({ span: text }, { nowMs }) => ({ type: "every", everyMs: spanOf(text), fromMs: nowMs }),
      false,
    ),
    form(`(?:${both("at")}\\s*)?${weekday}\\s*${time}`, (found, context) =>
      next(daily(found, daysIn(found)), context),
    ),
    form(time, (found, context) => next(daily(found, "*"), context)),
  ];
  const says = `(?:${both("and")}\\s*){0,2}(?:${nameless.join("|")})`;
  return { forms, more: new RegExp(`^(?:${both("dayParts")}|${says})`, "iu") };
}

/** Words as a pattern, the longest first; where a script has spaces, whole words only. */
const anyOf = (words: string): string =>
  [...new Set(words.normalize("NFC").split("|"))]
    .toSorted((one, other) => other.length - one.length)
    .map((word) => {
      const text = word
        .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
        .replaceAll(/[\s_]+/g, String.raw`\s+`);
      return /\p{sc=Han}$/u.test(word) ? text : text + wordEnd;
    })
    .join("|");

const cron = (text = ""): Timing => ({
  type: "cron",
  rule: text.trim().split(/\s+/).join(" ").toUpperCase(),
});

/** Hour and minute; undefined: there is no such time of day. */
function clockIn({ hour = "", minute = "0", half }: Groups): readonly [number, number] | undefined {
  const given = Number(hour);
  const isFits = half === undefined ? given < 24 : given >= 1 && given <= 12;
  if (!isFits || Number(minute) > 59) return undefined;
  if (half === undefined) return [given, Number(minute)];
  return [(given % 12) + (half.toLowerCase() === "pm" ? 12 : 0), Number(minute)];
}

function daily(found: Groups, weekday: string): Timing | undefined {
  const [hour, minute] = clockIn(found) ?? [];
  return hour === undefined
    ? undefined
    : { type: "cron", rule: `${minute} ${hour} * * ${weekday}` };
}

/** The first time of a rule, once. */
function next(timing: Timing | undefined, { zone, nowMs }: WhenContext): Timing | undefined {
  const atMs = timing && nextRun(timing, zone, nowMs);
  return atMs === undefined ? undefined : { type: "at", atMs };
}

/** What clocks and calendars show. */
type Clock = readonly [year: number, month: number, day: number, hour: number, minute: number];
type Day = readonly [year: number, month: number, day: number];

const dateIn = ({ year, month: inYear, day }: Groups): Day => [
  Number(year),
  Number(inYear),
  Number(day),
];

function clocksIn(zone: string, atMs: number): Clock {
  const [year = 0, inYear = 0, day = 0, hour = 0, minute = 0] = clockText(zone, atMs)
    .split(/\D+/)
    .map(Number);
  return [year, inYear, day, hour, minute];
}

function today(zone: string, nowMs: number, plusDays: number): Day {
  const [year, inYear, inMonth] = clocksIn(zone, nowMs);
  const day = new Date(Date.UTC(year, inYear - 1, inMonth + plusDays));
  return [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()];
}

function onDate(found: Groups, [year, inYear, day]: Day, zone: string): Timing | undefined {
  const [hour, minute] = clockIn(found) ?? [];
  const second = Number(found["second"] ?? 0);
  if (hour === undefined || minute === undefined || second >= 60) return undefined;
  const minuteMs = localTime([year, inYear, day, hour, minute], zone);
  if (minuteMs === undefined) return undefined;
  return { type: "at", atMs: minuteMs + Math.floor(second * 1_000) };
}

function withOffset(found: Groups): Timing | undefined {
  const at = onDate(found, dateIn(found), "UTC");
  const [, sign = "", hours, minutes = "0"] =
    /^([+-])(\d{2}):?(\d{2})?$/.exec(found["offset"] ?? "") ?? [];
  if (at?.type !== "at") return at;
  const offsetMs = sign === "" ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000;
  const atMs = at.atMs - (sign === "-" ? -offsetMs : offsetMs);
  return { type: "at", atMs, isMoment: true };
}

/** A local time that a change of the clock leaves out comes at the end of the gap. */
function localTime(clock: Clock, timezone: string): number | undefined {
  const [year, inYear, inMonth, hour, minute] = clock;
  // No zone is two days from UTC.
  const from = new Date(Date.UTC(year, inYear - 1, inMonth - 2));
  try {
    const rule = `0 ${minute} ${hour} ${inMonth} ${inYear} * ${year}`;
    return new Cron(rule, { mode: "7-part", timezone }).nextRun(from)?.getTime();
  } catch {
    return undefined; // A 13th month.
  }
}

/** A timing that was read in one zone and is meant in another: the same time on clocks there. Pure. */
export function localAgain(timing: Timing, from: string, zone: string): Timing {
  if (timing.type !== "at" || timing.isMoment) return timing;
  const minuteMs = localTime(clocksIn(from, timing.atMs), zone);
  if (minuteMs === undefined) return timing;
  // The minutes of all zones begin together.
  return { type: "at", atMs: minuteMs + (timing.atMs % 60_000) };
}
