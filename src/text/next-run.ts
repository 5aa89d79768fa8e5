import { Cron } from "croner";
import type { Timing } from "../core/schedule.ts";

/**
 * The first slot after a moment, all in milliseconds since the epoch; undefined: there is none. A
 * local time that a change of the clock leaves out comes at the end of the gap, and one that comes
 * twice counts once. Pure.
 * @throws what croner throws for a rule or a zone that `timingProblem` refuses.
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
