import {
  ApplicationCommandType,
  ComponentType,
  InteractionContextType,
  InteractionType,
  PermissionFlagsBits,
} from "discord.js";
import type {
  InboundCommand,
  InboundMessage,
  InboundTap,
} from "../../../core/inbound.ts";
import type { CommandSpec } from "../../../core/ports.ts";
import type { Commands } from "./commands.ts";
import { commandDataSchema, componentDataSchema } from "./payloads.ts";
import type { InteractionPayload, OptionPayload } from "./payloads.ts";
import { personOf } from "./person.ts";
import { placeOf } from "./place.ts";

/** What an interaction asks for, and so how it is acknowledged. */
export type Asked =
  | { readonly type: "question"; readonly inbound: InboundMessage }
  | {
      readonly type: "command";
      readonly inbound: InboundCommand;
      /** A turn answers, for everybody: its request is shown to everybody too. */
      readonly startsTurn: boolean;
    }
  | { readonly type: "tap"; readonly inbound: InboundTap }
  /** Someone is still typing: suggestions are wanted, and there are none. */
  | { readonly type: "suggestions" }
  /** Nothing of ours: told so, and no more. */
  | { readonly type: "nothing"; readonly text: string };

interface InteractionContext {
  readonly botId: string;
  readonly commands: Commands;
  readonly atMs: number;
}

const unknownCommand = "This command is not available any more.";
const unknownAction = "I cannot do anything with that.";
const elsewhere =
  "I can answer only in a direct message with me, or on a server that I have joined.";
const mayNotWrite =
  "I am not allowed to write in this channel, so I cannot answer here.";
const mayNotAttach =
  "I am not allowed to send files to this channel, so I cannot do that here.";

const { AttachFiles, ViewChannel, SendMessages, SendMessagesInThreads } =
  PermissionFlagsBits;

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
      return { type: "suggestions" };
    default:
      return { type: "nothing", text: unknownAction };
  }
}

function translateCommand(
  interaction: InteractionPayload,
  context: InteractionContext,
): Asked {
  const data = commandDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  const type = data?.type ?? ApplicationCommandType.ChatInput;
  if (!data || !arrival || type !== ApplicationCommandType.ChatInput)
    return { type: "nothing", text: unknownAction };
  const spec = context.commands.get(data.name);
  const given = data.options ?? [];
  const argument = words(given, spec).join(" ");
  if (interaction.context === InteractionContextType.PrivateChannel)
    return { type: "nothing", text: elsewhere };
  const startsTurn = data.name === "ask" || spec?.startsTurn === true;
  if (startsTurn && !may(interaction))
    return { type: "nothing", text: mayNotWrite };
  if (spec?.sendsFiles === true && !may(interaction, AttachFiles))
    return { type: "nothing", text: mayNotAttach };
  if (data.name === "ask")
    return {
      type: "question",
      inbound: {
        ...arrival,
        type: "message",
        text: argument,
        answersItself: true,
      },
    };
  if (spec === undefined) return { type: "nothing", text: unknownCommand };
  const { name } = data;
  const inbound = {
    ...arrival,
    name,
    argument,
    ...valuesOf(given),
    answersItself: true,
  };
  return {
    type: "command",
    inbound: { ...inbound, type: "command" },
    startsTurn,
  };
}

function translateComponent(
  interaction: InteractionPayload,
  context: InteractionContext,
): Asked {
  const data = componentDataSchema.safeParse(interaction.data).data;
  const arrival = arrivalOf(interaction, context);
  if (!data || !arrival || data.component_type !== ComponentType.Button)
    return { type: "nothing", text: unknownAction };
  const { message } = interaction;
  return {
    type: "tap",
    inbound: {
      ...arrival,
      type: "tap",
      data: data.custom_id,
      ...(message ? { messageId: message.id } : {}),
    },
  };
}

function arrivalOf(
  interaction: InteractionPayload,
  { botId, atMs }: InteractionContext,
) {
  const { id, channel, member, locale, guild_id } = interaction;
  const user = member?.user ?? interaction.user;
  if (!user) return undefined;
  const place = placeOf({ ...channel, parentId: channel.parent_id });
  return {
    id: `i${id}`,
    address: { platform: "discord", bot: botId, ...place },
    person: personOf(user, { member, locale }),
    direct:
      guild_id === undefined &&
      interaction.context !== InteractionContextType.PrivateChannel,
    atMs,
  } as const;
}

/**
 * What would be typed: the options' values, sub-commands by name. They come in the order in which the person filled them
 * in; typed, they have the command's own.
 */
function words(
  options: readonly OptionPayload[],
  spec?: CommandSpec,
): string[] {
  const names = (spec?.arguments ?? []).map(({ name }) => name);
  return options
    .toSorted(
      (one, other) => names.indexOf(one.name) - names.indexOf(other.name),
    )
    .flatMap(({ name, value, options: inner }) =>
      value === undefined ? [name, ...words(inner ?? [])] : [String(value)],
    );
}

/** The options by name; those of a sub-command are read as they would be typed. */
const valuesOf = (
  given: readonly OptionPayload[],
): Pick<InboundCommand, "options"> =>
  given.some(({ value }) => value === undefined)
    ? {}
    : {
        options: Object.fromEntries(
          given.map(({ name, value }) => [name, String(value)]),
        ),
      };

/** What comes of it is an ordinary message; a slash command works even where the bot can't write one. */
function may(
  { app_permissions, channel }: InteractionPayload,
  besides = 0n,
): boolean {
  if (app_permissions === undefined) return true;
  const { chat, thread } = placeOf({ ...channel, parentId: channel.parent_id });
  const send = chat && thread ? SendMessagesInThreads : SendMessages;
  const needed = ViewChannel | send | besides;
  return (BigInt(app_permissions) & needed) === needed;
}
