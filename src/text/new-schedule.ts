import { createHash } from "node:crypto";
import type { ChatAddress, Person } from "../core/chat.ts";
import type { Schedule, Task, Timing } from "../core/schedule.ts";
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
  given: {
    /** Of the event or call that makes it: repeated, it makes the same id. */
    readonly seed: string;
    readonly task: Task;
    readonly timing: Timing;
    readonly zone: string;
    readonly by: Person;
    readonly late?: Schedule["late"] | undefined;
  },
  where: {
    readonly address: ChatAddress;
    readonly direct: boolean;
    readonly guild?: string;
    readonly threadOf?: string;
  },
  nowMs: number,
): Schedule {
  const { seed, task, timing, zone, by, late = "once" } = given;
  const { address, direct, guild, threadOf } = where;
  const nextMs = nextRun(timing, zone, nowMs);
  return {
    id: scheduleIdOf(seed),
    revision: 0,
    task,
    timing,
    zone,
    by,
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

/** The same with another next time, and as if nothing had ever failed. Pure. */
export function resumed(schedule: Schedule, nowMs: number): Schedule {
  const { pausedWhy: _, nextMs: __, ...rest } = schedule;
  const nextMs = nextRun(rest.timing, rest.zone, nowMs);
  return { ...rest, failures: 0, ...(nextMs === undefined ? {} : { nextMs }) };
}
