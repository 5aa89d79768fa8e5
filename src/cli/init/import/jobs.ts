import type { ImportedKnowledge } from "../../../core/imported.ts";
import type { Timing } from "../../../core/schedule.ts";
import { maxTaskText } from "../../../text/new-schedule.ts";
import {
  englishWhen,
  localAgain,
  readWhen,
  timingProblem,
  type WhenProblem,
} from "../../../text/when.ts";
import { zoneNamed } from "../../../text/zones.ts";
import { mappingOf, textOf, type Mapping } from "./source-folder.ts";

type ImportedSchedule = ImportedKnowledge["schedules"][number];

const reasons: Readonly<Record<WhenProblem, string>> = {
  impossible: "Parley can't read when it is due",
  past: "its time has passed",
  soon: "its time has passed",
  far: "it comes up too seldom",
  never: "it never comes up",
  often: "Parley runs nothing more often than every 5 minutes",
};

/**
 * Both bots write `{ jobs: [{ name, id, schedule, … }] }`; earlier ones the list alone.
 * @param usualZone of jobs without a zone of their own; undefined: by this machine's clock, as there
 */
export function schedulesIn(
  jobs: unknown,
  leave: (what: string, why: string) => void,
  usualZone: string | undefined,
): readonly ImportedSchedule[] {
  const list = Array.isArray(jobs) ? jobs : mappingOf(jobs)["jobs"];
  return (Array.isArray(list) ? list.map(mappingOf) : []).flatMap((job) => {
    const name = textOf(job["name"]) ?? textOf(job["id"] ?? job["jobId"]) ?? "without a name";
    const read = scheduleOf(job, usualZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    if (typeof read !== "string") return [read];
    leave(`the scheduled job “${name}”`, read);
    return [];
  });
}

/** A sentence: why there is none. */
function scheduleOf(job: Mapping, usualZone: string): ImportedSchedule | string {
  if (job["enabled"] === false) return "it is switched off there";
  const { kind, message, text: event } = mappingOf(job["payload"]);
  const text = textOf(message) ?? textOf(event) ?? textOf(job["prompt"]);
  const { script: trigger } = mappingOf(job["trigger"]);
  const scripts = [job["script"], job["monitor_script"], job["monitor_url"], trigger];
  if (scripts.some(textOf) || kind === "command" || kind === "script")
    return "Parley's schedules run no scripts";
  if (text === undefined) return "it has no text that could be asked";
  if (text.length > maxTaskText) return `a schedule's text has at most ${maxTaskText} characters`;
  const schedule = mappingOf(job["schedule"]);
  const { times } = mappingOf(job["repeat"]);
  if (typeof times === "number" && schedule["kind"] !== "once")
    return "Parley's schedules have no number of times";
  const given = textOf(schedule["tz"]) ?? usualZone;
  const zone = zoneNamed(given);
  if (zone === undefined) return `there is no time zone ${given}`;
  const timing = timingOf(schedule, zone);
  if (timing === undefined) return reasons.impossible;
  // `/import` leaves out what has passed by then.
  const problem = timing.type === "at" ? undefined : timingProblem(timing, { zone, nowMs: anyMs });
  return problem === undefined ? { text, timing, zone } : reasons[problem];
}

/** Rules and intervals are the same at any time. */
const anyMs = 0;

function timingOf(schedule: Mapping, zone: string): Timing | undefined {
  const { kind, expr, cron, minutes, everyMs, anchorMs, at, atMs, run_at: runAt } = schedule;
  switch (kind) {
    case "cron": {
      const read = readWhen(textOf(expr ?? cron) ?? "", { words: englishWhen, zone, nowMs: anyMs });
      return read !== undefined && "timing" in read && read.rest === "" ? read.timing : undefined;
    }
    case "every":
    case "interval": {
      const ms = Number(everyMs ?? Number(minutes) * 60_000);
      const fromMs = typeof anchorMs === "number" ? anchorMs : anyMs;
      return ms > 0 && Number.isFinite(ms) ? { type: "every", everyMs: ms, fromMs } : undefined;
    }
    case "at":
      // OpenClaw's has no zone: without an offset it is UTC.
      return typeof atMs === "number"
        ? { type: "at", atMs, isMoment: true }
        : onceAt(textOf(at) ?? "", textOf(schedule["tz"]));
    case "once":
      return onceAt(textOf(runAt) ?? "", zone);
    default:
      return undefined;
  }
}

/** A date and a time; without an offset it is what clocks in that zone show, or in UTC. */
function onceAt(text: string, zone: string | undefined): Timing | undefined {
  const hasOffset = /(?:z|[+-]\d{2}:?\d{2})$/i.test(text) && text.includes(":");
  const atMs = Date.parse(hasOffset || /^[\d-]+$/.test(text) ? text : `${text}Z`);
  if (Number.isNaN(atMs)) return undefined;
  if (hasOffset || zone === undefined) return { type: "at", atMs, isMoment: true };
  return localAgain({ type: "at", atMs }, "UTC", zone);
}
