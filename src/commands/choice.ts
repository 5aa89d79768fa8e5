import type { ChatSettings } from "../core/chat-settings.ts";
import { choicesOf, type Choices, type ChoiceScope } from "../core/choices.ts";
import type { Preference } from "../core/history.ts";
import type { CommandCall, CommandDeps, ModelChoices } from "./command.ts";

export type ChoiceKind = "tier" | "model";

/** What somebody wants from now on. `value` is one that exists, or undefined: no choice. */
export interface Wish {
  readonly kind: ChoiceKind;
  readonly scope: ChoiceScope;
  readonly value: string | undefined;
}

/** Who wants it, where. */
export type Chooser = Pick<
  CommandCall,
  "person" | "chat" | "direct" | "role" | "preference"
>;

/** The choices that hold for a person in a chat. A model that is not to be had any more is left out. */
export function choicesInForce(
  preference: Preference,
  settings: ChatSettings,
  { keys }: Pick<ModelChoices, "keys">,
): Choices {
  const { tier, model } = choicesOf(preference, settings);
  const isKnown = model !== undefined && keys.includes(model.value);
  return { tier, model: isKnown ? model : undefined };
}

/** The models that are asked, in their order; where no tier is chosen, `balanced` is where the rules begin. */
export function chainInForce(
  { tier, model }: Choices,
  { modelsOf }: Pick<ModelChoices, "modelsOf">,
): string {
  return modelsOf(tier?.value ?? "balanced", model?.value).join(", ");
}

/** Whether somebody may set things for a whole chat. */
export const mayChangeChat = ({
  role,
  direct,
}: Pick<Chooser, "role" | "direct">): boolean =>
  role === "admin" || (direct && role === "member");

/** Carries a wish out, or says why not. A model is asked before its tier, so that whoever chooses a tier drops their model. */
export async function choose(
  { access, settings }: Pick<CommandDeps, "access" | "settings">,
  chooser: Chooser,
  { kind, scope, value }: Wish,
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const { person, chat, preference } = chooser;
  const refusal = refusalOf(chooser, kind, scope);
  if (refusal !== undefined) return { isAllowed: false, text: refusal };
  const dropsModel = kind === "tier" && value !== undefined;
  const { model } = scope === "person" ? preference : await settings.read(chat);
  if (scope === "person") {
    const dropped = dropsModel ? { model: undefined } : {};
    await access.setPreference(person, { ...dropped, [kind]: value });
  } else {
    await settings.set(chat, kind, value);
    if (dropsModel) await settings.set(chat, "model", undefined);
  }
  const [whose, its] =
    scope === "person" ? ["Your", "your own"] : ["This chat's", "the chat's"];
  const dropped =
    dropsModel && model !== undefined
      ? ` It takes the place of ${its} model, ${model}.`
      : "";
  const hasOwn = preference.tier ?? preference.model;
  const hidden =
    scope === "chat" && hasOwn !== undefined
      ? ` For you your own choice, ${hasOwn}, still goes first.`
      : "";
  return {
    isAllowed: true,
    text: `${whose} ${kind} is now ${value ?? "the default"}.${dropped}${hidden}`,
  };
}

function refusalOf(
  chooser: Chooser,
  kind: ChoiceKind,
  scope: ChoiceScope,
): string | undefined {
  if (scope === "chat")
    return mayChangeChat(chooser)
      ? undefined
      : `You are not allowed to choose the ${kind} of this chat: an admin may.`;
  return chooser.person.anonymous
    ? `You write anonymously, so a ${kind} of your own is not allowed.`
    : undefined;
}
