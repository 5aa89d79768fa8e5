import { createHash } from "node:crypto";
import { z } from "zod";
import { personSchema } from "./chat.ts";
import { unreachable } from "./errors.ts";
import type { QuietHours } from "./quiet-hours.ts";
import { isAtLeast, type Role } from "./roles.ts";

/**
 * `pending → approved | denied | expired | superseded | cancelled | changed`,
 * once, by one compare-and-set that also checks the expiry. The stored approval
 * is the only source of its state. `changed`: a person wrote other arguments,
 * which another approval asks about.
 */
const approvalStatuses = [
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

/** The stored reason of an approval that expired because no message could ask for it. */
export const unreached = "unreached";

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
  /** How many different people must approve it, while any one may deny it; absent: one. */
  readonly persons?: 2 | undefined;
}

/** How the approvers are asked. */
export interface Asking extends Deciders {
  /** The policy that requires the approval, as a short hash of the operator's rules that apply. */
  readonly policy?: string;
  /** Milliseconds; absent: the default for all calls. */
  readonly expiresAfterMs?: number | undefined;
  /** Absent: cards notify at any time. */
  readonly quietHours?: QuietHours | undefined;
  /** The longest standing permission that may be granted with it, in milliseconds; absent: none. */
  readonly alwaysAllowMs?: number | undefined;
  /** How long the permission mode `auto` may replace it, in milliseconds; absent: never. */
  readonly autoMs?: number | undefined;
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
  return (asked.persons ?? 1) >= (needed.persons ?? 1) && isHeld(asked.approvers);
}

/**
 * Sets that versions with `v: 1` know; they would accept one person's approval for any other set.
 */
const first: ReadonlySet<ApproverPolicy> = new Set<ApproverPolicy>([
  "requester-or-admins",
  "requester",
  "admins",
]);

/**
 * The version of an entry that holds these deciders: processes that don't know version 2 skip it.
 * Pure.
 */
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
  /** Its server's title for it; absent: it has none, or is built in. */
  title: z.string().optional(),
  /** The tool's own description of the call, in a sentence. */
  about: z.string().optional(),
  /** Canonical JSON of exactly the arguments that will run. */
  arguments: z.string(),
  /** See `ToolDefinition.cardFacts`; `zone`: the requester's. */
  facts: z.record(z.string(), z.string()).optional(),
  /** SHA-256 of tool and canonical arguments. */
  digest: z.string(),
  requester: personSchema,
  /** The turn's persona, as audit lines name it; absent: none. */
  persona: z.string().optional(),
  ...decidersSchema.shape,
  /** The policy that required the approval, as a short hash of the operator's rules that apply. */
  policy: z.string().optional(),
  /** The tool's version then: a standing permission applies to no other version. */
  definition: z.string().optional(),
  /** The longest standing permission that may be granted with it, in milliseconds; absent: none. */
  alwaysAllowMs: z.number().optional(),
  /** It was asked in a private chat: no one but its person reads the card. */
  direct: z.literal(true).optional(),
  /**
   * The people who may decide it aren't in its chat: they are asked in their own direct chats, and their
   * roles in general count, not those in a chat.
   */
  elsewhere: z.literal(true).optional(),
  askedAtMs: z.number().optional(),
  expiresAtMs: z.number(),
  /** Name of the person who changed the arguments; another approval has shown the model's own. */
  changedBy: z.string().optional(),
  /** That person's id, for erasures; earlier versions wrote none. */
  changedById: z.string().optional(),
  /**
   * The ids of all approvals on the same card, itself included, in order; absent if it is the only
   * one.
   */
  together: z.array(z.string()).min(2).optional(),
  /** The span that asked; absent: it is not traced. */
  traceparent: z.string().optional(),
});
export type Approval = Readonly<z.infer<typeof approvalSchema>>;

/**
 * Changed arguments for a call that waited for an approval. The worker validates them against the
 * tool.
 */
export const approvalEditSchema = z.object({
  v: z.literal(1),
  /** A JSON object: all arguments of the call. */
  arguments: z.string(),
  /** The author, who is entitled to decide the call. */
  by: personSchema,
});
export type ApprovalEdit = Readonly<z.infer<typeof approvalEditSchema>>;

/** Consonants that are not mistaken for each other: an id is never a word. */
const displayLetters = "BCDFGHJKMNPRSTVWXYZ";
const displayLength = 5;

const displayId = new RegExp(`^[${displayLetters}]{${displayLength}}$`);

/** Whether a word is written like a display id. Pure. */
export const isDisplayId = (word: string): boolean => displayId.test(word);

/**
 * What people read and type to name an approval within its chat: five capitals, derived from the
 * id, which stays unguessable. Open approvals of a chat never share one. Pure.
 */
export function shortApprovalId(id: string): string {
  const hash = createHash("sha256").update(id).digest();
  const letterAt = (_: unknown, at: number): string =>
    displayLetters.charAt(hash.readUInt16BE(2 * at) % displayLetters.length);
  return Array.from({ length: displayLength }, letterAt).join("");
}

/** What people call a call: its card's id and, of several calls, its number there. */
export function displayedId({ id, together = [id] }: Pick<Approval, "id" | "together">): string {
  const card = shortApprovalId(together[0] ?? id);
  return together.length === 1 ? card : `${card}.${together.indexOf(id) + 1}`;
}

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
  /** That person's id; absent if an earlier version recorded the decision. */
  readonly decidedById?: string;
  readonly reason?: string;
  /** If it was changed: the arguments to ask about instead. */
  readonly edit?: ApprovalEdit;
  /** The platform's id of the card's message, once it is known. */
  readonly cardMessageId?: string;
  /**
   * The chat's newest inbox position when it was opened; absent if an earlier version opened it.
   */
  readonly askedAtPosition?: number;
}
