import { createHash } from "node:crypto";
import { z } from "zod";
import type { ChatKey } from "./chat.ts";
import { chatTierNames } from "./model.ts";
import type { TurnPersona } from "./turn-persona.ts";
import { hasUnseen } from "./unseen.ts";

/**
 * A persona changes how the bot answers: its prompt, and what of the offered tools, models and
 * model calls it uses. It only narrows: nothing here can allow, add or raise anything.
 */
export const maxPersonaPrompt = 32_000;
export const maxPersonaDescription = 200;
export const maxPersonaStarters = 6;
export const maxPersonaStarter = 200;
/** Entries of `tools`, and of `skills`. */
export const maxPersonaList = 100;
export const usualPersonaModelCalls = 15;
export const maxPersonaModelCalls = 1_000;

/** Lower-case words of letters and digits of any script, joined by single hyphens; no longer. */
export const maxPersonaName = 32;
const nameShape = /^[\p{L}\p{M}\p{N}]+(?:-[\p{L}\p{M}\p{N}]+)*$/u;

/** Whether a persona can have this name. Lookalikes are for the caller to refuse. Pure. */
export const isPersonaName = (name: string): boolean =>
  name.length <= maxPersonaName &&
  nameShape.test(name) &&
  name === name.normalize("NFKC").toLowerCase();

