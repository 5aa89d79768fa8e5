import { z } from "zod";
import { personSchema } from "./chat.ts";
import { unreachable } from "./errors.ts";
import type { QuietHours } from "./quiet-hours.ts";
import { isAtLeast, type Role } from "./roles.ts";

/**
 * `pending → approved | denied | expired | superseded | cancelled | changed`,
 * once, by one compare-and-set that also checks the expiry. The approval's own
 * state is the only truth about it. `changed`: a person wrote other arguments,
 * and another approval asks about those.
 */
export const approvalStatuses = [
  "pending",
  "approved",
  "denied",
  "expired",
  "superseded",
  "cancelled",
  "changed",
] as const;
export const approvalStatusSchema = z.enum(approvalStatuses);
export type ApprovalStatus = z.infer<typeof approvalStatusSchema>;

/**
 * Who may decide; people with a higher role than the named one may, too. Each
 * set includes all members of the sets that `heldBy` leads to.
 */
export const approverPolicies = [
  "requester-or-admins",
  "requester",
  "admins",
  "owners",
  "members",
] as const;
export type ApproverPolicy = (typeof approverPolicies)[number];

/** Who has to approve a call before it may run. */
export interface Deciders {
  readonly approvers: ApproverPolicy;
  /** As many different ones of them must approve it, and any one may deny it; absent: one. */
  readonly persons?: 2 | undefined;
}

/** How a person is asked. */
export interface Asking extends Deciders {
  /** The policy that asks, as a short hash of what of the operator's rules has spoken. */
  readonly policy?: string;
  /** Milliseconds; absent: as long as any other call. */
  readonly expiresAfterMs?: number | undefined;
  /** Absent: cards ring at any time. */
  readonly quietHours?: QuietHours | undefined;
  /** The longest standing permission that may be given with it, in milliseconds; absent: none. */
  readonly alwaysAllowMs?: number | undefined;
}

/**
 * Whether a person is among those who may decide; requires at least a member.
 * Pure.
 */
export function entitles(
  approvers: ApproverPolicy,
  { role, isRequester }: { readonly role: Role; readonly isRequester: boolean },
): boolean {
  if (!isAtLeast(role, "member")) return false;
  switch (approvers) {
    case "requester-or-admins":
      return isRequester || isAtLeast(role, "admin");
    case "requester":
      return isRequester;
    case "admins":
      return isAtLeast(role, "admin");
    case "owners":
      return role === "owner";
    case "members":
      return true;
    default:
      return unreachable(approvers);
  }
}

/** The next larger sets, by set: members of the one belong to the others. */
const heldBy: Readonly<Record<ApproverPolicy, readonly ApproverPolicy[]>> = {
  requester: ["requester-or-admins"],
  owners: ["admins"],
  admins: ["requester-or-admins"],
  "requester-or-admins": ["members"],
  members: [],
};

/**
 * Whether the people who were asked may decide what has to be asked now: an
 * approval counts only if the rule hasn't become stricter since. Pure.
 */
export function isAsStrict(asked: Deciders, needed: Deciders): boolean {
  const isHeld = (set: ApproverPolicy): boolean =>
    set === needed.approvers || heldBy[set].some(isHeld);
  return (
    (asked.persons ?? 1) >= (needed.persons ?? 1) && isHeld(asked.approvers)
  );
}

/** Sets that versions of Parley know which write `v: 1`; they would take one person's word for any other approval. */
const first: ReadonlySet<ApproverPolicy> = new Set<ApproverPolicy>([
  "requester-or-admins",
  "requester",
  "admins",
]);

/** The version of whatever holds these deciders: 2 is left to processes that know them. Pure. */
export const versionOf = ({ approvers, persons }: Deciders): 1 | 2 =>
  persons === undefined && first.has(approvers) ? 1 : 2;

export const decidersSchema = z.object({
  approvers: z.enum(approverPolicies),
  persons: z.literal(2).optional(),
});

export const approvalSchema = z.object({
  /** See `versionOf`. */
  v: z.union([z.literal(1), z.literal(2)]),
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
  ...decidersSchema.shape,
  /** The policy that asked, as a short hash of what of the operator's rules has spoken. */
  policy: z.string().optional(),
  /** The tool as it was: a standing permission holds for no other version of it. */
  definition: z.string().optional(),
  /** The longest standing permission that may be given with it, in milliseconds; absent: none. */
  alwaysAllowMs: z.number().optional(),
  askedAtMs: z.number().optional(),
  expiresAtMs: z.number(),
  /** Who has changed the arguments, by name: the model wanted others, which another approval has shown. */
  changedBy: z.string().optional(),
  /** That person's id, by which an erasure finds their words; versions before this wrote none. */
  changedById: z.string().optional(),
  /** The ids of all approvals that its card asks for, itself included, in their order; absent where it is the only one. */
  together: z.array(z.string()).min(2).optional(),
});
export type Approval = Readonly<z.infer<typeof approvalSchema>>;

/** Other arguments for a call that waited for an approval. Whether the tool can take them, a worker finds out. */
export const approvalEditSchema = z.object({
  v: z.literal(1),
  /** A JSON object: all that the call is to be given. */
  arguments: z.string(),
  /** The author, entitled to decide the call. */
  by: personSchema,
});
export type ApprovalEdit = Readonly<z.infer<typeof approvalEditSchema>>;

/** What a person types for it: enough to tell it from what else waits in a chat. */
export const shortApprovalId = (id: string): string => {
  const from = id.indexOf("-") + 1;
  return id.slice(from, from + 6);
};

export interface ApprovalView {
  readonly approval: Approval;
  readonly status: ApprovalStatus;
  /**
   * The first approver, where two are required; also set while the second is
   * awaited.
   */
  readonly approvedFirst?: { readonly id: string; readonly name: string };
  /**
   * Who decided; absent while pending, and where no one did (expired,
   * superseded).
   */
  readonly decidedBy?: string;
  /** That person's id; absent where an earlier version recorded the decision. */
  readonly decidedById?: string;
  readonly reason?: string;
  /** Of one that was changed: what is to be asked about instead. */
  readonly edit?: ApprovalEdit;
  /** The platform's id of the card's message, once it is known. */
  readonly cardMessageId?: string;
  /** The chat's newest inbox position when it was asked; absent where an earlier version has asked. */
  readonly askedAtPosition?: number;
}
