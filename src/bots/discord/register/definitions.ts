import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
} from "discord.js";
import type {
  APIApplicationCommandBasicOption,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
  RESTPutAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { CommandArgument, CommandSpec, Completion } from "../../../core/ports.ts";
import { commandOn, inOtherLanguages, localeFor } from "../../../locales/locale-for.ts";
import type { Locale } from "../../../locales/locale.ts";
import { adminCommandName, adminEntries, type AdminEntry } from "../admin-forms.ts";
import { userInstallCommands } from "../user-installs.ts";
import { localized } from "./locales.ts";

/** Characters of a question: what a person without Nitro can put into three messages. */
const maxQuestionLength = 6_000;

/** Menus name commands as Discord has them. */
const named = (text: string): string => commandOn("discord", text);

const inEvery = (pick: (locale: Locale["discord"]) => string) => ({
  description: pick(localeFor(undefined, "discord").discord),
  descriptions: inOtherLanguages(({ discord }) => pick(discord)),
});

const ask: CommandSpec = {
  name: "ask",
  ...inEvery((discord) => discord.ask),
  arguments: [
    {
      name: "question",
      ...inEvery(({ askQuestion }) => askQuestion),
      required: true,
    },
  ],
};

const file: APIApplicationCommandBasicOption = {
  type: ApplicationCommandOptionType.Attachment,
  name: "file",
  required: false,
  ...described(inEvery(({ askFile }) => askFile)),
};

const everywhere = {
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
  integration_types: [ApplicationIntegrationType.GuildInstall],
};

/** Also where the bot is not, for those who have installed it for themselves. */
const abroad = {
  contexts: [...everywhere.contexts, InteractionContextType.PrivateChannel],
  integration_types: [...everywhere.integration_types, ApplicationIntegrationType.UserInstall],
};

const menu: RESTPostAPIContextMenuApplicationCommandsJSONBody = {
  type: ApplicationCommandType.Message,
  name: localeFor(undefined, "discord").discord.askAboutThis,
  name_localizations: localized(inOtherLanguages(({ discord }) => discord.askAboutThis)) ?? null,
  ...everywhere,
  default_member_permissions: null,
};

/**
 * The commands as Discord registers them, `/ask` first, and the message menu. Menus are all they
 * decide: rights are checked on use.
 */
export function commandDefinitions(
  commands: readonly CommandSpec[],
  completion: Pick<Completion, "offers">,
  { userInstall }: { readonly userInstall: boolean } = { userInstall: false },
): RESTPutAPIApplicationCommandsJSONBody {
  const others = commands.filter(({ name, adminOnly }) => name !== ask.name && adminOnly !== true);
  const definitions = [ask, ...others].map((command) => ({
    type: ApplicationCommandType.ChatInput as const,
    name: command.name,
    ...described(command),
    options: command.subcommands?.map((form) => subcommand(form, command, completion)) ?? [
      // With something to fill in it stands below `/admin`.
      ...optionsOf(
        command.adminForms === undefined ? command : { name: command.name, arguments: [] },
        completion,
      ),
      ...(command === ask ? [file] : []),
    ],
    ...(userInstall && userInstallCommands.has(command.name) ? abroad : everywhere),
    default_member_permissions: null,
  }));
  const entries = adminEntries(commands);
  return [
    ...definitions,
    ...(entries.length === 0 ? [] : [adminDefinition(entries, completion)]),
    userInstall ? { ...menu, ...abroad } : menu,
  ];
}

/**
 * Admins' commands, as subcommands of one command: shown by default to server managers, checked on
 * use.
 */
const adminDefinition = (
  entries: readonly AdminEntry[],
  completion: Pick<Completion, "offers">,
) => ({
  type: ApplicationCommandType.ChatInput as const,
  name: adminCommandName,
  ...described(inEvery((discord) => discord.admin)),
  options: entries.map(({ form, command }) => subcommand(form, command, completion)),
  ...everywhere,
  default_member_permissions: PermissionFlagsBits.ManageGuild.toString(),
});

const subcommand = (
  form: AdminEntry["form"],
  { name }: Pick<CommandSpec, "name">,
  completion: Pick<Completion, "offers">,
) => ({
  type: ApplicationCommandOptionType.Subcommand as const,
  name: form.name,
  ...described(form),
  options: optionsOf({ name, arguments: form.arguments }, completion),
});

function optionsOf(
  {
    name: command,
    arguments: given = [],
  }: {
    readonly name: string;
    readonly arguments?: readonly CommandArgument[] | undefined;
  },
  completion: Pick<Completion, "offers">,
): APIApplicationCommandBasicOption[] {
  return given.map((argument) => {
    const { name, required, choices, range, kind } = argument;
    const option = { name, required, ...described(argument) };
    if (kind === "person") return { type: ApplicationCommandOptionType.User, ...option };
    if (range !== undefined)
      return {
        type: ApplicationCommandOptionType.Integer,
        ...option,
        min_value: range.min,
        max_value: range.max,
      };
    const type = ApplicationCommandOptionType.String;
    if (choices !== undefined)
      return {
        type,
        ...option,
        choices: choices.map((choice) => ({ name: choice, value: choice })),
      };
    return {
      type,
      ...option,
      max_length: maxQuestionLength,
      ...(completion.offers(command, name) ? { autocomplete: true } : {}),
    };
  });
}

function described({
  description,
  descriptions = {},
}: Pick<CommandArgument, "description" | "descriptions">) {
  const others = localized(
    Object.fromEntries(
      Object.entries(descriptions).map(([language, text]) => [language, named(text)]),
    ),
  );
  return {
    description: named(description),
    ...(others === undefined ? {} : { description_localizations: others }),
  };
}