/** Before `hasUnseen`, joiners between any two emoji were accepted, and are stored. */
const unseenBefore =
  /(?!(?<=\p{Extended_Pictographic})[\uFE0F\u200D])(?! )[\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;
/** One line in which nothing is invisible or moves what people see. */
const line = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine(
      (text) =>
        text.isWellFormed() &&
        text.trim() === text &&
        !(hasUnseen(text) && unseenBefore.test(text)),
    );

export const personaSchema = z.object({
  name: z.string().refine(isPersonaName),
  description: line(maxPersonaDescription).optional(),
  /** The system prompt, in Markdown. */
  prompt: z
    .string()
    .max(maxPersonaPrompt)
    .refine((text) => text.isWellFormed() && text.trim() !== ""),
  /**
   * Names of tools, with `*` for anything, as rules match them. Absent: all that are offered; empty:
   * none.
   */
  tools: z.array(line(100)).max(maxPersonaList).optional(),
  /** `provider/model`, asked first; of those that the operator offers. */
  model: line(200).optional(),
  tier: z.enum(chatTierNames).optional(),
  temperature: z.number().min(0).max(2).optional(),
  maxModelCalls: z.int().min(1).max(maxPersonaModelCalls).default(usualPersonaModelCalls),
  /** Messages that a person might begin with. */
  starters: z.array(line(maxPersonaStarter)).max(maxPersonaStarters).default([]),
  /** Names of the skills that it uses. Absent: the chat's. */
  skills: z.array(line(100)).max(maxPersonaList).optional(),
  /** `off`: sees no notes, facts and earlier conversations, and has no tools for them. */
  memory: z.enum(["on", "off"]).default("on"),
});
export type Persona = Readonly<z.infer<typeof personaSchema>>;

/** What a persona has beyond what it is made of in a chat: its prompt, tools and model. */
export const personaExtrasSchema = personaSchema.pick({
  temperature: true,
  maxModelCalls: true,
  starters: true,
  skills: true,
  memory: true,
});
export type PersonaExtras = Readonly<z.infer<typeof personaExtrasSchema>>;
export const personaExtraNames = personaExtrasSchema.keyof().options;

type PersonaExtrasProblem =
  /** No lines of `field: value`. */
  | { readonly type: "no-fields" }
  | { readonly type: "unknown-field"; readonly field: string }
  /** `value` is short, in one line. */
  | {
      readonly type: "bad-value";
      readonly field: (typeof personaExtraNames)[number];
      readonly value: string;
    };

/** Extras as people write them, the same as in the operator's files. */
export interface PersonaExtrasFormat {
  readonly write: (extras: PersonaExtras) => string;
  /** @param before what stays where the text doesn't mention it. */
  readonly read: (
    text: string,
    before: PersonaExtras,
  ) => { readonly extras: PersonaExtras } | { readonly problem: PersonaExtrasProblem };
}

/**
 * Identifies a persona's content: two with the same hash are the same in everything. 22 characters
 * of base64url. Pure.
 */
export const personaHash = (persona: Persona): string =>
  createHash("sha256")
    // Parsed, so that the keys have one order.
    .update(JSON.stringify(personaSchema.parse(persona)))
    .digest("base64url")
    .slice(0, 22);

/**
 * Whose persona it is: a file of the operator's, one that admins have made for everyone, a chat's,
 * or a person's own. `sample`: one that this person is making, which no one can choose.
 */
export type PersonaOwner =
  "file" | "everyone" | `chat:${ChatKey}` | `person:${string}` | `sample:${string}`;

/** Names a persona, whatever its content is at the time. */
export interface PersonaRef {
  readonly owner: PersonaOwner;
  readonly name: string;
}

/** `<owner>/<name>`, as choices are stored. */
export const personaRefText = ({ owner, name }: PersonaRef): string => `${owner}/${name}`;

/** An owner whose personas can be chosen. */
export const personaOwnerSchema = z.custom<PersonaOwner>(
  (owner) => typeof owner === "string" && /^(?:file|everyone|(?:chat|person):.+)$/.test(owner),
);

/** The inverse of `personaRefText`; undefined: the text is no reference. Pure. */
export function parsePersonaRef(text: string | undefined): PersonaRef | undefined {
  const [, of, name = ""] = /^([^/]+)\/([^/]+)$/.exec(text ?? "") ?? [];
  const owner = personaOwnerSchema.safeParse(of).data;
  return owner && isPersonaName(name) ? { owner, name } : undefined;
}

/** The owners whose personas can be chosen by this person in this chat. */
export const ownersFor = (where: {
  readonly chat: ChatKey;
  readonly personId: string;
}): readonly PersonaOwner[] => [
  "file",
  "everyone",
  `chat:${where.chat}`,
  `person:${where.personId}`,
];

/** Whose choice it is; a narrower one applies first. */
const personaScopes = ["person", "chat", "place"] as const;
export type PersonaScope = (typeof personaScopes)[number];

/**
 * Whether such a persona can be chosen for this scope: what applies to others isn't one person's own, and
 * what applies to several chats belongs to none of them. Pure.
 */
export function fitsScope(
  { owner }: PersonaRef,
  scope: PersonaScope,
  where: { readonly chat: ChatKey; readonly personId: string },
): boolean {
  if (owner === "file" || owner === "everyone") return true;
  if (owner === `chat:${where.chat}`) return scope !== "place";
  return scope === "person" && owner === `person:${where.personId}`;
}

/** What was chosen, by scope; absent: nothing. */
export type PersonaChoices = { readonly [Scope in PersonaScope]?: PersonaRef | undefined };

/** The chosen persona for one person in one chat. */
export interface ChosenPersona {
  readonly ref: PersonaRef;
  readonly by: PersonaScope | "default";
}

/**
 * What was chosen, in the order in which it applies: the first persona that exists is the one.
 * Choices that don't fit their scope are left out. Pure.
 */
export function chosenPersonas(
  choices: PersonaChoices,
  where: {
    readonly chat: ChatKey;
    readonly personId: string;
    /** The name of the operator's default, a file. */
    readonly usual: string | undefined;
  },
): readonly ChosenPersona[] {
  const chosen = personaScopes.flatMap((by) => {
    const ref = choices[by];
    return ref !== undefined && fitsScope(ref, by, where) ? [{ ref, by }] : [];
  });
  return where.usual === undefined
    ? chosen
    : [...chosen, { ref: { owner: "file", name: where.usual }, by: "default" }];
}

/** Where turns get their personas from; mostly from memory. */
export interface PersonaSource {
  /** The name of the operator's default, a file. */
  readonly usual: string | undefined;
  /** Runs in the same round trip as `begin`. @throws what the store throws. */
  refresh(): Promise<void>;
  /** As it is now. Undefined: there is none, or it can't be read. */
  find(ref: PersonaRef): Promise<TurnPersona | undefined>;
  /** Exactly this content. Undefined: it isn't kept any more, or can't be read. */
  content(of: TurnPersona): Promise<Persona | undefined>;
}
