import { z } from "zod";
import { personSchema } from "./chat.ts";

/** What is written down of who did what. */
export const auditActions = [
  /** An approval was decided, or its arguments were changed. */
  "approval-decided",
  "approval-edited",
  /** Somebody who may decide an approval was shown what its card hides. */
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
  /** Somebody tried what they may not do. */
  "attempt-denied",
  "tool-executed",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One line of the audit log. Never holds what somebody wrote to a model, nor what a tool answered. */
export const auditEntrySchema = z.object({
  v: z.literal(1),
  atMs: z.number(),
  action: z.enum(auditActions),
  /** Whoever did it; absent: Parley itself, e.g. an expiry. */
  by: personSchema.pick({ id: true, name: true }).optional(),
  /** The chat in which it happened, as its key. */
  chat: z.string().optional(),
  /** What it was done to: a person's id, a limit's scope, a tool. */
  target: z.string().optional(),
  /** What came of it, e.g. `approved`, `done`, `failed`. */
  outcome: z.string().optional(),
  /** Short facts by name, e.g. the limit's new and old value; arguments with their secrets masked. */
  details: z.record(z.string(), z.string()).optional(),
});
export type AuditEntry = Readonly<z.infer<typeof auditEntrySchema>>;

/** Where such lines go. */
export interface AuditLog {
  /**
   * Appended once per `id`, which names the event that brought it. Never rejects: what cannot be written is logged, since
   * a full log must not stop what it tells of.
   */
  write(id: string, entry: Omit<AuditEntry, "v" | "atMs">): Promise<void>;
}
