import { InteractionContextType, PermissionFlagsBits } from "discord.js";
import { userInstallChat } from "../../../core/chat.ts";
import type { Commands } from "../../keyed-queue/priority.ts";
import { isUserInstall } from "../user-installs.ts";
import type { FetchFile } from "./files.ts";
import type { InteractionPayload } from "./payloads.ts";
import { personOf } from "./person.ts";
import { placeOf } from "./place.ts";
import type { PointedMessages } from "./pointed-messages.ts";
import type { References } from "./references.ts";

export interface InteractionContext {
  readonly botId: string;
  readonly commands: Commands;
  readonly atMs: number;
  readonly fetchFile: FetchFile;
  readonly pointed: Pick<PointedMessages, "recall">;
  readonly references: Pick<References, "opening">;
}

const { ViewChannel, SendMessages, SendMessagesInThreads, Administrator, ManageGuild } =
  PermissionFlagsBits;

/** Who did it, and where. Undefined: no person. */
export function arrivalOf(
  interaction: InteractionPayload,
  { botId, atMs }: Pick<InteractionContext, "botId" | "atMs">,
) {
  const { id, channel, member, locale, guild_id } = interaction;
  const user = member?.user ?? interaction.user;
  if (!user) return undefined;
  const person = personOf(user, { member, locale });
  const place = placeOf({ ...channel, parentId: channel.parent_id });
  const guild = guild_id === undefined ? {} : { guild: guild_id };
  // Neither a group nor a direct chat: no one else sees it, and nothing can be
  // sent there later. Its server and channel may still be banned.
  if (isUserInstall(interaction))
    return {
      id: `i${id}`,
      address: {
        platform: "discord",
        bot: botId,
        chat: userInstallChat(user.id, interaction.channel_id),
      },
      ...guild,
      ...(place.thread === undefined ? {} : { threadOf: place.chat }),
      person,
      direct: false,
      atMs,
    } as const;
  return {
    id: `i${id}`,
    address: { platform: "discord", bot: botId, ...place },
    ...guild,
    person,
    direct: guild_id === undefined && interaction.context !== InteractionContextType.PrivateChannel,
    atMs,
    ...(administers(member) ? { isGroupAdmin } : {}),
  } as const;
}

/** How the thread began in which an interaction asks; none where the bot has not joined. */
export const openingFor = (
  interaction: InteractionPayload,
  { references }: Pick<InteractionContext, "references">,
) =>
  isUserInstall(interaction)
    ? {}
    : references.opening({
        place: placeOf({ ...interaction.channel, parentId: interaction.channel.parent_id }),
        guildId: interaction.guild_id,
      });

const isGroupAdmin = () => Promise.resolve(true);

/**
 * An administrator, or a manager of the server. Only interactions contain this,
 * messages don't.
 */
function administers(member: InteractionPayload["member"]): boolean {
  const has = BigInt(member?.permissions ?? 0);
  return (has & (Administrator | ManageGuild)) !== 0n;
}

/**
 * The reply is an ordinary message; a slash command works even where the bot
 * can't write one. A direct message needs no permissions, and Discord sends
 * neither of the first two there (docs: Interaction Structure).
 */
export function may(interaction: InteractionPayload, besides = 0n): boolean {
  const { app_permissions, channel, guild_id } = interaction;
  if (app_permissions === undefined || guild_id === undefined) return true;
  // Replies there use the interaction's webhook.
  if (isUserInstall(interaction)) return true;
  const { chat, thread } = placeOf({ ...channel, parentId: channel.parent_id });
  const send = chat && thread ? SendMessagesInThreads : SendMessages;
  const needed = ViewChannel | send | besides;
  return (BigInt(app_permissions) & needed) === needed;
}
