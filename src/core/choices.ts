import type { ChatSettings } from "./chat-settings.ts";
import type { Preference } from "./history.ts";
import { chatTierNames, type ChatTierName } from "./model.ts";

/** For whom somebody chose: for themselves, or for everybody in the chat who has not chosen. */
export type ChoiceScope = "person" | "chat";

export interface Choice<Chosen> {
  readonly value: Chosen;
  readonly by: ChoiceScope;
}

/** Undefined: nobody chose. */
export interface Choices {
  readonly tier: Choice<ChatTierName> | undefined;
  /** `provider/model`. */
  readonly model: Choice<string> | undefined;
}

/**
 * What holds for a person in a chat: the person's choice, else the chat's. A person's stands as a whole: the chat's model
 * is not asked before a tier or a model that they have chosen; the chat's tier does come behind their model. A name that
 * is none, e.g. of another version, counts as no choice. Pure.
 */
export function choicesOf(
  preference: Preference,
  chat: Pick<ChatSettings, "tier" | "model">,
): Choices {
  const tier = isTierName(preference.tier)
    ? choice("person", preference.tier)
    : undefined;
  const model = choice("person", preference.model);
  return {
    tier: tier ?? choice("chat", chat.tier),
    model: (tier ?? model) ? model : choice("chat", chat.model),
  };
}

export const isTierName = (text: string | undefined): text is ChatTierName =>
  chatTierNames.some((name) => name === text);

const choice = <Chosen>(
  by: ChoiceScope,
  value: Chosen | undefined,
): Choice<Chosen> | undefined =>
  value === undefined ? undefined : { value, by };
