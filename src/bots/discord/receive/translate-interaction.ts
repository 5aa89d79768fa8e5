import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  PermissionFlagsBits,
} from "discord.js";
import type { Person } from "../../../core/chat.ts";
import { formData, type InboundTap } from "../../../core/inbound.ts";
import type { CommandArgument, CommandSpec } from "../../../core/ports.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { escaped } from "../format/escape.ts";
import { arrivalOf, may, openingFor } from "./arrival.ts";
import { commandOf, textOf, userType, valuesOf } from "./command-given.ts";
import type { InteractionContext } from "./arrival.ts";
import type { Asked } from "./asked.ts";
import { attachmentOf } from "./attachments.ts";
import type { z } from "zod";
import { commandDataSchema, componentDataSchema } from "./payloads.ts";
import { personOf } from "./person.ts";
import type { AttachmentPayload } from "./content.ts";
import type { InteractionPayload, OptionPayload } from "./payloads.ts";
import { opensForm, sentBack } from "./edit-forms.ts";
import { chosen, filledIn } from "./pointing.ts";
import { quoted } from "./quoted.ts";
import { isUserInstall, userInstallCommands } from "../user-installs.ts";
import { typingOf } from "./suggest.ts";

const nothing = (
  { locale }: InteractionPayload,
  why:
    | "unknownCommand"
    | "unknownAction"
    | "elsewhere"
    | "onlyUserInstall"
    | "mayNotWrite"
    | "mayNotAttach",
): Asked => ({ type: "nothing", text: localeFor(locale, "discord").discord[why] });

/** Pure. */
export function translateInteraction(
  interaction: InteractionPayload,
  context: InteractionContext,
): Asked {
  switch (interaction.type) {
    case InteractionType.ApplicationCommand:
      return translateCommand(interaction, context);
    case InteractionType.MessageComponent:
      return translateComponent(interaction, context);
    case InteractionType.ApplicationCommandAutocomplete:
      return { type: "suggestions", typing: typingOf(interaction, context) };
    case InteractionType.ModalSubmit: {
      const sent = sentBack(interaction, context);
      if (sent) return sent;
      if (!may(interaction)) return nothing(interaction, "mayNotWrite");
      return filledIn(interaction, context) ?? nothing(interaction, "unknownAction");
    }
    default:
      return nothing(interaction, "unknownAction");
  }
}

function translateCommand(interaction: InteractionPayload, context: InteractionContext): Asked {
  const data = commandDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  if (!data || !arrival) return nothing(interaction, "unknownAction");
  const userInstalls = isUserInstall(interaction);
  if (interaction.context === InteractionContextType.PrivateChannel && !userInstalls)
    return nothing(interaction, "elsewhere");
  const isMenu = data.type === ApplicationCommandType.Message;
  if (userInstalls && !isMenu && !userInstallCommands.has(data.name))
    return nothing(interaction, "onlyUserInstall");
  if (data.type === ApplicationCommandType.Message) {
    if (!may(interaction)) return nothing(interaction, "mayNotWrite");
    const about = chosen(interaction, context.botId, data);
    return about ? { type: "form", about } : nothing(interaction, "unknownAction");
  }
  const slash: number = ApplicationCommandType.ChatInput;
  if ((data.type ?? slash) !== slash) return nothing(interaction, "unknownAction");
  const command = commandOf(data, context.commands);
  const { spec, action, options: given } = command;
  const argument = [
    ...(action === undefined ? [] : [action]),
    ...words(given, command.arguments),
  ].join(" ");
  const startsTurn = data.name === "ask" || spec?.startsTurn === true;
  if (startsTurn && !may(interaction)) return nothing(interaction, "mayNotWrite");
  if (spec?.sendsFiles === true && !may(interaction, PermissionFlagsBits.AttachFiles))
    return nothing(interaction, "mayNotAttach");
  if (data.name === "ask") {
    const files = given.flatMap(({ type, value }) => {
      const file = data.resolved?.attachments?.[String(value)];
      return type === attachmentType && file ? [file] : [];
    });
    return question({ interaction, arrival, argument, files, context });
  }
  if (spec === undefined) return nothing(interaction, "unknownCommand");
  if (command.opens !== undefined) return opening(arrival, command.opens, spec, given);
  const isNested = given.some(({ value }) => value === undefined);
  const about = chosenPerson(given, data.resolved);
  const actionOption = action === undefined ? {} : { action };
  return {
    type: "command",
    inbound: {
      ...arrival,
      type: "command",
      name: command.name,
      argument,
      ...(isNested ? {} : { options: { ...actionOption, ...valuesOf(given) } }),
      ...(about === undefined ? {} : { about }),
      answersItself: true,
    },
    startsTurn,
  };
}

/** Characters of a value that a form's data have room for. */
const maxNamed = 32;

/** A command that opens its form at once, as a button would. */
function opening(
  arrival: NonNullable<ReturnType<typeof arrivalOf>>,
  action: string,
  { name }: Pick<CommandSpec, "name">,
  given: readonly OptionPayload[],
): Asked {
  const [value = ""] = given.map((option) => textOf(option).trim().slice(0, maxNamed));
  const argument = `${action} ${value}`.trim();
  return {
    type: "opening",
    tap: { ...arrival, type: "tap", data: formData(name, argument) },
  };
}

/** The person selected in a user field. */
function chosenPerson(
  given: readonly OptionPayload[],
  resolved: z.infer<typeof commandDataSchema>["resolved"],
): Person | undefined {
  const [person] = given.flatMap(({ type, value }) => {
    const user = resolved?.users?.[String(value)];
    if (type !== userType || user === undefined || user.bot) return [];
    return [personOf(user, { member: resolved?.members?.[user.id] })];
  });
  return person;
}

const attachmentType: number = ApplicationCommandOptionType.Attachment;

/** `/ask`: the question, followed by its attachments. */
function question({
  interaction,
  arrival,
  argument,
  files,
  context,
}: {
  readonly interaction: InteractionPayload;
  readonly arrival: NonNullable<ReturnType<typeof arrivalOf>>;
  readonly argument: string;
  readonly files: readonly AttachmentPayload[];
  readonly context: InteractionContext;
}): Asked {
  const attachments = files.map((file) => attachmentOf(file, context.fetchFile));
  const names = files.map(({ filename }) => `\n-# ${escaped(filename)}`);
  return {
    type: "question",
    inbound: {
      ...arrival,
      type: "message",
      text: argument,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...openingFor(interaction, context),
      answersItself: true,
    },
    echo: quoted(argument) + names.join(""),
  };
}

function translateComponent(interaction: InteractionPayload, context: InteractionContext): Asked {
  const data = componentDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  if (!data || !arrival || data.component_type !== ComponentType.Button)
    return nothing(interaction, "unknownAction");
  const { message } = interaction;
  const inbound: InboundTap = {
    ...arrival,
    type: "tap",
    data: data.custom_id,
    ...(message ? { messageId: message.id } : {}),
  };
  return opensForm(data.custom_id) ? { type: "opening", tap: inbound } : { type: "tap", inbound };
}

/**
 * What would be typed: the options' values, sub-commands by name. They come in the order in which
 * the person filled them in; typed, they have the command's own.
 */
function words(options: readonly OptionPayload[], known: readonly CommandArgument[]): string[] {
  const names = known.map(({ name }) => name);
  return options
    .filter(({ type }) => type !== attachmentType)
    .toSorted((one, other) => names.indexOf(one.name) - names.indexOf(other.name))
    .flatMap((option) =>
      option.value === undefined
        ? [option.name, ...words(option.options ?? [], [])]
        : [textOf(option)],
    );
}
