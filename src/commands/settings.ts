import type { ChatSettings } from "../core/chat-settings.ts";
import type { AnswerButton } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { effectiveChoices, mayChangeChat, noteSetting } from "./choice.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, optional } from "./menu.ts";
import { autoIn, autoText, setPermissions } from "./permissions.ts";
import { effectivePersona, modelsOfPersona, type EffectivePersona } from "./personas.ts";
import { groupButtons, settingButtons, valueButtons } from "./setting-buttons.ts";
import {
  groupNames,
  settingGroups,
  settingKinds,
  settingNames,
  type SettingGroup,
  type ShownName,
} from "./setting-values.ts";

/** `/settings [name] [value]` */
export const settingsCommand: Command = {
  spec: {
    ...described("settings", (menu) => menu.settings.description),
    arguments: [
      optional("name", (menu) => menu.settings.name, { choices: settingNames }),
      optional("value", (menu) => menu.settings.value),
    ],
  },
  role: "member",
  // See `whereAsked`.
  isPrivate: false,
  async run(call, deps) {
    return { ...(await answerTo(call, deps)), ...whereAsked(call) };
  },
};

/**
 * A group's admins are answered in the group, since buttons act on the chat that they are in; a
 * platform that shows an answer to its asker alone does that. Everyone else is answered privately.
 */
const whereAsked = ({ direct, chatRole, answersItself }: CommandCall): { isPrivate?: true } =>
  !direct && isAtLeast(chatRole, "admin") && !answersItself ? {} : { isPrivate: true };

async function answerTo(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const { name: first, value } = parse(call);
  if (first === "" && value === "") return await showAll(call, deps);
  const named = (name: string): boolean => name.toLowerCase() === first.toLowerCase();
  const name = settingNames.find(named);
  const group = groupNames.find(named);
  if (name === undefined)
    return group === undefined || value !== ""
      ? answer(unknownName(first, deps, call.locale))
      : await showGroup(call, deps, group);
  if (value === "") return await showOne(call, deps, name);
  return answer((await changeSetting(call, deps, { name, value })).text);
}

interface Given {
  readonly name?: string;
  readonly value?: string;
}

function parse({ argument, options }: CommandCall): Required<Given> {
  const [first = "", ...rest] = argument.split(/\s+/);
  const given: Given = options ?? { name: first, value: rest.join(" ") };
  const { name = "", value = "" } = given;
  return { name: name.trim(), value: value.trim() };
}

/** What the lines of settings are made of. */
interface Known {
  readonly settings: ChatSettings;
  /** The permission mode, if it is `auto`. */
  readonly auto: string | undefined;
  readonly persona: EffectivePersona | undefined;
}

async function knownOf(call: CommandCall, deps: CommandDeps): Promise<Known> {
  const { chat, locale } = call;
  const [settings, auto, persona] = await Promise.all([
    deps.settings.read(chat),
    autoIn(chat, deps),
    effectivePersona(deps, call),
  ]);
  return { settings, auto: auto && autoText(auto, { locale, nowMs: deps.now() }), persona };
}

async function showAll(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const known = await knownOf(call, deps);
  const { settings: words } = call.locale;
  return {
    ...answer(
      words.heading,
      ...groupNames.flatMap((group) => [
        `${words.groups[group]}:`,
        ...groupLines(call, deps, { ...known, group }),
      ]),
      words.how,
    ),
    ...buttonsIn(call, groupButtons(call.locale)),
  };
}

async function showGroup(
  call: CommandCall,
  deps: CommandDeps,
  group: SettingGroup,
): Promise<CommandAnswer> {
  const known = await knownOf(call, deps);
  const { settings: words } = call.locale;
  return {
    ...answer(`${words.groups[group]}:`, ...groupLines(call, deps, { ...known, group }), words.how),
    ...buttonsIn(call, settingButtons(group)),
  };
}

function groupLines(
  call: CommandCall,
  deps: CommandDeps,
  { group, ...known }: Known & { readonly group: SettingGroup },
): readonly string[] {
  const lines = settingGroups[group].map((name) => line(name, known, deps, call.locale));
  const choices = group === "model" ? choiceLines(call, deps, known) : [];
  return [...choices, ...lines].map((each) => `• ${each}`);
}

/** A terminal would only repeat the names; in a group only admins change anything. */
const buttonsIn = (
  { address, direct, chatRole }: CommandCall,
  buttons: readonly AnswerButton[],
): Pick<CommandAnswer, "buttons"> =>
  address.platform !== "console" && (direct || isAtLeast(chatRole, "admin")) ? { buttons } : {};

/** Of these each value has a line of its own. */
const explained: ReadonlySet<ShownName> = new Set([
  "whileBusy",
  "tools",
  "activation",
  "permissions",
  "strategy",
]);

async function showOne(
  call: CommandCall,
  deps: CommandDeps,
  name: ShownName,
): Promise<CommandAnswer> {
  const known = await knownOf(call, deps);
  const refusal = refusalOf(call, name);
  const { locale } = call;
  const { values, changes } = locale.settings;
  const offered = name === "permissions" ? ["ask", "auto"] : settingKinds[name].offered;
  const about = Object.entries(values).filter(([value]) => offered.includes(value));
  const current = name === "permissions" ? known.auto : known.settings[name]?.toString();
  return {
    ...answer(
      line(name, known, deps, locale),
      ...(explained.has(name) ? about.map(([value, said]) => `• ${value} – ${said}`) : []),
      refusal ?? changes(name, expectedOf(name, deps, locale)),
    ),
    ...(refusal === undefined ? { buttons: valueButtons(name, deps, current) } : {}),
  };
}

