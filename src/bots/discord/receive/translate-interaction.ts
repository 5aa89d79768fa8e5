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
import { commandDataSchema, componentDataSchema } from "./payloads.ts";
import type { InteractionPayload, OptionPayload } from "./payloads.ts";
import { personOf } from "./person.ts";
import { placeOf } from "./place.ts";

/** What an interaction asks for, and so how it is acknowledged. */
export type Asked =
  | { readonly type: "question"; readonly inbound: InboundMessage }
  | { readonly type: "command"; readonly inbound: InboundCommand }
  | { readonly type: "tap"; readonly inbound: InboundTap }
  /** Someone is still typing: suggestions are wanted, and there are none. */
  | { readonly type: "suggestions" }
  /** Nothing of ours: told so, and no more. */
  | { readonly type: "nothing"; readonly text: string };

interface InteractionContext {
  readonly botId: string;
  readonly commands: ReadonlySet<string>;
  readonly atMs: number;
}

const unknownCommand = "This command is not available any more.";
const unknownAction = "I cannot do anything with that.";
const elsewhere =
  "I can answer only in a direct message with me, or on a server that I have joined.";
const mayNotWrite =
  "I am not allowed to write in this channel, so I cannot answer here.";

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
  const argument = words(data.options ?? []).join(" ");
  if (interaction.context === InteractionContextType.PrivateChannel)
    return { type: "nothing", text: elsewhere };
  if (data.name === "ask")
    return mayWrite(interaction)
      ? {
          type: "question",
          inbound: { ...arrival, type: "message", text: argument },
        }
      : { type: "nothing", text: mayNotWrite };
  if (!context.commands.has(data.name))
    return { type: "nothing", text: unknownCommand };
  const { name } = data;
  return {
    type: "command",
    inbound: {
      ...arrival,
      type: "command",
      name,
      argument,
      answersItself: true,
    },
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

/** The options' values in the order in which Discord sends them, sub-commands by name: what would be typed. */
function words(options: readonly OptionPayload[]): string[] {
  return options.flatMap(({ name, value, options: inner }) =>
    value === undefined ? [name, ...words(inner ?? [])] : [String(value)],
  );
}

/** The answer comes as an ordinary message; a slash command works even where the bot can't write one. */
function mayWrite({ app_permissions, channel }: InteractionPayload): boolean {
  if (app_permissions === undefined) return true;
  const { chat, thread } = placeOf({ ...channel, parentId: channel.parent_id });
  const { ViewChannel, SendMessages, SendMessagesInThreads } =
    PermissionFlagsBits;
  const send = chat && thread ? SendMessagesInThreads : SendMessages;
  const needed = ViewChannel | send;
  return (BigInt(app_permissions) & needed) === needed;
}
