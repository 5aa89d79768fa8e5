import { InteractionContextType, PermissionFlagsBits } from "discord.js";
import type { Commands } from "./commands.ts";
import type { FetchFile } from "./files.ts";
import type { InteractionPayload, OptionPayload } from "./payloads.ts";
import { personOf } from "./person.ts";
import { placeOf } from "./place.ts";
import type { PointedMessages } from "./pointed-messages.ts";

export interface InteractionContext {
  readonly botId: string;
  readonly commands: Commands;
  readonly atMs: number;
  readonly fetchFile: FetchFile;
  readonly pointed: Pick<PointedMessages, "recall">;
}

const { ViewChannel, SendMessages, SendMessagesInThreads } =
  PermissionFlagsBits;

/** Who did it, and where. Undefined: nobody. */
export function arrivalOf(
  interaction: InteractionPayload,
  { botId, atMs }: Pick<InteractionContext, "botId" | "atMs">,
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

/** The options by name, without sub-commands. */
export const valuesOf = (
  given: readonly OptionPayload[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    given
      .filter(({ value }) => value !== undefined)
      .map(({ name, value }) => [name, String(value)]),
  );

/**
 * What comes of it is an ordinary message; a slash command works even where the bot can't write one. In a direct message
 * there is nothing that it must be allowed, and Discord names neither of the first two (docs: Interaction Structure).
 */
export function may(
  { app_permissions, channel, guild_id }: InteractionPayload,
  besides = 0n,
): boolean {
  if (app_permissions === undefined || guild_id === undefined) return true;
  const { chat, thread } = placeOf({ ...channel, parentId: channel.parent_id });
  const send = chat && thread ? SendMessagesInThreads : SendMessages;
  const needed = ViewChannel | send | besides;
  return (BigInt(app_permissions) & needed) === needed;
}
