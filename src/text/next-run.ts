import { Cron } from "croner";
import { minGapMs, type Timing } from "../core/schedule.ts";

/** The latest moment that a `Date` can hold, and so the latest one to ask for. */
const maxMs = 8.64e15;

/**
 * The first slot after a moment, all in milliseconds since the epoch; undefined: there is none. A
 * local time that a change of the clock leaves out comes at the end of the gap, and one that comes
 * twice counts once. Pure.
 * @throws what croner throws for a rule or a zone that `checkTiming` refuses.
 */
export function nextRun(timing: Timing, zone: string, afterMs: number): number | undefined {
  switch (timing.type) {
    case "at":
      return timing.atMs > afterMs ? timing.atMs : undefined;
    case "every": {
      const { everyMs, fromMs } = timing;
      const passed = Math.max(0, Math.floor((afterMs - fromMs) / everyMs));
      return fromMs + (passed + 1) * everyMs;
    }
    case "cron":
      return nextOfRule(timing.rule, zone, afterMs);
    default:
      return timing satisfies never;
  }
}

/** All slots after a moment, in order. @throws as `nextRun`. */
export function* runsAfter(timing: Timing, zone: string, afterMs: number): Generator<number> {
  for (let slot = nextRun(timing, zone, afterMs); slot !== undefined;) {
    yield slot;
    slot = nextRun(timing, zone, slot);
  }
}

/** What is wrong with a timing. `detail`: what croner says about the rule, in English. */
export interface TimingProblem {
  readonly problem: "past" | "never" | "too-often" | "bad-rule" | "unknown-zone";
  readonly detail?: string;
}

/** Slots whose distance is looked at. */
const lookedAt = 50;

/** Undefined: it can be kept. Pure. */
export function checkTiming(
  timing: Timing,
  zone: string,
  nowMs: number,
): TimingProblem | undefined {
  if (!isZone(zone)) return { problem: "unknown-zone" };
  switch (timing.type) {
    case "at":
      if (!(Math.abs(timing.atMs) < maxMs)) return { problem: "never" };
      return timing.atMs > nowMs ? undefined : { problem: "past" };
    case "every":
      if (!(timing.everyMs < maxMs && Math.abs(timing.fromMs) < maxMs)) return { problem: "never" };
      return timing.everyMs >= minGapMs ? undefined : { problem: "too-often" };
    case "cron":
      return checkRule(timing.rule, zone, nowMs);
    default:
      return timing satisfies never;
  }
}

/** Whether `Intl` knows it. Pure. */
function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format(0) !== "";
  } catch {
    return false;
  }
}

function checkRule(rule: string, zone: string, nowMs: number): TimingProblem | undefined {
  // Croner also takes names such as `@daily`, and seconds.
  if (rule.trim().split(/\s+/).length !== 5)
    return { problem: "bad-rule", detail: "expected five fields" };
  try {
    let fromMs = nextOfRule(rule, zone, nowMs);
    if (fromMs === undefined) return { problem: "never" };
    for (let count = 0; count < lookedAt; count += 1) {
      const nextMs = nextOfRule(rule, zone, fromMs);
      if (nextMs === undefined) return undefined;
      if (nextMs - fromMs < minGapMs) return { problem: "too-often" };
      fromMs = nextMs;
    }
    return undefined;
  } catch (error) {
    return { problem: "bad-rule", detail: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * For each rule and zone the last answer: until that slot every question has the same. Croner takes
 * half a millisecond, and thousands of schedules may have the same rule.
 */
const known = new Map<string, { readonly afterMs: number; readonly nextMs: number | undefined }>();
const maxKnown = 1_000;

function nextOfRule(rule: string, zone: string, afterMs: number): number | undefined {
  const name = `${zone} ${rule}`;
  const last = known.get(name);
  if (last && afterMs >= last.afterMs && afterMs < (last.nextMs ?? Infinity)) return last.nextMs;
  const cron = new Cron(rule.trim(), { timezone: zone, mode: "5-part" });
  const nextMs = cron.nextRun(new Date(afterMs))?.getTime();
  if (known.size >= maxKnown) known.clear();
  known.set(name, { afterMs, nextMs });
  return nextMs;
}

/** Slots are spread over this time where more are due at once than `maxAtOnce`. Milliseconds. */
export const maxJitterMs = 60_000;
/** Schedules that are fired at their very slot. */
export const maxAtOnce = 100;

/** By how much one schedule waits where many are due at once: always the same. Pure. */
export function jitterMs(name: string): number {
  let hash = 0;
  for (let index = 0; index < name.length; index += 1)
    hash = (Math.imul(hash, 31) + name.charCodeAt(index)) >>> 0;
  return hash % maxJitterMs;
}
