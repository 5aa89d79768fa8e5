import type { ChatSettings } from "../core/chat-settings.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import { effectiveChoices, mayChangeChat } from "./choice.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described } from "./menu.ts";
import { settingButtons, valueButtons } from "./setting-buttons.ts";
import {
  settingKinds,
  settingNames,
  type SettingKind,
  type SettingName,
} from "./setting-values.ts";

/** `/settings [name] [value]` */
export const settingsCommand: Command = {
  spec: {
    ...described("settings", (menu) => menu.settings.description),
    arguments: [
      {
        ...described("name", (menu) => menu.settings.name),
        required: false,
        choices: settingNames,
      },
      {
        ...described("value", (menu) => menu.settings.value),
        required: false,
      },
    ],
  },
  role: "member",
  isPrivate: true,
  async run(call, deps) {
    const { name: first, value } = parse(call);
    if (first === "" && value === "") return await showAll(call, deps);
    const name = settingNames.find((each) => each.toLowerCase() === first.toLowerCase());
    if (name === undefined) return answer(unknownName(first, deps, call.locale));
    if (value === "") return await showOne(call, deps, name);
    return answer((await changeSetting(call, deps, { name, value })).text);
  },
};

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

async function showAll(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer> {
  const settings = await deps.settings.read(call.chat);
  const { locale, direct } = call;
  return {
    ...answer(
      locale.settings.heading,
      ...choiceLines(call, deps, settings).map((each) => `• ${each}`),
      ...settingNames.map((name) => `• ${line(name, settings, deps, locale)}`),
      locale.settings.how,
    ),
    // In a group the taps' answers would go to the direct chat, where the buttons act on that chat.
    ...(direct ? { buttons: settingButtons() } : {}),
  };
}

/** Of these each value has a line of its own. */
const explained: ReadonlySet<SettingName> = new Set(["whileBusy", "tools", "activation"]);

async function showOne(
  call: CommandCall,
  deps: CommandDeps,
  name: SettingName,
): Promise<CommandAnswer> {
  const settings = await deps.settings.read(call.chat);
  const refusal = refusalOf(call, name);
  const { locale } = call;
  const { values, changes } = locale.settings;
  const kind = settingKinds[name];
  // No setting accepts an empty text: its own error says what it accepts.
  const reading = kind.read("", deps.limits);
  const expected = "expected" in reading ? reading.expected(locale.settings) : "";
  const known = Object.entries(values).filter(([value]) => kind.offered.includes(value));
  return {
    ...answer(
      line(name, settings, deps, locale),
      ...(explained.has(name) ? known.map(([value, about]) => `• ${value} – ${about}`) : []),
      refusal ?? changes(name, expected),
    ),
    ...(refusal === undefined
      ? { buttons: valueButtons(name, deps, settings[name]?.toString()) }
      : {}),
  };
}

/** Who changes a setting, where. */
type Changing = Pick<CommandCall, "person" | "chat" | "direct" | "chatRole" | "locale" | "eventId">;

/** Sets one, or says why not. */
export async function changeSetting(
  call: Changing,
  deps: Pick<CommandDeps, "settings" | "limits" | "defaults" | "audit">,
  { name, value }: { readonly name: SettingName; readonly value: string },
): Promise<{ readonly isAllowed: boolean; readonly text: string }> {
  const words = call.locale.settings;
  const refusal = refusalOf(call, name);
  if (refusal !== undefined) return { isAllowed: false, text: refusal };
  const kind = settingKinds[name];
  const { settings, limits, defaults } = deps;
  if (value.toLowerCase() === "default") {
    await settings.set(call.chat, name, undefined);
    await auditSetting(call, deps, { name, value: "default" });
    const text = words.isDefaultAgain(name, kind.fallback(defaults));
    return { isAllowed: true, text };
  }
  const reading = kind.read(value, limits);
  if ("expected" in reading) {
    const text = words.cannotBe(name, typed(value), reading.expected(words));
    return { isAllowed: false, text };
  }
  await settings.set(call.chat, name, reading.stored);
  const now = kind.show(await settings.read(call.chat));
  await auditSetting(call, deps, { name, value: now ?? value });
  return { isAllowed: true, text: words.isNow(name, now ?? value) };
}

/** A tap on a button that sets one. Undefined: no such button, or none any more. */
export async function applySetting(
  deps: Pick<CommandDeps, "settings" | "limits" | "defaults" | "audit" | "now">,
  chooser: Omit<Changing, "eventId">,
  data: string,
): Promise<{ readonly isAllowed: boolean; readonly text: string } | undefined> {
  const [, wanted, value] = /^sv:(\w+):([\w.]+)$/.exec(data) ?? [];
  const name = settingNames.find((each) => each === wanted);
  if (name === undefined || value === undefined) return undefined;
  // A tap has no id that commands know.
  const eventId = `setting-${name}-${value}-${deps.now()}`;
  return await changeSetting({ ...chooser, eventId }, deps, { name, value });
}

/**
 * A group's settings concern others, so changes are audited; those of a direct
 * chat aren't.
 */
async function auditSetting(
  { direct, eventId, person, chat }: Changing,
  { audit }: Pick<CommandDeps, "audit">,
  { name, value }: { readonly name: string; readonly value: string },
): Promise<void> {
  if (direct) return;
  await audit.write(eventId, {
    action: "setting-changed",
    by: person,
    chat,
    target: name,
    details: { value },
  });
}

/** Also tier and model, which have commands of their own. */
function choiceLines(
  { preference, locale: { settings: words } }: CommandCall,
  { models }: CommandDeps,
  settings: ChatSettings,
): readonly string[] {
  const effective = effectiveChoices(preference, settings, models);
  return (["tier", "model"] as const).map((kind) => {
    const chosen = effective[kind];
    if (chosen === undefined) return words.noneChosen(kind);
    return chosen.by === "person"
      ? words.yourChoice(kind, chosen.value)
      : words.chatsChoice(kind, chosen.value);
  });
}

function line(
  name: SettingName,
  settings: ChatSettings,
  { defaults }: CommandDeps,
  { settings: words, number }: Locale,
): string {
  const kind: SettingKind = settingKinds[name];
  const grouped = (value: string): string =>
    value.replaceAll(/\d{4,}/g, (digits) => number(Number(digits)));
  const own = kind.show(settings);
  const fallback = grouped(kind.fallback(defaults));
  const said =
    own === undefined ? words.default(name, fallback) : words.own(name, grouped(own), fallback);
  return `${said} – ${words.about[name]}`;
}

function refusalOf(call: Changing, name: SettingName): string | undefined {
  if (isAtLeast(call.chatRole, "admin")) return undefined;
  const { adminsOnly, adminsInGroups } = call.locale.settings;
  if (settingKinds[name].isAdmins) return adminsOnly(name);
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
