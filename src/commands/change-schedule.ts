import type { ChatKey, Person } from "../core/chat.ts";
import type { Schedule } from "../core/schedule.ts";
import type { Locale } from "../locales/locale.ts";
import { paused, resumed } from "../text/new-schedule.ts";
import type { CommandDeps } from "./command.ts";

export const scheduleActions = ["run", "pause", "resume", "delete"] as const;
export type ScheduleAction = (typeof scheduleActions)[number];

export interface ScheduleOrder {
  readonly action: ScheduleAction;
  /** As it was shown. */
  readonly schedule: Schedule;
  /** Of the command or form: delivered again, it runs nothing again. */
  readonly eventId: string;
  /** Whose order is audited: an admin's. Absent: the author's own, or one that is repeated. */
  readonly auditedBy?: Person | undefined;
  /** In the language of who asks. */
  readonly say: Locale["schedules"];
}

type Deps = Pick<CommandDeps, "schedules" | "audit" | "now">;

const done = { run: "running", pause: "paused", resume: "resumed", delete: "deleted" } as const;

/** What an action has made of a schedule, or a sentence that says why it has made nothing of it. */
export type ScheduleChange =
  | { readonly done: (typeof done)[ScheduleAction]; readonly nextMs: number | undefined }
  | { readonly problem: string };

/** Carries out an action that its author, or an admin, asks for. The sweeper fires what is to run. */
export async function changeSchedule(
  deps: Deps,
  chat: ChatKey,
  order: ScheduleOrder,
): Promise<ScheduleChange> {
  const { schedules, now } = deps;
  const { action, schedule, eventId, say } = order;
  // Only what has a next time can run.
  if (action === "run" && schedule.nextMs === undefined)
    return { problem: say.paused[schedule.pausedWhy ?? "person"] };
  const changed = changedBy(action, schedule, now());
  if (action === "resume" && changed.nextMs === undefined) return { problem: say.isOver };
  await note(deps, chat, order);
  if (action === "delete") await schedules.remove(chat, schedule.id);
  else {
    const key = action === "run" ? `run:${eventId}` : "";
    // Changed or removed since it was read.
    if ((await schedules.save(chat, changed, key)) !== "saved") return { problem: say.justChanged };
  }
  return { done: done[action], nextMs: changed.nextMs };
}

function changedBy(action: ScheduleAction, schedule: Schedule, nowMs: number): Schedule {
  // A slot of its own: the next one is counted from the rule again.
  if (action === "run") return { ...schedule, nextMs: nowMs };
  return action === "resume" ? resumed(schedule, nowMs) : paused(schedule);
}

/** Before the change: after a crash in between, the repeated event may find nothing to do. */
async function note(
  { audit }: Deps,
  chat: ChatKey,
  { action, schedule: { id, by: author }, eventId, auditedBy }: ScheduleOrder,
): Promise<void> {
  if (auditedBy === undefined) return;
  await audit.write(`${eventId} ${action}`, {
    action: "schedule-changed",
    by: auditedBy,
    chat,
    target: id,
    outcome: action === "run" ? action : done[action],
    details: { of: author.id },
  });
}
