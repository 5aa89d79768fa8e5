import { z } from "zod";
import { chatKeySchema } from "./chat.ts";
import { chatTierNames } from "./model.ts";
import { personaExtrasSchema, personaOwnerSchema } from "./persona.ts";

/**
 * A persona that a person makes or changes in a chat, one at a time:
 * `purpose → style → tools → model → preview → saved`. What is changed begins at `preview` or
 * `prompt`; a button on the preview goes back to any one question. Approving saves exactly what the
 * preview with the same `revision` has shown.
 */
const draftSteps = [
  "purpose",
  "style",
  "tools",
  "model",
  "name",
  "description",
  "prompt",
  "extras",
  "preview",
  "saved",
] as const;
type DraftStep = (typeof draftSteps)[number];
export type DraftQuestion = Exclude<DraftStep, "preview" | "saved">;

/** Who a persona is made for. */
export const draftTargets = ["me", "chat", "everyone"] as const;
export type DraftTarget = (typeof draftTargets)[number];

export const personaDraftSchema = z.object({
  v: z.literal(1),
  /** Unique among a person's drafts; `[\w-]`, short enough for a button. */
  id: z.string(),
  chat: chatKeySchema,
  step: z.enum(draftSteps),
  /** The event that led to this state: delivered again, it changes nothing. */
  eventId: z.string(),
  /** Grows with every answer. */
  revision: z.int(),
  /** All questions were answered once: an answer leads to the preview. */
  isComplete: z.boolean(),
  /** Empty: not known yet. */
  name: z.string(),
  /** In the person's own words; empty: not answered yet. */
  purpose: z.string(),
  style: z.string(),
  description: z.string().optional(),
  /** Written by hand, instead of being made of purpose and style. */
  prompt: z.string().optional(),
  /** Absent: all that are offered. */
  tools: z.array(z.string()).optional(),
  /** A tier's name, or `provider/model`; absent: automatic. */
  tier: z.enum(chatTierNames).optional(),
  model: z.string().optional(),
  /** Absent: the usual ones, or those of the persona that is changed. */
  extras: personaExtrasSchema.optional(),
  /** The persona that is changed, and the content that the change was made to. */
  of: z.object({ owner: personaOwnerSchema, hash: z.string() }).optional(),
  /** As whose it was saved. */
  savedAs: personaOwnerSchema.optional(),
});
export type PersonaDraft = Readonly<z.infer<typeof personaDraftSchema>>;

/** The open question; undefined: none is. Pure. */
export const questionOf = ({ step }: PersonaDraft): DraftQuestion | undefined =>
  step === "preview" || step === "saved" ? undefined : step;
