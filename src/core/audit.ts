import { z } from "zod";
import { personSchema } from "./chat.ts";

/** What is written down of who did what. */
export const auditActions = [
  /** An approval was decided, or its arguments were changed. */
  "approval-decided",
  "approval-edited",
  /** A person who may decide an approval was shown what its card hides. */
  "values-shown",
  /** A standing permission was given or taken back. */
  "grant-given",
  "grant-revoked",
  "limit-set",
  "limit-reset",
  "role-set",
  "pairing-decided",
  "paused",
  "resumed",
  "setting-changed",
  "broadcast",
  "erasure-asked",
  /** A user attempted something they may not do. */
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
  /** What it was done to: a person's id, a limit's scope, a tool. */
  target: z.string().optional(),
  /** The outcome, for example `approved`, `done`, `failed`. */
  outcome: z.string().optional(),
  /** Short facts by name, e.g. the limit's new and old value; arguments with their secrets masked. */
  details: z.record(z.string(), z.string()).optional(),
});
export type AuditEntry = Readonly<z.infer<typeof auditEntrySchema>>;

/** Where such lines go. */
export interface AuditLog {
  /**
   * Appended once per `id`, which names the event that caused it. Never
   * rejects: a failed write is logged, since a full log must not stop the
   * action it records.
   */
  write(id: string, entry: Omit<AuditEntry, "v" | "atMs">): Promise<void>;
}
