import type { Platform } from "../core/chat.ts";

/*
 * Sentences name commands as they are typed: `/allow here`. This is where a platform's own form is
 * made of that. Values that are free are in braces with the name of their option, so that their end
 * is known: `/remind {when:in 20m} {text:tea}`.
 */

/** Where a sentence is read; absent: where commands are typed. */
export interface CommandStyle {
  readonly platform?: Platform | undefined;
  /** Names of commands are marked, for the adapter to make them clickable. */
  readonly isMarked?: boolean;
}

/** A command on Discord: its path, and its options in the order in which they are typed. */
export interface DiscordForm {
  readonly path: string;
  /** With those of its values that sentences may name. */
  readonly options: readonly {
    readonly name: string;
    readonly required: boolean;
    readonly values: readonly string[];
  }[];
}

/**
 * By what is typed, the longest beginning first: the path where it differs, then the options; `!`
 * is required, and after `=` are values. `test/text/command-names.test.ts` compares this with the
 * registered commands.
 */
const forms = `
ask: question!
start: code
help: command=all
new, reset > new
stop, cancel > stop
retry
undo
compact
auto: goal! turns
skill: name! task!
remind: when text
schedule, schedule list > schedule list: page
schedule run: id!
schedule pause: id!
schedule resume: id!
schedule delete: id!
schedule zone: city
tier: tier=fast|balanced|smart|coding|deep|default for=me|chat
model: model=default for=me|chat
persona > persona pick: name=default for=me|chat|place
persona new: called
persona edit: name!
persona show: name!
persona delete: name!
persona history: name!
settings: name=permissions value=default
activation: when=mention|always
language: language=en|de|es|fr|ru|zh|auto
status
approvals: id
approve: id always
deny: id reason
edit: id change
grants: revoke=revoke
tools
skills: action=on|off|review|show|approve|deny skill
memory, memory list > memory list
memory delete: id!
memory edit: id! text!
memory export
recall: words!
todos
usage
limits
limits set > admin limits-set: scope! metric! value!
limits reset > admin limits-reset: scope! metric
whoami
role
admin role: person role
admins
export: format=markdown|json
forget: what=chat|me confirmation
pending > admin pending
allow > admin allow: person code place=here|server
ban > admin ban: person reason place=here|server
unban > admin unban: person place=here|server
pause > admin pause: platform=all|telegram|discord|console now=now
resume > admin resume: platform=all|telegram|discord|console
stats > admin stats
error > admin error: id
audit > admin audit: count who what=export
doctor > admin doctor
dashboard > admin dashboard: action=off
broadcast > admin broadcast: text!
import > admin import: code
`;

export const discordForms: ReadonlyMap<string, DiscordForm> = new Map(
  forms
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [head = "", options = ""] = line.split(": ");
      const [given = "", path = given] = head.split(" > ");
      const form = { path, options: options.split(" ").filter(Boolean).map(optionOf) };
      return given.split(", ").map((typed): [string, DiscordForm] => [typed, form]);
    }),
);

function optionOf(text: string): DiscordForm["options"][number] {
  const [name = "", values] = text.split("=");
  return {
    name: name.replace("!", ""),
    required: name.endsWith("!"),
    values: values?.split("|") ?? [],
  };
}

/** Encloses a command's path on Discord. It shows nothing, also where it is not known. */
const mark = "\u2063";
/** In the texts of the Discord adapter: a command's path between marks. */
export const markedCommand = new RegExp(`${mark}/([a-z0-9_-]+(?: [a-z0-9_-]+)?)${mark}`, "g");

/** Not in the middle of a word, a path or an address. */
const typedName = /(?<![\w/<:.…@-])\/([a-z]+)(?![\w/-])/g;
const typedArgument =
  / (?:\{(?<option>\w+):(?<value>[^{}\n]+)\}|(?<placeholder><[^<>\n]+>(?:\.<[^<>\n]+>)?)|(?<optional>\[[^[\]\n]+\])|(?<word>[a-z]+(?!\w)))/y;
const braced = /\{\w+:([^{}\n]+)\}/g;

/** Sentences of our own, whose commands are named as they are on a platform. Pure. */
export function renderCommands(text: string, { platform, isMarked }: CommandStyle): string {
  if (!text.includes("/")) return text;
  if (platform !== "discord") return text.replaceAll(braced, "$1");
  let shown = "";
  let done = 0;
  for (const { index, 0: typed, 1: name = "" } of text.matchAll(typedName)) {
    const command = index < done ? undefined : readCommand(text, name, index + typed.length);
    if (command === undefined) continue;
    const { path } = command.form;
    const words = isMarked ? `${mark}/${path}${mark}` : `/${path}`;
    shown += [text.slice(done, index) + words, ...command.arguments].join(" ");
    done = command.end;
  }
  return (shown + text.slice(done)).replaceAll(braced, "$1");
}

/** The command that begins there, if it is one, with as many of the words behind it as are its arguments. */
function readCommand(text: string, name: string, from: number) {
  let end = from;
  const next = () => {
    typedArgument.lastIndex = end;
    return typedArgument.exec(text);
  };
  const action = next();
  const special = discordForms.get(`${name} ${action?.groups?.["word"] ?? ""}`);
  if (action && special) end += action[0].length;
  const form = special ?? discordForms.get(name);
  if (form === undefined) return undefined;
  const given: string[] = [];
  let options = form.options;
  for (let found = next(); found?.groups; found = next()) {
    const { option, value, placeholder, word } = found.groups;
    const at =
      word === undefined
        ? Math.max(
            0,
            options.findIndex((each) => each.name === option),
          )
        : options.findIndex(({ values }) => values.includes(word));
    const chosen = options[at];
    if (chosen === undefined) break;
    if (value !== undefined || word !== undefined)
      given.push(`${option ?? chosen.name}:${value ?? word}`);
    // Discord asks for a required option by itself.
    else if (placeholder !== undefined && !chosen.required)
      given.push(`${chosen.name}:${placeholder}`);
    options = options.slice(at + 1);
    end += found[0].length;
  }
  return { form, arguments: given, end };
}
