import type { AuditLog } from "../core/audit.ts";
import type { ChatKey, Person } from "../core/chat.ts";
import type { Schedule, Schedules } from "../core/schedule.ts";
import { paused, resumed } from "../text/new-schedule.ts";

export type ScheduleAction = "run" | "pause" | "resume" | "delete";

export interface ScheduleOrder {
  readonly action: ScheduleAction;
  /** As it was shown. */
  readonly schedule: Schedule;
  /** Of the command or form: delivered again, it runs nothing again. */
  readonly eventId: string;
  /** Whose order is audited: an admin's. Absent: the author's own, or one that is repeated. */
  readonly auditedBy?: Person | undefined;
}

export interface ScheduleOrderDeps {
  readonly schedules: Schedules;
  readonly audit: AuditLog;
  readonly now: () => number;
}

/** What an action has made of a schedule, or why it has made nothing of it. */
export type ScheduleChange =
  | { readonly type: "deleted" | "running" | "paused" }
  | { readonly type: "resumed"; readonly nextMs: number }
  /** Only what has a next time can run. */
  | { readonly type: "not-running" }
  | { readonly type: "over" }
  /** Changed or removed since it was read. */
  | { readonly type: "stale" };

/** Carries out an action that its author, or an admin, asks for. The sweeper fires what is to run. */
export async function changeSchedule(
  deps: ScheduleOrderDeps,
  chat: ChatKey,
  order: ScheduleOrder,
): Promise<ScheduleChange> {
  const { schedules, now } = deps;
  const { action, schedule, eventId } = order;
  if (action === "delete") {
    await note(deps, chat, order);
    await schedules.remove(chat, schedule.id);
    return { type: "deleted" };
  }
  if (action === "run" && schedule.nextMs === undefined) return { type: "not-running" };
  const nowMs = now();
  const changed: Schedule =
    action === "run"
      ? // A slot of its own: the next one is counted from the rule again.
        { ...schedule, nextMs: nowMs }
      : action === "pause"
        ? paused(schedule)
        : resumed(schedule, nowMs);
  if (action === "resume" && changed.nextMs === undefined) return { type: "over" };
  await note(deps, chat, order);
  const key = action === "run" ? `run:${eventId}` : "";
  if ((await schedules.save(chat, changed, key)) !== "saved") return { type: "stale" };
  if (action === "run") return { type: "running" };
  return action === "pause"
    ? { type: "paused" }
    : { type: "resumed", nextMs: changed.nextMs ?? nowMs };
}

const outcomes = { run: "run", pause: "paused", resume: "resumed", delete: "deleted" } as const;

/** Before the change: after a crash in between, the repeated event may find nothing to do. */
async function note(
  { audit }: ScheduleOrderDeps,
  chat: ChatKey,
  { action, schedule: { id, by: author }, eventId, auditedBy }: ScheduleOrder,
): Promise<void> {
  if (auditedBy === undefined) return;
  await audit.write(`${eventId} ${action}`, {
    action: "schedule-changed",
    by: auditedBy,
    chat,
    target: id,
    outcome: outcomes[action],
    details: { of: author.id },
  });
}
