import type { ChatSettings } from "../core/chat-settings.ts";
import { choicesInForce, mayChangeChat } from "./choice.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import {
  settingKinds,
  type SettingKind,
  type SettingName,
} from "./setting-values.ts";

const names = Object.keys(settingKinds) as readonly SettingName[];

/** `/settings [name] [value]` */
export const settingsCommand: Command = {
  spec: {
    name: "settings",
    description: "How I behave in this chat, and what a turn may cost",
    arguments: [
      {
        name: "name",
        description: "Which one; all of them if left out",
        required: false,
        choices: names,
      },
      {
        name: "value",
        description: "What it shall be; default takes it back",
        required: false,
      },
    ],
  },
  role: "member",
  isPrivate: true,
  async run(call, deps) {
    const { name: first, value } = parse(call);
    if (first === "" && value === "") return await showAll(call, deps);
    const name = names.find(
      (each) => each.toLowerCase() === first.toLowerCase(),
    );
    if (name === undefined) return answer(unknownName(first, deps));
    if (value === "") return await showOne(call, deps, name);
    return answer(await change(call, deps, name, value));
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

async function showAll(
  call: CommandCall,
  deps: CommandDeps,
): Promise<CommandAnswer> {
  const settings = await deps.settings.read(call.chat);
  return answer(
    "In this chat:",
    ...choiceLines(call, deps, settings),
    ...names.map((name) => line(name, settings, deps)),
    "/settings <name> <value> changes one, /settings <name> default takes that back.",
  );
}

async function showOne(
  call: CommandCall,
  deps: CommandDeps,
  name: SettingName,
): Promise<CommandAnswer> {
  const settings = await deps.settings.read(call.chat);
  const refusal = refusalOf(call, name);
  // No setting is empty: its own words for that say what it may be.
  const reading = settingKinds[name].read("", deps.limits);
  const expected = "expected" in reading ? `: ${reading.expected}` : "";
  return answer(
    line(name, settings, deps),
    refusal ?? `/settings ${name} <value> changes it${expected}.`,
  );
}

async function change(
  call: CommandCall,
  { settings, limits, defaults }: CommandDeps,
  name: SettingName,
  value: string,
): Promise<string> {
  const refusal = refusalOf(call, name);
  if (refusal !== undefined) return refusal;
  const kind = settingKinds[name];
  if (value.toLowerCase() === "default") {
    await settings.set(call.chat, name, undefined);
    return `${name} is the default again: ${kind.fallback(defaults)}.`;
  }
  const reading = kind.read(value, limits);
  if ("expected" in reading)
    return `${name} cannot be ${typed(value)}: ${reading.expected}.`;
  await settings.set(call.chat, name, reading.stored);
  const now = kind.show(await settings.read(call.chat));
  return `${name} is now ${now ?? value} in this chat.`;
}

/** Also tier and model, which have commands of their own. */
function choiceLines(
  { preference }: CommandCall,
  { models }: CommandDeps,
  settings: ChatSettings,
): readonly string[] {
  const inForce = choicesInForce(preference, settings, models);
  return (["tier", "model"] as const).map((kind) => {
    const chosen = inForce[kind];
    if (chosen === undefined) return `${kind}: none chosen (see /${kind})`;
    const from =
      chosen.by === "person" ? "your own choice" : "set for this chat";
    return `${kind}: ${chosen.value} (${from}; see /${kind})`;
  });
}

function line(
  name: SettingName,
  settings: ChatSettings,
  { defaults }: CommandDeps,
): string {
  const kind: SettingKind = settingKinds[name];
  const own = kind.show(settings);
  const fallback = kind.fallback(defaults);
  return own === undefined
    ? `${name}: ${fallback} (default)`
    : `${name}: ${own} (set for this chat; default: ${fallback})`;
}

function refusalOf(call: CommandCall, name: SettingName): string | undefined {
  if (call.role === "admin") return undefined;
  if (settingKinds[name].isAdmins)
    return `You are not allowed to change ${name}: an admin may.`;
  return mayChangeChat(call)
    ? undefined
    : `You are not allowed to change ${name} in a group: an admin may.`;
}

function unknownName(
  name: string,
  { nearest }: Pick<CommandDeps, "nearest">,
): string {
  if (name === "") return `Which setting? There are: ${names.join(", ")}.`;
  const guess = nearest(name, names);
  const hint =
    guess === undefined
      ? `There are: ${names.join(", ")}.`
      : `Did you mean ${guess}?`;
  return `There is no setting ${typed(name)}. ${hint}`;
}
