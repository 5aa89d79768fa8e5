import { z } from "zod";

/** The persona of a turn: exactly this content, until the turn ends. */
export const turnPersonaSchema = z.object({
  owner: z.string(),
  name: z.string(),
  hash: z.string(),
  /** Whose choice it was: a `PersonaScope`, or `default`. */
  by: z.string().optional(),
});
export type TurnPersona = Readonly<z.infer<typeof turnPersonaSchema>>;

/** The name of a turn's persona, as records keep it. Pure. */
export const namedPersona = ({ persona }: { readonly persona?: TurnPersona | undefined }) =>
  persona === undefined ? {} : { persona: persona.name };

/**
 * As audit lines name it, which outlive what a person has forgotten: their own one has no name
 * there. Pure.
 */
export const auditedPersona = ({ persona }: { readonly persona?: TurnPersona | undefined }) =>
  persona === undefined || !/^(?:person|sample):/.test(persona.owner)
    ? namedPersona({ persona })
    : { persona: "own persona" };
