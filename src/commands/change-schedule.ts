import type { ChatKey } from "../core/chat.ts";
import type { Schedule, Schedules } from "../core/schedule.ts";
import { resumed } from "../text/new-schedule.ts";

export type ScheduleAction = "run" | "pause" | "resume" | "delete";

/** What an action has made of a schedule, or why it has made nothing of it. */
export type ScheduleChange =
  | { readonly type: "deleted" | "running" | "paused" }
  | { readonly type: "resumed"; readonly nextMs: number }
  /** Only what has a next time can run. */
  | { readonly type: "not-running" }
  | { readonly type: "over" }
  /** Changed or removed since it was read. */
  | { readonly type: "stale" };

/**
 * Carries out an action that its author, or an admin, asks for. The sweeper fires what is to run.
 * @param eventId of the command or form: delivered again, it runs nothing again.
 */
export async function changeSchedule(
  { schedules, now }: { readonly schedules: Schedules; readonly now: () => number },
  chat: ChatKey,
  {
    action,
    schedule,
    eventId,
  }: {
    readonly action: ScheduleAction;
    readonly schedule: Schedule;
    readonly eventId: string;
  },
): Promise<ScheduleChange> {
  if (action === "delete") {
    await schedules.remove(chat, schedule.id);
    return { type: "deleted" };
  }
  const { nextMs, ...still } = schedule;
  if (action === "run" && nextMs === undefined) return { type: "not-running" };
  const nowMs = now();
  const changed: Schedule =
    action === "run"
      ? // A slot of its own: the next one is counted from the rule again.
        { ...schedule, nextMs: nowMs }
      : action === "pause"
        ? { ...still, pausedWhy: schedule.pausedWhy ?? "person" }
        : resumed(schedule, nowMs);
  if (action === "resume" && changed.nextMs === undefined) return { type: "over" };
  const key = action === "run" ? `run:${eventId}` : "";
  if ((await schedules.save(chat, changed, key)) !== "saved") return { type: "stale" };
  if (action === "run") return { type: "running" };
  return action === "pause"
    ? { type: "paused" }
    : { type: "resumed", nextMs: changed.nextMs ?? nowMs };
}
