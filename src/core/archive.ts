import { z } from "zod";
import { chatKeySchema } from "./chat.ts";
import { factSchema } from "./facts.ts";
import { logEntrySchema } from "./history.ts";
import { personaSchema } from "./persona.ts";
import { conversationSummarySchema } from "./summaries.ts";

/**
 * A chat as a file of JSON lines, for backups: the head, the chat's data, and the end, which is
 * missing in a truncated file. Inbox, outbox and approvals are not included; an open turn is
 * included as far as its history goes.
 */
export const archiveLineSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("chat"),
    v: z.literal(1),
    chat: chatKeySchema,
    /** Milliseconds since the epoch. */
    exportedAtMs: z.number(),
    /** Where the model's view of the history begins. */
    viewStart: z.number().int().nonnegative(),
    /** How many inbox entries the chat has had: turns are numbered by them. */
    inBase: z.number().int().nonnegative(),
    /** What `/status` counts. */
    counts: z.object({
      turns: z.number(),
      modelCalls: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
    }),
  }),
  z.object({
    kind: z.literal("entry"),
    position: z.number().int().nonnegative(),
    entry: logEntrySchema,
  }),
  z.object({ kind: z.literal("note"), text: z.string() }),
  z.object({ kind: z.literal("fact"), fact: factSchema }),
  z.object({ kind: z.literal("summary"), summary: conversationSummarySchema }),
  z.object({
    kind: z.literal("todos"),
    items: z.array(z.object({ text: z.string(), done: z.boolean() })),
  }),
  z.object({
    kind: z.literal("setting"),
    name: z.string(),
    value: z.string(),
  }),
  /** One that was made in the chat, as it is now. */
  z.object({ kind: z.literal("persona"), persona: personaSchema }),
  /** An amount of `use:<chat>`, e.g. `in openai/gpt`. */
  z.object({
    kind: z.literal("usage"),
    name: z.string(),
    amount: z.string(),
  }),
  /** A field of `plans:<chat>`: a schedule, or the digest of what one watches. */
  z.object({
    kind: z.literal("schedule"),
    name: z.string(),
    value: z.string(),
  }),
  z.object({
    kind: z.literal("end"),
    /** Of kind `entry`. */
    entries: z.number().int().nonnegative(),
  }),
]);
export type ArchiveLine = Readonly<z.infer<typeof archiveLineSchema>>;
export type ArchiveHead = ArchiveLine & { readonly kind: "chat" };
