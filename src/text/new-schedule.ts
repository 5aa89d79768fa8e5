import { createHash } from "node:crypto";
import type { Schedule } from "../core/schedule.ts";
import { nextRun } from "./next-run.ts";

/** UTF-16 units of a reminder or a prompt. */
export const maxTaskText = 2_000;

/** The id of what an event or a call makes: the same when it is repeated. Pure. */
export const scheduleIdOf = (seed: string): string =>
  (createHash("sha256").update(seed).digest().readUIntBE(0, 6) % 36 ** 6)
    .toString(36)
    .padStart(6, "0");

/** A schedule that is not stored yet. Pure. */
export function newSchedule(
  {
    seed,
    late = "once",
    ...given
  }: Pick<Schedule, "task" | "timing" | "zone" | "by"> & {
    /** Of the event or call that makes it: repeated, it makes the same id. */
    readonly seed: string;
    readonly late?: Schedule["late"] | undefined;
  },
  // A command or a call has more.
  { address, direct, guild, threadOf }: Pick<Schedule, "address" | "direct" | "guild" | "threadOf">,
  nowMs: number,
): Schedule {
  const nextMs = nextRun(given.timing, given.zone, nowMs);
  return {
    id: scheduleIdOf(seed),
    revision: 0,
    ...given,
    address,
    direct,
    ...(guild === undefined ? {} : { guild }),
    ...(threadOf === undefined ? {} : { threadOf }),
    late,
    ...(nextMs === undefined ? {} : { nextMs }),
    failures: 0,
    outcomes: [],
  };
}

/** The same until a person resumes it. Pure. */
export function paused(schedule: Schedule): Schedule {
  const { nextMs: _, ...rest } = schedule;
  return { pausedWhy: "person", ...rest };
}

/** The same with another next time, and as if nothing had ever failed. Pure. */
export function resumed(schedule: Schedule, nowMs: number): Schedule {
  const { pausedWhy: _, nextMs: __, ...rest } = schedule;
  const nextMs = nextRun(rest.timing, rest.zone, nowMs);
  return {
    ...rest,
    failures: 0,
    // The next failures are counted in a row with these.
    outcomes: rest.outcomes.filter(({ outcome }) => outcome !== "failed"),
    ...(nextMs === undefined ? {} : { nextMs }),
  };
}
