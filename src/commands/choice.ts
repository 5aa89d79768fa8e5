import type { ChatSettings } from "../core/chat-settings.ts";
import { choicesOf, type Choices, type ChoiceScope, type PersonaModels } from "../core/choices.ts";
import type { Preference } from "../core/history.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import type { CommandCall, CommandDeps, ModelChoices } from "./command.ts";

export type ChoiceKind = "tier" | "model";

/**
 * The user's new choice. `value` is an existing one, or undefined: no choice.
 */
export interface ChoiceRequest {
  readonly kind: ChoiceKind;
  readonly scope: ChoiceScope;
  readonly value: string | undefined;
}

/** Who wants it, where. */
export type Chooser = Pick<
  CommandCall,
  "person" | "chat" | "direct" | "chatRole" | "preference" | "locale"
>;

/**
 * The choices that hold for a person in a chat. A model that is not to be had any more is left out.
 */
export function effectiveChoices(
  {
    preference,
    settings,
    persona,
  }: {
    readonly preference: Preference;
    readonly settings: ChatSettings;
    readonly persona?: PersonaModels | undefined;
  },
  { keys }: Pick<ModelChoices, "keys">,
): Choices {
  const { tier, model } = choicesOf(preference, settings, persona);
  const isKnown = model !== undefined && keys.includes(model.value);
  return { tier, model: isKnown ? model : undefined };
}

/**
 * The models that are asked, in their order; where no tier is chosen, `balanced` is where the rules
 * begin.
 */
export function effectiveChain(
  { tier, model }: Choices,
  { modelsOf }: Pick<ModelChoices, "modelsOf">,
): string {
  return modelsOf(tier?.value ?? "balanced", model?.value).join(", ");
}

/** Whether a user may change a whole chat's settings. */
export const mayChangeChat = ({
  chatRole,
  direct,
}: Pick<Chooser, "chatRole" | "direct">): boolean =>
  isAtLeast(chatRole, "admin") || (direct && isAtLeast(chatRole, "member"));

/**
 * A group's settings concern others, so changes are audited; those of a direct chat aren't.
 * @param eventId absent: a tap has none that commands know.
 */
export async function noteSetting(
  { audit, now }: Pick<CommandDeps, "audit" | "now">,
  asker: Pick<CommandCall, "direct" | "person" | "chat"> & { readonly eventId?: string },
  target: string,
  value: string,
): Promise<void> {
  const { direct, person, chat, eventId = `${target}-${value}-${now()}` } = asker;
  const by = { id: person.id, name: person.name };
  const line = { action: "setting-changed", by, chat, target, details: { value } } as const;
  if (!direct) await audit.write(eventId, line);
}

/**
 * Carries a choice out, or explains why not. A model takes precedence over its
 * tier, so choosing a tier removes the model.
 */
export async function choose(
  deps: Pick<CommandDeps, "access" | "settings" | "audit" | "now">,
  chooser: Chooser,
  { kind, scope, value }: ChoiceRequest,
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const { access, settings } = deps;
  const { person, chat, preference, locale } = chooser;
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
    await noteSetting(deps, chooser, kind, value ?? "default");
  }
  const dropped = dropsModel ? model : undefined;
  return {
    isAllowed: true,
    text: (scope === "person"
      ? yoursIsSet(locale, { kind, value, dropped })
      : chatsIsSet(locale, { kind, value, dropped }, preference)
    ).join(" "),
  };
}

/** The new choice; `dropped` is the model that it replaces. */
type Chosen = Pick<ChoiceRequest, "kind" | "value"> & {
  readonly dropped: string | undefined;
};

function yoursIsSet({ choices }: Locale, { kind, value, dropped }: Chosen): readonly string[] {
  const { yoursIsNow, yoursIsDefault } = choices[kind];
  return [
    value === undefined ? yoursIsDefault : yoursIsNow(value),
    ...(dropped === undefined ? [] : [choices.replacesYours(dropped)]),
  ];
}

function chatsIsSet(
  { choices }: Locale,
  { kind, value, dropped }: Chosen,
  own: Preference,
): readonly string[] {
  const { chatsIsNow, chatsIsDefault } = choices[kind];
  const first = own.tier ?? own.model;
  return [
    value === undefined ? chatsIsDefault : chatsIsNow(value),
    ...(dropped === undefined ? [] : [choices.replacesChats(dropped)]),
    ...(first === undefined ? [] : [choices.yoursFirst(first)]),
  ];
}

function refusalOf(chooser: Chooser, kind: ChoiceKind, scope: ChoiceScope): string | undefined {
  const { notForChat, notAnonymously } = chooser.locale.choices[kind];
  if (scope === "chat") return mayChangeChat(chooser) ? undefined : notForChat;
  return chooser.person.anonymous ? notAnonymously : undefined;
}
