import type { PersonaDraft } from "../../core/persona-draft.ts";
import {
  maxPersonaDescription,
  personaExtrasSchema,
  personaSchema,
  type Persona,
  type PersonaExtras,
} from "../../core/persona.ts";
import { visible } from "../../text/visible-text.ts";

/**
 * The persona that a draft makes: what it says, and the rest as `before` has it. Pure.
 * @param before the persona that is changed.
 */
export const personaOf = (draft: PersonaDraft, before?: Persona): Persona =>
  personaSchema.parse({
    ...(draft.extras ?? before),
    name: draft.name,
    prompt: composePrompt(draft),
    description: describedIn(draft.description ?? draft.purpose),
    tools: draft.tools,
    tier: draft.tier,
    model: draft.model,
  });

/** What it has so far. Pure. */
export const extrasOf = ({ extras }: Pick<PersonaDraft, "extras">): PersonaExtras =>
  extras ?? personaExtrasSchema.parse({});

/** A description as lists show it: the first line's beginning. Undefined: the text is blank. Pure. */
export const describedIn = (text: string): string | undefined =>
  visible(text.trim().split("\n")[0]?.trim() ?? "")
    .slice(0, maxPersonaDescription)
    .toWellFormed()
    .trim() || undefined;

/** Each line as a quotation, so that a person's words can't pass for ours. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|\r|\n/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");

/**
 * The system prompt that a draft makes: the one that was written by hand, or the answers, as they
 * were given, in a fixed frame. Pure.
 */
export const composePrompt = ({ name, purpose, style, prompt }: PersonaDraft): string =>
  prompt ??
  [
    `You are "${name}", a persona that a person has made for this chat.`,
    "",
    "What you are for, in their own words:",
    quoted(purpose),
    "",
    "How you talk, in their own words:",
    quoted(style),
    "",
    "Keep to this in every answer. If someone asks for something else, help if you can, in the same way of talking.",
    "Answer in the language that you are asked in, unless the words above say otherwise.",
  ].join("\n");
