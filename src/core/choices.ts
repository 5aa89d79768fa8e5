import type { ChatSettings } from "./chat-settings.ts";
import type { Preference } from "./history.ts";
import { chatTierNames, type ChatTierName } from "./model.ts";
import type { Persona } from "./persona.ts";
import { isAtLeast, type Role } from "./roles.ts";

/**
 * Who a choice applies to: the person, or everyone in the chat without a choice
 * of their own.
 */
export type ChoiceScope = "person" | "chat";

export interface Choice<Chosen> {
  readonly value: Chosen;
  readonly by: ChoiceScope | "persona";
}

/** Undefined: not chosen. */
export interface Choices {
  readonly tier: Choice<ChatTierName> | undefined;
  /** `provider/model`. */
  readonly model: Choice<string> | undefined;
}

/**
 * The effective choice for a person in a chat: the person's, else the chat's. A
 * person's choice applies as a whole: the chat's model isn't asked before their
 * tier or model, but the chat's tier comes after their model. An unknown name,
 * for example of another version, counts as no choice. The persona's holds where neither has
 * chosen. Pure.
 */
export function choicesOf(
  preference: Preference,
  chat: Pick<ChatSettings, "tier" | "model">,
  persona?: PersonaModels,
): Choices {
  const tier = isTierName(preference.tier) ? choice("person", preference.tier) : undefined;
  const model = choice("person", preference.model);
  const chosen = {
    tier: tier ?? choice("chat", chat.tier),
    model: (tier ?? model) ? model : choice("chat", chat.model),
  };
  return persona === undefined || chosen.tier || chosen.model
    ? chosen
    : { tier: choice("persona", persona.tier), model: choice("persona", persona.model) };
}

/** Which models a persona chooses. */
export interface PersonaModels {
  readonly tier: ChatTierName | undefined;
  readonly model: string | undefined;
}

/**
 * What of a persona's choices the operator offers. Guests choose neither a tier nor a model, whatever
 * persona they choose. Pure.
 */
export function personaModels(
  {
    persona,
    by,
    role = "guest",
  }: {
    readonly persona: Pick<Persona, "tier" | "model"> | undefined;
    /** Whose choice the persona was. */
    readonly by: string | undefined;
    readonly role: Role | undefined;
  },
  keys: readonly string[],
): PersonaModels | undefined {
  if (persona === undefined || (by === "person" && !isAtLeast(role, "member"))) return undefined;
  const { tier, model } = persona;
  return { tier, model: model !== undefined && keys.includes(model) ? model : undefined };
}

export const isTierName = (text: string | undefined): text is ChatTierName =>
  chatTierNames.some((name) => name === text);

const choice = <Chosen>(
  by: Choice<Chosen>["by"],
  value: Chosen | undefined,
): Choice<Chosen> | undefined => (value === undefined ? undefined : { value, by });
