import { z } from "zod";
import { personSchema } from "./chat.ts";

/**
 * The raw history of a chat: entries are appended and never rewritten. An entry's position is its index in the log
 * plus the log's base. An inbox message has the same shape as its log entry, so that `begin` moves it verbatim.
 */
export const failureKinds = [
  "tool-error",
  "timeout",
  "invalid-arguments",
  "unknown-tool",
  "policy-denied",
  "confirmation-denied",
  "confirmation-expired",
  "superseded",
  "cancelled",
  "limit-reached",
  "deadline",
  "outcome-unknown",
] as const;
export const failureKindSchema = z.enum(failureKinds);
export type FailureKind = z.infer<typeof failureKindSchema>;

/** The burst key of a long piece of text that may go on in the next message. */
export const pasteBurst = "paste";

export const messageEntrySchema = z.object({
  kind: z.literal("message"),
  v: z.literal(1),
  /** The platform's id of the event that brought it; unique within the chat. */
  id: z.string(),
  /** The platform's id of the message itself, to reply to; absent where the platform has none. */
  messageId: z.string().optional(),
  person: personSchema,
  text: z.string(),
  /** In a group the model is told who speaks. */
  group: z.boolean().optional(),
  /** Pieces with the same burst key that lie together in the inbox form one turn. */
  burst: z.string().optional(),
  /** Milliseconds since the epoch, by the receiving process's clock. */
  atMs: z.number(),
});
export type MessageEntry = Readonly<z.infer<typeof messageEntrySchema>>;

export const callRequestSchema = z.object({
  index: z.number().int().nonnegative(),
  /** The provider's id: only echoed back to the provider, never a key of ours. */
  wireId: z.string(),
  name: z.string(),
  /** As the model wrote it; may be broken JSON. */
  arguments: z.string(),
});
export type CallRequest = Readonly<z.infer<typeof callRequestSchema>>;

export const usageSchema = z.object({
  inputTokens: z.number(),
  outputTokens: z.number(),
});
export type Usage = Readonly<z.infer<typeof usageSchema>>;

const assistantEntrySchema = z.object({
  kind: z.literal("assistant"),
  v: z.literal(1),
  turn: z.number(),
  round: z.number(),
  /** `provider/model`. */
  model: z.string(),
  text: z.string(),
  reasoning: z.string().optional(),
  calls: z.array(callRequestSchema),
  usage: usageSchema.optional(),
  /** Set when a stop cut it off. */
  partial: z.boolean().optional(),
});
export type AssistantEntry = Readonly<z.infer<typeof assistantEntrySchema>>;

const toolEntrySchema = z.object({
  kind: z.literal("tool"),
  v: z.literal(1),
  turn: z.number(),
  round: z.number(),
  index: z.number(),
  name: z.string(),
  /** What the model reads; for a failure it starts with the failure's kind. */
  text: z.string(),
  failure: failureKindSchema.optional(),
});

export const endReasons = [
  "answered",
  "max-model-calls",
  "max-tool-executions",
  "deadline",
  "tool-failure",
  "confirmation-denied",
  "policy-denied",
  "cancelled",
  "superseded",
  "model-failed",
  "poisoned",
] as const;
export const endReasonSchema = z.enum(endReasons);
export type EndReason = z.infer<typeof endReasonSchema>;

/** How a turn ended that did not end with the model's own answer; `text` is what the person read, if anything. */
const endEntrySchema = z.object({
  kind: z.literal("end"),
  v: z.literal(1),
  turn: z.number(),
  reason: endReasonSchema,
  text: z.string().optional(),
});

/** A person started the conversation anew: the view begins behind the newest of these. */
export const resetEntrySchema = z.object({
  kind: z.literal("reset"),
  v: z.literal(1),
  id: z.string(),
  atMs: z.number(),
});
export type ResetEntry = Readonly<z.infer<typeof resetEntrySchema>>;

export const logEntrySchema = z.discriminatedUnion("kind", [
  messageEntrySchema,
  assistantEntrySchema,
  toolEntrySchema,
  endEntrySchema,
  resetEntrySchema,
]);
export type LogEntry = Readonly<z.infer<typeof logEntrySchema>>;

export const inboxEntrySchema = z.discriminatedUnion("kind", [
  messageEntrySchema,
  resetEntrySchema,
]);
export type InboxEntry = Readonly<z.infer<typeof inboxEntrySchema>>;
