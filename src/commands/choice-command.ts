import type { CommandSpec } from "../core/ports.ts";
import type { Locale } from "../locales/locale.ts";
import { type Choice, type Choices, type ChoiceScope } from "../core/choices.ts";
import { effectiveChoices, choose, mayChangeChat, type ChoiceKind } from "./choice.ts";
import { optional } from "./menu.ts";
import { effectivePersona, modelsOfPersona } from "./personas.ts";
import { maxButtons, pickerButtons } from "./picker.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
  type ModelChoices,
} from "./command.ts";

/** The value that a person's text means, or why it means none. */
export type Found = { readonly value: string } | { readonly problem: readonly string[] };

interface ChoiceCommand {
  readonly kind: ChoiceKind;
  readonly spec: Pick<CommandSpec, "name" | "description" | "descriptions">;
  /** The argument that names the value. */
  readonly argument: Omit<NonNullable<CommandSpec["arguments"]>[number], "required">;
  find(
    text: string,
    deps: Pick<CommandDeps, "models" | "nearest">,
    words: Locale["choices"],
  ): Found;
  exists(value: string, models: ModelChoices): boolean;
  /** The picker's options. */
  offered(models: ModelChoices): readonly string[];
  /** Which of these a value is. */
  shownAs(value: string, models: ModelChoices): string;
  /** Additional text. */
  details(models: ModelChoices, effective: Choices, words: Locale["choices"]): readonly string[];
}

/** `/tier` and `/model`: shows the effective choice, offers a picker, sets. */
export function choiceCommand(choice: ChoiceCommand): Command {
  const { kind, spec, argument } = choice;
  return {
    spec: {
      ...spec,
      arguments: [
        { ...argument, required: false },
        optional("for", (menu) => menu.for, { choices: ["me", "chat"] }),
      ],
    },
    role: "member",
    isPrivate: false,
    hasButtons: true,
    async run(call, deps) {
      const { choices } = call.locale;
      const find = (text: string) => valueOf(choice, text, deps, choices);
      const { text, scope } =
        call.options === undefined ? parse(call.argument, find) : named(call.options, kind);
      if (text === "") return await show(choice, { call, deps, scope });
      const found = find(text);
      if ("problem" in found) return answer(...found.problem);
      const request = { kind, scope, value: found.value };
      return answer((await choose(deps, call, request)).text);
    },
  };
}

/** The requested value, and its scope. */
interface Asked {
  readonly text: string;
  readonly scope: ChoiceScope;
}

const scopeOf = (word: string | undefined): ChoiceScope =>
  word?.toLowerCase() === "chat" ? "chat" : "person";

const named = (options: Readonly<Record<string, string>>, kind: ChoiceKind): Asked => ({
  text: (options[kind] ?? "").trim(),
  scope: scopeOf(options["for"]),
});

/**
 * A last word `chat` or `me` sets the scope, unless it is part of a name:
 * `deepseek chat`.
 */
function parse(argument: string, find: (text: string) => Wanted): Asked {
  const words = argument.split(/\s+/).filter((word) => word !== "");
  const whole: Asked = { text: words.join(" "), scope: "person" };
  const last = words.at(-1);
  if (last === undefined || !/^(?:chat|me)$/i.test(last)) return whole;
  const text = words.slice(0, -1).join(" ");
  const isName = text !== "" && "problem" in find(text);
  return isName && !("problem" in find(whole.text)) ? whole : { text, scope: scopeOf(last) };
}

type Wanted = Found | { readonly value: undefined };

const valueOf = (
  choice: ChoiceCommand,
  text: string,
  deps: CommandDeps,
  words: Locale["choices"],
): Wanted =>
  text.toLowerCase() === "default" ? { value: undefined } : choice.find(text, deps, words);

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
  const words = call.locale.choices;
  const isOwn = scope === "person";
  const [settings, answering] = await Promise.all([
    deps.settings.read(call.chat),
    isOwn ? effectivePersona(deps, call) : undefined,
  ]);
  const own = isOwn ? call.preference : {};
  const persona = modelsOfPersona(answering, call, deps);
  const effective = effectiveChoices({ preference: own, settings, persona }, models);
  const chosen = effective[kind];
  const said = own[kind] ?? settings[kind];
  const isGone = said !== undefined && !choice.exists(said, models);
  const values = choice.offered(models);
  const current = chosen && choice.shownAs(chosen.value, models);
  const hidden = values.length - (maxButtons - 1);
  const mayPick = scope === "chat" ? mayChangeChat(call) : !call.person.anonymous;
  const text = [
    sentenceOf(words, { kind, scope }, chosen),
    ...(isGone ? [words.gone(said)] : []),
    ...choice.details(models, effective, words),
    ...(hidden > 0 ? [words.hidden(hidden, kind)] : []),
    mayPick ? words.how(kind) : scope === "chat" ? words.adminsHere : words.notHere,
  ];
  return {
    ...answer(...text),
    ...(mayPick ? { buttons: pickerButtons({ kind, scope }, values, current) } : {}),
  };
}

function sentenceOf(
  words: Locale["choices"],
  { kind, scope }: Pick<ChoiceCommand, "kind"> & { scope: ChoiceScope },
  chosen: Choice<string> | undefined,
): string {
  const { chats, yours, noneOfChats, noneOfYours } = words[kind];
  if (scope === "chat") return chosen === undefined ? noneOfChats : chats(chosen.value);
  return chosen === undefined ? noneOfYours : yours(chosen.value, reasonOf(chosen, words));
}

/** Why a choice holds, for the person whose it is. */
export const reasonOf = ({ by }: Choice<string>, say: Locale["choices"]): string =>
  ({ person: say.byYou, chat: say.byChat, persona: say.byPersona })[by];
