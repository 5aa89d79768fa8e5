import type { ChatSettings } from "./chat-settings.ts";
import type { Preference } from "./history.ts";
import { chatTierNames, type ChatTierName } from "./model.ts";

/**
 * Who a choice applies to: the person, or everyone in the chat without a choice
 * of their own.
 */
export type ChoiceScope = "person" | "chat";

export interface Choice<Chosen> {
  readonly value: Chosen;
  readonly by: ChoiceScope;
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
 * for example of another version, counts as no choice. Pure.
 */
export function choicesOf(
  preference: Preference,
  chat: Pick<ChatSettings, "tier" | "model">,
): Choices {
  const tier = isTierName(preference.tier) ? choice("person", preference.tier) : undefined;
  const model = choice("person", preference.model);
  return {
    tier: tier ?? choice("chat", chat.tier),
    model: (tier ?? model) ? model : choice("chat", chat.model),
  };
}

export const isTierName = (text: string | undefined): text is ChatTierName =>
  chatTierNames.some((name) => name === text);

const choice = <Chosen>(by: ChoiceScope, value: Chosen | undefined): Choice<Chosen> | undefined =>
  value === undefined ? undefined : { value, by };
