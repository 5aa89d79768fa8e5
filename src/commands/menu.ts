import type { AdminForm, CommandArgument, CommandSpec } from "../core/ports.ts";
import { en } from "../locales/en.ts";
import { commandIn, inOtherLanguages, languageIn, platformIn } from "../locales/locale-for.ts";
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

/** The menu's texts for a command or an argument, as the readers of a locale know commands. */
export const descriptionIn = (
  { description, descriptions = {} }: Pick<CommandSpec, "description" | "descriptions">,
  locale: Locale,
): string => commandIn(locale, descriptions[languageIn(locale)] ?? description);

const typedArgument = ({ name, required }: CommandArgument): string =>
  required ? `<${name}>` : `[${name}]`;

/** How a command is given: `/auto <goal> [turns]`. */
export const usageOf = (
  { name, arguments: given = [] }: Pick<CommandSpec, "name" | "arguments">,
  locale: Locale,
): string => [commandIn(locale, `/${name}`), ...given.map(typedArgument)].join(" ");

/** Where a platform groups the uses of a command, each is one of its own. */
function formsOf(spec: CommandSpec, locale: Locale): readonly CommandSpec[] {
  if (platformIn(locale) !== "discord") return [spec];
  const { subcommands, adminForms = [] } = spec;
  const named = ({ name, action }: AdminForm): string =>
    action === undefined ? `admin ${name}` : `${spec.name} ${action}`;
  return [
    // What can be filled in is below `/admin`.
    ...(subcommands ? [] : [adminForms.length === 0 ? spec : { ...spec, arguments: [] }]),
    ...[...(subcommands ?? []), ...adminForms].map((form) => ({ ...form, name: named(form) })),
  ];
}

/** A command in a list, and for those who may use them the forms of it that its platform has below `/admin`. */
export function listedIn(
  spec: CommandSpec,
  locale: Locale,
  { withAdminForms }: { readonly withAdminForms: boolean },
): readonly string[] {
  const own = `${commandIn(locale, `/${spec.name}`)} – ${descriptionIn(spec, locale)}`;
  const forms = withAdminForms && platformIn(locale) === "discord" ? (spec.adminForms ?? []) : [];
  return [
    own,
    ...forms.map((form) => {
      const typed =
        form.action === undefined ? `admin ${form.name}` : `${spec.name} ${form.action}`;
      return `${commandIn(locale, `/${typed}`)} – ${descriptionIn(form, locale)}`;
    }),
  ];
}

/** A command's usage and the arguments after its name, for help requests. */
export const helpWith = (spec: CommandSpec, locale: Locale): readonly string[] => [
  ...formsOf(spec, locale).flatMap((form) => [
    `${usageOf(form, locale)} – ${descriptionIn(form, locale)}`,
    ...(form.arguments ?? []).map(
      (argument) => `${typedArgument(argument)}: ${descriptionIn(argument, locale)}`,
    ),
  ]),
  ...aliasLine(spec, locale),
];

/** Discord has no other names of commands. */
const aliasLine = ({ aliases = [] }: CommandSpec, locale: Locale): readonly string[] =>
  aliases.length === 0 || platformIn(locale) === "discord"
    ? []
    : [locale.help.alias(aliases.map((alias) => `/${alias}`).join(", "))];
