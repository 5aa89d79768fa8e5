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
import type {
  CommandArgument,
  CommandSpec,
  Completion,
} from "../../../core/ports.ts";
import { inOtherLanguages, wordsFor } from "../../../words/words-for.ts";
import type { Words } from "../../../words/words.ts";
import { localized } from "./locales.ts";

/** Characters of a question: what a person without Nitro can put into three messages. */
const maxQuestionLength = 6_000;

const inEvery = (pick: (words: Words["discord"]) => string) => ({
  description: pick(wordsFor().discord),
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

const menu: RESTPostAPIContextMenuApplicationCommandsJSONBody = {
  type: ApplicationCommandType.Message,
  name: wordsFor().discord.askAboutThis,
  name_localizations:
    localized(inOtherLanguages(({ discord }) => discord.askAboutThis)) ?? null,
  ...everywhere,
  default_member_permissions: null,
};

/**
 * The commands as Discord registers them, `/ask` first, and the message menu. Menus are all they decide: rights are checked
 * on use.
 */
export function commandDefinitions(
  commands: readonly CommandSpec[],
  completion: Pick<Completion, "offers">,
): RESTPutAPIApplicationCommandsJSONBody {
  const others = commands.filter(({ name }) => name !== ask.name);
  const definitions = [ask, ...others].map((command) => ({
    type: ApplicationCommandType.ChatInput as const,
    name: command.name,
    ...described(command),
    options: [
      ...optionsOf(command, completion),
      ...(command === ask ? [file] : []),
    ],
    ...everywhere,
    default_member_permissions: command.adminOnly
      ? PermissionFlagsBits.ManageGuild.toString()
      : null,
  }));
  return [...definitions, menu];
}

function optionsOf(
  { name: command, arguments: given = [] }: CommandSpec,
  completion: Pick<Completion, "offers">,
): APIApplicationCommandBasicOption[] {
  return given.map((argument) => {
    const { name, required, choices, range } = argument;
    const option = { name, required, ...described(argument) };
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
  descriptions,
}: Pick<CommandArgument, "description" | "descriptions">) {
  const others = localized(descriptions);
  return {
    description,
    ...(others === undefined ? {} : { description_localizations: others }),
  };
}
