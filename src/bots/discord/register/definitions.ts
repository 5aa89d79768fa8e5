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
  argument: {
    name: "question",
    description: "What you want to know or have done",
    required: true,
  },
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
  argument,
}: CommandSpec): APIApplicationCommandBasicOption[] {
  if (!argument) return [];
  return [
    {
      type: ApplicationCommandOptionType.String,
      name: argument.name,
      description: argument.description,
      required: argument.required,
      max_length: maxQuestionLength,
    },
  ];
}
