import { ApplicationCommandOptionType } from "discord.js";
import type { CommandArgument, CommandSpec } from "../../../core/ports.ts";
import type { Commands } from "../../keyed-queue/priority.ts";
import { adminCommandName, adminEntries } from "../admin-forms.ts";
import type { OptionPayload } from "./payloads.ts";

/** The options by name, without sub-commands. */
export const valuesOf = (given: readonly OptionPayload[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    given.filter(({ value }) => value !== undefined).map((option) => [option.name, textOf(option)]),
  );

/** The type of an option that selects a person. */
export const userType: number = ApplicationCommandOptionType.User;

/** The typed equivalent. */
export const textOf = ({ type, value }: OptionPayload): string =>
  type === userType ? `discord:${String(value)}` : String(value);

/**
 * A slash command as given; the subcommands of `/admin` and of a command itself are another way to
 * type a command.
 */
export interface CommandGiven {
  /** Undefined: there is no such command any more. */
  readonly spec: CommandSpec | undefined;
  readonly name: string;
  readonly action?: string;
  /** See `Subcommand`. */
  readonly opens?: string;
  readonly options: readonly OptionPayload[];
  readonly arguments: readonly CommandArgument[];
}

/** Pure. The command and its arguments. */
export function commandOf(
  {
    name,
    options = [],
  }: {
    readonly name: string;
    readonly options?: readonly OptionPayload[] | undefined;
  },
  commands: Commands,
): CommandGiven {
  if (name !== adminCommandName) {
    const spec = commands.get(name);
    const form = spec?.subcommands?.find((each) => each.name === options[0]?.name);
    if (form !== undefined)
      return {
        spec,
        name,
        action: form.action,
        ...(form.opens === undefined ? {} : { opens: form.opens }),
        options: options[0]?.options ?? [],
        arguments: form.arguments ?? [],
      };
    return { spec, name, options, arguments: spec?.arguments ?? [] };
  }
  const [chosen] = options;
  const entry = adminEntries(commands.values()).find(({ form }) => form.name === chosen?.name);
  const { form, command: spec } = entry ?? {};
  return {
    spec,
    name: spec?.name ?? name,
    ...(form?.action === undefined ? {} : { action: form.action }),
    options: chosen?.options ?? [],
    arguments: form?.arguments ?? [],
  };
}

/**
 * A slash command that was typed into a message, as the platform-independent command; undefined: it
 * is no other. Pure.
 */
export function typedAsShown(
  { name, argument }: { readonly name: string; readonly argument: string },
  commands: Commands,
): { readonly name: string; readonly argument: string } | undefined {
  const [word = "", ...words] = argument.split(/(?<=^\S*)\s+/);
  const options = [{ name: word.toLowerCase(), type: ApplicationCommandOptionType.Subcommand }];
  const given = commandOf({ name, options }, commands);
  const isForm = name === adminCommandName || given.action !== undefined;
  if (given.spec === undefined || !isForm) return undefined;
  // `pick` is what a name alone means.
  const action = given.action === undefined || given.action === "pick" ? [] : [given.action];
  const named = given.arguments.map((each) => each.name).join("|");
  const values = words
    .join(" ")
    .replaceAll(new RegExp(`(?<!\\S)(?:${named || "$^"}):\\s*`, "g"), "");
  return { name: given.name, argument: [...action, values].join(" ").trim() };
}
