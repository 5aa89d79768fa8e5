import {
  maxPersonaModelCalls,
  maxPersonaStarter,
  maxPersonaStarters,
  personaExtraNames,
  type PersonaExtras,
  type PersonaExtrasFormat,
} from "../../core/persona.ts";
import type { ReportedSkill } from "../../core/skill.ts";
import type { Locale } from "../../locales/locale.ts";
import { visible } from "../../text/visible-text.ts";
import { typed, type CommandDeps } from "../command.ts";
import { unknown as unknownSkill } from "../skills.ts";

/** What extras are checked against. */
export interface ExtrasContext extends Pick<CommandDeps, "nearest"> {
  /** Approved or not. */
  readonly skills: readonly Pick<ReportedSkill, "name">[];
  readonly extras: PersonaExtrasFormat;
  readonly locale: Locale;
}

/** Lines as in a persona's file: what a draft's extras are then, or why they can't be so. Pure. */
export function readExtras(
  given: string,
  before: PersonaExtras,
  context: ExtrasContext,
): { readonly fields: { readonly extras: PersonaExtras } } | { readonly problem: string } {
  const { skills, nearest, extras, locale } = context;
  const { personas, settings, choices } = locale;
  const read = extras.read(given, before);
  if ("extras" in read) {
    // One that it has already may be gone, or not be read yet.
    const known = new Set([...skills.map(({ name }) => name), ...(before.skills ?? [])]);
    const wrong = read.extras.skills?.find((name) => !known.has(name));
    return wrong === undefined
      ? { fields: { extras: read.extras } }
      : { problem: unknownSkill(context, context, wrong, skills) };
  }
  const { problem } = read;
  switch (problem.type) {
    case "no-fields":
      return { problem: personas.noFields };
    case "unknown-field": {
      const near = nearest(problem.field, personaExtraNames);
      const hint = near === undefined ? personaExtraNames.join(", ") : choices.didYouMean(near);
      return { problem: `${personas.noField(typed(visible(problem.field)))} ${hint}` };
    }
    case "bad-value": {
      const { field, value } = problem;
      return { problem: settings.cannotBe(field, visible(value), expectedOf(field, locale)) };
    }
    default:
      return problem satisfies never;
  }
}

function expectedOf(field: keyof PersonaExtras, { personas, settings }: Locale): string {
  switch (field) {
    case "temperature":
      return settings.expectedDecimal(0, 2);
    case "maxModelCalls":
      return settings.expectedCount(1, maxPersonaModelCalls);
    case "memory":
      return settings.expectedWords("on, off");
    case "starters":
      return personas.expectedStarters(maxPersonaStarters, maxPersonaStarter);
    case "skills":
      return personas.expectedSkills;
    default:
      return field satisfies never;
  }
}
