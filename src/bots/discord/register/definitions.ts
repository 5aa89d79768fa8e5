import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  PermissionFlagsBits,
} from "discord.js";
import type {
  APIApplicationCommandBasicOption,
  RESTPutAPIApplicationCommandsJSONBody,
} from "discord.js";
import type { CommandSpec } from "../../../core/ports.ts";

/** Characters of a question: what a person without Nitro can put into three messages. */
const maxQuestionLength = 6_000;

const ask: CommandSpec = {
  name: "ask",
  description: "Ask me something",
  arguments: [
    {
      name: "question",
      description: "What you want to know or have done",
      required: true,
    },
  ],
};

/** The commands as Discord registers them, `/ask` first. Menus are all they decide: rights are checked on use. */
export function commandDefinitions(
  commands: readonly CommandSpec[],
): RESTPutAPIApplicationCommandsJSONBody {
  const others = commands.filter(({ name }) => name !== ask.name);
  return [ask, ...others].map((command) => ({
    type: ApplicationCommandType.ChatInput,
    name: command.name,
    description: command.description,
    options: optionsOf(command),
    contexts: [InteractionContextType.Guild, InteractionContextType.BotDM],
    integration_types: [ApplicationIntegrationType.GuildInstall],
    default_member_permissions: command.adminOnly
      ? PermissionFlagsBits.ManageGuild.toString()
      : null,
  }));
}

function optionsOf({
  arguments: given = [],
}: CommandSpec): APIApplicationCommandBasicOption[] {
  return given.map(({ name, description, required, choices, range }) => {
    const option = { name, description, required };
    if (range !== undefined)
      return {
        type: ApplicationCommandOptionType.Integer,
        ...option,
        min_value: range.min,
        max_value: range.max,
      };
    return {
      type: ApplicationCommandOptionType.String,
      ...option,
      ...(choices === undefined
        ? { max_length: maxQuestionLength }
        : {
            choices: choices.map((choice) => ({ name: choice, value: choice })),
          }),
    };
  });
}