function expectedOf(
  name: ShownName,
  { limits }: Pick<CommandDeps, "limits">,
  { settings, permissions }: Locale,
): string {
  if (name === "permissions") return permissions.expected;
  // No setting accepts an empty text: its own error says what it accepts.
  const reading = settingKinds[name].read("", limits);
  return "expected" in reading ? reading.expected(settings) : "";
}

/** Who changes a setting, where. */
type Changing = Pick<CommandCall, "person" | "chat" | "direct" | "chatRole" | "locale" | "eventId">;

type ChangingDeps = Pick<
  CommandDeps,
  "settings" | "limits" | "defaults" | "audit" | "grants" | "access" | "now"
>;

/** Sets one, or says why not. */
export async function changeSetting(
  call: Changing,
  deps: ChangingDeps,
  { name, value }: { readonly name: ShownName; readonly value: string },
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const words = call.locale.settings;
  const refusal = refusalOf(call, name);
  if (name === "permissions") return await setPermissions(call, deps, { value, refusal });
  if (refusal !== undefined) return { isAllowed: false, text: refusal };
  const kind = settingKinds[name];
  const { settings, limits, defaults } = deps;
  if (value.toLowerCase() === "default") {
    await settings.set(call.chat, name, undefined);
    await noteSetting(deps, call, name, "default");
    const text = words.isDefaultAgain(name, kind.fallback(defaults, call.locale));
    return { isAllowed: true, text };
  }
  const reading = kind.read(value, limits);
  if ("expected" in reading) {
    const text = words.cannotBe(name, typed(value), reading.expected(words));
    return { isAllowed: false, text };
  }
  await settings.set(call.chat, name, reading.stored);
  const stored = await settings.read(call.chat);
  await noteSetting(deps, call, name, kind.show(stored, localeFor()) ?? value);
  const text = words.isNow(name, kind.show(stored, call.locale) ?? value);
  return { isAllowed: true, text };
}

/** A tap on a button that sets one. Undefined: no such button, or none any more. */
export async function applySetting(
  deps: ChangingDeps,
  chooser: Omit<Changing, "eventId">,
  data: string,
): Promise<{ readonly isAllowed: boolean; readonly text: string } | undefined> {
  const [, wanted, value] = /^sv:(\w+):([\w. ]+)$/.exec(data) ?? [];
  const name = settingNames.find((each) => each === wanted);
  if (name === undefined || value === undefined) return undefined;
  // A tap has no id that commands know.
  const eventId = `setting-${name}-${value}-${deps.now()}`;
  return await changeSetting({ ...chooser, eventId }, deps, { name, value });
}

/** Also tier and model, which have commands of their own. */
function choiceLines(
  call: CommandCall,
  deps: CommandDeps,
  { settings, persona: current }: Known,
): readonly string[] {
  const { preference } = call;
  const { settings: words } = call.locale;
  const persona = modelsOfPersona(current, call, deps);
  const effective = effectiveChoices({ preference, settings, persona }, deps.models);
  return (["tier", "model"] as const).map((kind) => {
    const chosen = effective[kind];
    if (chosen === undefined) return words.noneChosen(kind);
    const sentences = {
      person: words.yourChoice,
      chat: words.chatsChoice,
      persona: words.personasChoice,
    };
    return sentences[chosen.by](kind, chosen.value);
  });
}

function line(
  name: ShownName,
  { settings, auto, persona }: Known,
  { defaults }: CommandDeps,
  locale: Locale,
): string {
  const { settings: words } = locale;
  const about = words.about[name];
  if (name === "permissions") return `${words.default(name, auto ?? "ask")} – ${about}`;
  const kind = settingKinds[name];
  const own = kind.show(settings, locale);
  const fallback = kind.fallback(defaults, locale);
  const said = own === undefined ? words.default(name, fallback) : words.own(name, own, fallback);
  const limited = personasOwn(name, { persona, settings }, { defaults, locale });
  const more = limited === undefined ? "" : `; ${words.withPersona(limited.name, limited.value)}`;
  return `${said}${more} – ${about}`;
}

/** What holds in place of a setting while the persona answers; undefined: the setting does. */
function personasOwn(
  setting: ShownName,
  { settings, persona }: Pick<Known, "settings" | "persona">,
  {
    defaults: { policy, tierPolicies },
    locale,
  }: Pick<CommandDeps, "defaults"> & { readonly locale: Locale },
): { readonly name: string; readonly value: string } | undefined {
  if (persona === undefined) return undefined;
  const { ref, stored } = persona;
  const { temperature, maxModelCalls } = stored.persona;
  if (setting === "temperature" && temperature !== undefined && settings.temperature === undefined)
    return { name: ref.name, value: locale.number(temperature) };
  const ofTiers = Object.values(tierPolicies).map((changes) => changes.maxModelCalls ?? 0);
  const most = settings.maxModelCalls ?? Math.max(policy.maxModelCalls, ...ofTiers);
  return setting === "maxModelCalls" && maxModelCalls < most
    ? { name: ref.name, value: locale.number(maxModelCalls) }
    : undefined;
}

function refusalOf(call: Changing, name: ShownName): string | undefined {
  if (isAtLeast(call.chatRole, "admin")) return undefined;
  const { adminsOnly, adminsInGroups } = call.locale.settings;
  if (name === "permissions" || settingKinds[name].isAdmins) return adminsOnly(name);
  return mayChangeChat(call) ? undefined : adminsInGroups(name);
}

function unknownName(
  name: string,
  { nearest }: Pick<CommandDeps, "nearest">,
  { settings, choices }: Locale,
): string {
  const all = choices.thereAre(settingNames.join(", "));
  if (name === "") return `${settings.which} ${all}`;
  const guess = nearest(name, settingNames);
  const hint = guess === undefined ? all : choices.didYouMean(guess);
  return `${settings.unknown(typed(name))} ${hint}`;
}
