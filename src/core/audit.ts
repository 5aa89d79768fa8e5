import { z } from "zod";
import { personSchema } from "./chat.ts";

/**
 * The audited actions. `schedule-changed`, `dead-letter-settled`, and `turn-stopped` from the
 * operator's page, are written before they happen, so that a crash in between loses no line: the line
 * says that it was ordered, and there may have been nothing left to do. In a chat `turn-stopped`
 * follows the stop; after a crash it is written when the platform delivers the command again.
 */
export const auditActions = [
  /** An approval was decided, or its arguments were changed. */
  "approval-decided",
  "approval-edited",
  /** A person who may decide an approval was shown what its card hides. */
  "values-shown",
  /** An owner read on the operator's page what was said in a chat. */
  "contents-shown",
  /** A standing permission was granted or withdrawn. */
  "grant-given",
  "grant-revoked",
  "limit-set",
  "limit-reset",
  "role-set",
  "pairing-decided",
  "paused",
  "resumed",
  "setting-changed",
  /** An admin ended everyone's work in a group, or in any chat from the operator's page. */
  "turn-stopped",
  /** An admin ran, paused, resumed or deleted a schedule. */
  "schedule-changed",
  /** A version of a skill was approved or denied, or its approval withdrawn. */
  "skill-decided",
  "broadcast",
  /** A browser logged in to the operator's page, or was logged out from a chat. */
  "page-login",
  "page-session-ended",
  "erasure-asked",
  /** Something that could not be delivered was sent again, or dropped. */
  "dead-letter-settled",
  /** A person tried something they may not do. */
  "attempt-denied",
  "tool-executed",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One line of the audit log. Never contains message texts or tool results. */
export const auditEntrySchema = z.object({
  v: z.literal(1),
  atMs: z.number(),
  action: z.enum(auditActions),
  /** The actor; absent: Parley itself, for example at an expiry. */
  by: personSchema.pick({ id: true, name: true }).optional(),
  /** The chat in which it happened, as its key. */
  chat: z.string().optional(),
  /** The object of the action: a person's id, a limit's scope, a tool. */
  target: z.string().optional(),
  /** The outcome, for example `approved`, `done`, `failed`. */
  outcome: z.string().optional(),
  /** Short facts by name, e.g. a limit's old and new value; arguments with their secrets masked. */
  details: z.record(z.string(), z.string()).optional(),
});
export type AuditEntry = Readonly<z.infer<typeof auditEntrySchema>>;

/** Appends to the audit log. */
export interface AuditLog {
  /**
   * Appended once per `id`, which names the event that caused it. Never
   * rejects: a failed write is logged, since a full log must not stop the
   * action it records.
   */
  write(id: string, entry: Omit<AuditEntry, "v" | "atMs">): Promise<void>;
}
