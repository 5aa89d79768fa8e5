import { z } from "zod";
import { personSchema } from "./chat.ts";

/**
 * `pending → approved | denied | expired | superseded | cancelled`, once, by one compare-and-set that also checks the
 * expiry. The approval's own state is the only truth about it.
 */
export const approvalStatuses = [
  "pending",
  "approved",
  "denied",
  "expired",
  "superseded",
  "cancelled",
] as const;
export const approvalStatusSchema = z.enum(approvalStatuses);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

export const approverPolicies = [
  "requester-or-admins",
  "requester",
  "admins",
] as const;

export const approvalSchema = z.object({
  v: z.literal(1),
  /** `<shard>-<random>`; unguessable. */
  id: z.string(),
  chat: z.string(),
  turn: z.number(),
  round: z.number(),
  index: z.number(),
  tool: z.string(),
  /** What the tool says of itself, in a sentence. */
  about: z.string().optional(),
  /** Canonical JSON of exactly the arguments that will run. */
  arguments: z.string(),
  /** SHA-256 of tool and canonical arguments. */
  digest: z.string(),
  requester: personSchema,
  approvers: z.enum(approverPolicies),
  askedAtMs: z.number().optional(),
  expiresAtMs: z.number(),
  /** The ids of all approvals that its card asks for, itself included, in their order; absent where it is the only one. */
  together: z.array(z.string()).min(2).optional(),
});
export type Approval = Readonly<z.infer<typeof approvalSchema>>;

/** What a person types for it: enough to tell it from what else waits in a chat. */
export const shortApprovalId = (id: string): string => {
  const from = id.indexOf("-") + 1;
  return id.slice(from, from + 6);
};

export interface ApprovalView {
  readonly approval: Approval;
  readonly status: ApprovalStatus;
  /** Who decided; absent while pending, and where nobody did (expired, superseded). */
  readonly decidedBy?: string;
  readonly reason?: string;
  /** The platform's id of the card's message, once it is known. */
  readonly cardMessageId?: string;
}
