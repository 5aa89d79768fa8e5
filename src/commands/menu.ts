import type { CommandArgument, CommandSpec } from "../core/ports.ts";
import { en } from "../locales/en.ts";
import { inOtherLanguages, languageOf } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";

type Menu = Locale["menu"];

/** The name of a command or an argument, with what menus say of it in every language. */
export const described = <Name extends string>(name: Name, pick: (menu: Menu) => string) => ({
  name,
  description: pick(en.menu),
  descriptions: inOtherLanguages(({ menu }) => pick(menu)),
});

const argumentThatIs =
  (required: boolean) =>
  (
    name: string,
    pick: (menu: Menu) => string,
    more: Pick<CommandArgument, "choices" | "range" | "kind"> = {},
  ): CommandArgument => ({ ...described(name, pick), required, ...more });

export const optional = argumentThatIs(false);
export const required = argumentThatIs(true);

/** The menu's texts for a command or an argument, in the asker's language. */
export const descriptionIn = (
  { description, descriptions = {} }: Pick<CommandSpec, "description" | "descriptions">,
  language: string | undefined,
): string => descriptions[languageOf(language) ?? ""] ?? description;

const typedArgument = ({ name, required }: CommandArgument): string =>
  required ? `<${name}>` : `[${name}]`;

/** How a command is typed: `/auto <goal> [turns]`. */
export const usageOf = ({ name, arguments: given = [] }: CommandSpec): string =>
  [`/${name}`, ...given.map(typedArgument)].join(" ");

/** A command's usage and the arguments after its name, for help requests. */
export function helpWith(
  spec: CommandSpec,
  { help }: Locale,
  language: string | undefined,
): readonly string[] {
  const { aliases = [], arguments: given = [] } = spec;
  return [
    `${usageOf(spec)} – ${descriptionIn(spec, language)}`,
    ...given.map((argument) => `${typedArgument(argument)}: ${descriptionIn(argument, language)}`),
    ...(aliases.length === 0 ? [] : [help.alias(aliases.map((alias) => `/${alias}`).join(", "))]),
  ];
}
