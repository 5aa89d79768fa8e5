import { z } from "zod";
import { approverPolicies } from "./approval.ts";
import { personSchema } from "./chat.ts";
import {
  callRequestSchema,
  endReasonSchema,
  failureKindSchema,
  usageSchema,
} from "./history.ts";

/**
 * The state of a running turn, as it is stored. Phases:
 *
 * `idle → thinking → acting → (waiting → acting)* → thinking … → finished → idle`
 *
 * `idle` is the absence of a state. `thinking`: a model call is due, or under way when `modelCallOpen`. `acting`: calls
 * are due or under way. `waiting`: a person must decide; no worker holds the turn. `finished`: only the last commit
 * is missing. Nothing here is larger than a round's arguments, so that every commit can write it whole.
 */
export const callStatuses = [
  "proposed",
  "awaiting",
  "authorised",
  "started",
  "done",
  "failed",
  "unknown",
  "denied",
  "expired",
  "cancelled",
  "superseded",
] as const;
export const callStatusSchema = z.enum(callStatuses);
export type CallStatus = z.infer<typeof callStatusSchema>;

export const terminalStatuses: ReadonlySet<CallStatus> = new Set<CallStatus>([
  "done",
  "failed",
  "unknown",
  "denied",
  "expired",
  "cancelled",
  "superseded",
]);

export const effectSchema = z.enum(["read", "idempotent", "keyed", "once"]);

/**
 * One tool call of the open round:
 * `proposed → awaiting | authorised → started → done | failed | unknown | denied | expired | cancelled | superseded`.
 * Its journal key is `<turn>.<round>.<index>`.
 */
export const callSchema = callRequestSchema.extend({
  status: callStatusSchema,
  effect: effectSchema,
  /** SHA-256 of tool and canonical arguments; checked again at the claim. */
  digest: z.string().optional(),
  approvalId: z.string().optional(),
  /** Who may decide it, as the policy said when it was asked. */
  approvers: z.enum(approverPolicies).optional(),
  failure: failureKindSchema.optional(),
});
export type Call = Readonly<z.infer<typeof callSchema>>;

export const countersSchema = z.object({
  modelCalls: z.number(),
  toolExecutions: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Milliseconds in which the turn was worked on; waiting for a person is free. */
  activeMs: z.number(),
});
export type Counters = Readonly<z.infer<typeof countersSchema>>;

export const turnStateSchema = z.object({
  v: z.literal(1),
  phase: z.enum(["thinking", "acting", "waiting", "finished"]),
  /** The inbox position of the message that began it; unique and growing within the chat. */
  turn: z.number(),
  round: z.number(),
  requester: personSchema,
  replyTo: z.string().optional(),
  counters: countersSchema,
  /** A model call was counted and has not been answered. */
  modelCallOpen: z.boolean(),
  calls: z.array(callSchema),
  /** Set once a stop policy closed the turn: the next model call is the last and has no tools. */
  closing: endReasonSchema.optional(),
  /** Set in `finished`. `model` is absent where the text is our own sentence. */
  outcome: z
    .object({
      reason: endReasonSchema,
      text: z.string(),
      model: z.string().optional(),
      reasoning: z.string().optional(),
      usage: usageSchema.optional(),
    })
    .optional(),
  /** The round that last asked a person: the answer goes on in a message of its own, below the cards. */
  segment: z.number().optional(),
  /** The inbox message whose author was told, for all others too, that they wait. */
  noticed: z.array(z.string()).optional(),
});
export type TurnState = Readonly<z.infer<typeof turnStateSchema>>;

/** What a settled call left behind, until the round's results are appended to the log. */
export const journalEntrySchema = z.object({
  v: z.literal(1),
  text: z.string(),
  display: z.string().optional(),
  failure: failureKindSchema.optional(),
});
export type JournalEntry = Readonly<z.infer<typeof journalEntrySchema>>;

export const journalKey = (
  turn: number,
  round: number,
  index: number,
): string => `${turn}.${round}.${index}`;

/** The limits of one turn. Compared with `>=`. */
export interface TurnPolicy {
  readonly maxModelCalls: number;
  readonly maxToolExecutions: number;
  /** Active milliseconds. */
  readonly deadlineMs: number;
  readonly stopOn: {
    readonly toolFailure: boolean;
    readonly confirmationDenied: boolean;
    readonly policyDenied: boolean;
  };
}
