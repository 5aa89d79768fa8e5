import { z } from "zod";
import type { ChatAddress, ChatKey, Person } from "./chat.ts";
import type { OutboxEntry } from "./outbox.ts";

/** Schedules that a person may have, in all chats. */
export const maxSchedules = 20;
/** Between two slots of a schedule. Milliseconds. */
export const minGapMs = 5 * 60_000;
/** A slot that was missed for longer is late. Milliseconds. */
export const graceMs = 3 * 3_600_000;
/** A schedule is paused after so many failures in a row. */
export const maxFailures = 3;

/** When a schedule is due. */
export const timingSchema = z.discriminatedUnion("type", [
  /** Once. Milliseconds since the epoch. */
  z.object({
    type: z.literal("at"),
    atMs: z.number(),
    /** It names no local time, as `in 20m`: the same in every zone. Absent also in older ones. */
    isMoment: z.literal(true).exactOptional(),
  }),
  /** Every so many ms after `fromMs`. */
  z.object({ type: z.literal("every"), everyMs: z.number().positive(), fromMs: z.number() }),
  /** Five fields, e.g. `0 9 * * 1-5`, in the schedule's zone. */
  z.object({ type: z.literal("cron"), rule: z.string() }),
]);
export type Timing = Readonly<z.infer<typeof timingSchema>>;

/** What happens when it is due. */
export const taskSchema = z.discriminatedUnion("type", [
  /** The text goes to the chat; no model is asked. */
  z.object({ type: z.literal("remind"), text: z.string() }),
  /** The text starts a turn as if its author had written it. */
  z.object({
    type: z.literal("ask"),
    text: z.string(),
    /** The answer may be nothing: see `quietAnswer`. */
    isQuiet: z.literal(true).exactOptional(),
  }),
  /** One call of a `read` tool; a turn only if its result, or the part at `pointer`, has changed. */
  z.object({
    type: z.literal("watch"),
    tool: z.string(),
    given: z.unknown(),
    /** A JSON pointer; absent: the whole result. */
    pointer: z.string().exactOptional(),
    text: z.string(),
  }),
]);
export type Task = Readonly<z.infer<typeof taskSchema>>;

/** `late`: skipped, since it was missed for too long; `refused`: by a limit, or without the right. */
export const outcomes = ["sent", "asked", "unchanged", "late", "refused", "failed"] as const;
export type Outcome = (typeof outcomes)[number];

/** `dead`: nothing can be sent to its chat any more; it goes on when something can. */
type PauseReason = "person" | "failures" | "rights" | "dead";

/** Names a slot in what its turn leaves, by its second: outcomes keep no more. */
export const slotName = (id: string, slotMs: number): string =>
  `${id}:${Math.floor(slotMs / 1_000)}`;

/** A schedule of a chat, as it is stored. */
export interface Schedule {
  /** Six characters, unique in its chat. */
  readonly id: string;
  /** Grows with every change, 0 before the first; a firing of an older revision does nothing. */
  readonly revision: number;
  readonly task: Task;
  readonly timing: Timing;
  /** IANA. */
  readonly zone: string;
  /** Who made it; role, ban, limits, persona and rules are looked up when it fires. */
  readonly by: Person;
  readonly address: ChatAddress;
  readonly direct: boolean;
  /** As of the place where it was made, see `Whereabouts`: rules of a server hold when it fires. */
  readonly guild?: string;
  readonly threadOf?: string;
  /** A slot that was missed by more than `graceMs`: done once, late, or skipped. */
  readonly late: "once" | "skip";
  /** The next slot in ms since the epoch; absent: paused, or over. */
  readonly nextMs?: number;
  readonly pausedWhy?: PauseReason;
  /** Failures in a row. */
  readonly failures: number;
  /** The last five, newest first; their slots in whole seconds. */
  readonly outcomes: readonly { readonly slotMs: number; readonly outcome: Outcome }[];
}

/** The schedules of chats. */
export interface Schedules {
  list(chat: ChatKey): Promise<readonly Schedule[]>;
  read(chat: ChatKey, id: string): Promise<Schedule | undefined>;
  /**
   * Stores a new one, whose `revision` is 0, or a change of the revision that was read. It is stored
   * with the next revision.
   * @param key the idempotency key of the call or event that does it: an erased turn changes nothing,
   * and what was done is not done again, even if the schedule has run since.
   * @returns `changed`: it has been changed or removed since, or its turn was erased; `too-many`: the
   * person has `maxSchedules`.
   */
  save(chat: ChatKey, schedule: Schedule, key?: string): Promise<"saved" | "changed" | "too-many">;
  remove(chat: ChatKey, id: string): Promise<boolean>;
}

/** The whole answer of a model that has nothing to say, where that is allowed. */
export const quietAnswer = "NO_REPLY";

/** Whether an answer is no more than that, however it is marked. Pure. */
export const saysNothing = (text: string): boolean =>
  text.replaceAll(/^[\s`"'*[(]+|[\s`"'*.\])]+$/g, "") === quietAnswer;

/** What became of a slot, written with the last commit of its turn; what a `watch` saw comes before. */
export interface ScheduleEnd {
  readonly id: string;
  readonly slotMs: number;
  /** `asked` ends a row of failures; absent: what became of it comes later. */
  readonly outcome?: Extract<Outcome, "asked" | "unchanged" | "failed">;
  /** Of what a `watch` has seen. */
  readonly digest?: string;
  /** Posted if this failure pauses it. */
  readonly notice?: OutboxEntry;
}
