import type { CommandSpec } from "../core/ports.ts";
import {
  type Choice,
  type Choices,
  type ChoiceScope,
} from "../core/choices.ts";
import {
  choicesInForce,
  choose,
  mayChangeChat,
  type ChoiceKind,
} from "./choice.ts";
import { maxButtons, pickerButtons } from "./picker.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
  type ModelChoices,
} from "./command.ts";

/** What a person typed means this value, or nothing, for this reason. */
export type Found =
  { readonly value: string } | { readonly problem: readonly string[] };

interface ChoiceCommand {
  readonly kind: ChoiceKind;
  readonly description: string;
  /** Of the argument that names the value. */
  readonly argument: Omit<
    NonNullable<CommandSpec["arguments"]>[number],
    "name" | "required"
  >;
  find(text: string, deps: Pick<CommandDeps, "models" | "nearest">): Found;
  exists(value: string, models: ModelChoices): boolean;
  /** What the picker offers. */
  offered(models: ModelChoices): readonly string[];
  /** Which of these a value is. */
  shownAs(value: string, models: ModelChoices): string;
  /** What else there is to know. */
  details(models: ModelChoices, inForce: Choices): readonly string[];
  /** What holds where nobody has chosen. */
  readonly unchosen: string;
}

/** `/tier` and `/model`: says what is in force, lets people pick, sets. */
export function choiceCommand(choice: ChoiceCommand): Command {
  const { kind, description, argument } = choice;
  return {
    spec: {
      name: kind,
      description,
      arguments: [
        { ...argument, name: kind, required: false },
        {
          name: "for",
          description: "me, or chat: everybody here; me if left out",
          required: false,
          choices: ["me", "chat"],
        },
      ],
    },
    role: "member",
    isPrivate: false,
    async run(call, deps) {
      const find = (text: string) => valueOf(choice, text, deps);
      const { text, scope } =
        call.options === undefined
          ? parse(call.argument, find)
          : named(call.options, kind);
      if (text === "") return await show(choice, { call, deps, scope });
      const found = find(text);
      if ("problem" in found) return answer(...found.problem);
      const wish = { kind, scope, value: found.value };
      return answer((await choose(deps, call, wish)).text);
    },
  };
}

/** What is asked for, and for whom. */
interface Asked {
  readonly text: string;
  readonly scope: ChoiceScope;
}

const scopeOf = (word: string | undefined): ChoiceScope =>
  word?.toLowerCase() === "chat" ? "chat" : "person";

const named = (
  options: Readonly<Record<string, string>>,
  kind: ChoiceKind,
): Asked => ({
  text: (options[kind] ?? "").trim(),
  scope: scopeOf(options["for"]),
});

/** `chat` or `me` as the last word says for whom, unless it is a part of a name: `deepseek chat`. */
function parse(argument: string, find: (text: string) => Wanted): Asked {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const whole: Asked = { text: words.join(" "), scope: "person" };
  const last = words.at(-1);
  if (last === undefined || !/^(?:chat|me)$/i.test(last)) return whole;
  const text = words.slice(0, -1).join(" ");
  const isName = text !== "" && "problem" in find(text);
  return isName && !("problem" in find(whole.text))
    ? whole
    : { text, scope: scopeOf(last) };
}

type Wanted = Found | { readonly value: undefined };

const valueOf = (
  choice: ChoiceCommand,
  text: string,
  deps: CommandDeps,
): Wanted =>
  text.toLowerCase() === "default"
    ? { value: undefined }
    : choice.find(text, deps);

async function show(
  choice: ChoiceCommand,
  {
    call,
    deps,
    scope,
  }: {
    readonly call: CommandCall;
    readonly deps: CommandDeps;
    readonly scope: ChoiceScope;
  },
): Promise<CommandAnswer> {
  const { kind } = choice;
  const { models } = deps;
  const settings = await deps.settings.read(call.chat);
  const own = scope === "person" ? call.preference : {};
  const inForce = choicesInForce(own, settings, models);
  const chosen = inForce[kind];
  const said = own[kind] ?? settings[kind];
  const isGone = said !== undefined && !choice.exists(said, models);
  const values = choice.offered(models);
  const current = chosen && choice.shownAs(chosen.value, models);
  const hidden = values.length - (maxButtons - 1);
  const mayPick =
    scope === "chat" ? mayChangeChat(call) : !call.person.anonymous;
  const text = [
    sentenceOf(choice, scope, chosen),
    ...(isGone ? [`${said} was chosen before, and is no longer there.`] : []),
    ...choice.details(models, inForce),
    ...(hidden > 0
      ? [
          `${hidden} more are not shown: /${kind} finds them by a part of their name.`,
        ]
      : []),
    mayPick
      ? `/${kind} <name> chooses for you, /${kind} <name> chat for everybody here, /${kind} default takes it back.`
      : `You are not allowed to change it here${scope === "chat" ? ": an admin may" : ""}.`,
  ];
  return {
    ...answer(...text),
    ...(mayPick
      ? { buttons: pickerButtons({ kind, scope }, values, current) }
      : {}),
  };
}

function sentenceOf(
  { kind, unchosen }: ChoiceCommand,
  scope: ChoiceScope,
  chosen: Choice<string> | undefined,
): string {
  if (scope === "chat")
    return chosen === undefined
      ? `No ${kind} is set for this chat: ${unchosen}.`
      : `This chat's ${kind} is ${chosen.value}.`;
  return chosen === undefined
    ? `No ${kind} is chosen: ${unchosen}.`
    : `Your ${kind} is ${chosen.value}: ${reasonOf(chosen)}.`;
}

/** Why a choice holds, for the person whose it is. */
export const reasonOf = ({ by }: Choice<string>): string =>
  by === "person" ? "you chose it" : "it is set for this chat";
