import { MessageType } from "discord.js";
import type { InboundCommand, InboundMessage } from "../../../core/inbound.ts";
import type { Commands } from "./commands.ts";
import type { MessagePayload } from "./payloads.ts";
import { displayName, personOf } from "./person.ts";
import type { Place } from "./place.ts";

export interface MessageContext {
  readonly botId: string;
  readonly commands: Commands;
  readonly place: Place;
  readonly atMs: number;
}

/**
 * Whether a message is for the bot: sent to it alone, naming it, or answering it. Bots, webhooks, the bot itself and
 * Discord's own announcements never are.
 */
export function isForBot(message: MessagePayload, botId: string): boolean {
  const { author, webhook_id, type, guild_id } = message;
  if (author.bot || author.id === botId || webhook_id !== undefined)
    return false;
  if (type !== MessageType.Default && type !== MessageType.Reply) return false;
  return (
    guild_id === undefined ||
    message.mentions.some(({ id }) => id === botId) ||
    message.referenced_message?.author.id === botId
  );
}

/** Pure. The message must be for the bot. */
export function translateMessage(
  message: MessagePayload,
  { botId, commands, place, atMs }: MessageContext,
): InboundMessage | InboundCommand {
  const text = readableText(message, botId);
  const arrival = {
    id: `m${message.id}`,
    messageId: message.id,
    address: { platform: "discord", bot: botId, ...place },
    person: personOf(message.author, { member: message.member }),
    direct: message.guild_id === undefined,
    atMs,
  } as const;
  const typed = typedCommand(text);
  if (typed?.name === "ask")
    return { ...arrival, type: "message", text: typed.argument };
  if (typed && commands.has(typed.name))
    return { ...arrival, type: "command", ...typed, answersItself: false };
  return { ...arrival, type: "message", text };
}

/** Without the mention that called the bot, and with people's names instead of their numbers. */
function readableText(message: MessagePayload, botId: string): string {
  const mention = `<@!?${botId}>`;
  const names = new Map(
    message.mentions.map((user) => [user.id, displayName(user, user.member)]),
  );
  return message.content
    .replace(new RegExp(`^\\s*(?:${mention}[\\s,:]*)+`), "")
    .replace(new RegExp(`(?:\\s*${mention})+\\s*$`), "")
    .replace(/<@!?(\d+)>/g, (raw, id: string) => {
      const name = names.get(id);
      return name === undefined ? raw : `@${name}`;
    })
    .trim();
}

function typedCommand(
  text: string,
): { readonly name: string; readonly argument: string } | undefined {
  const match = /^\/([A-Za-z0-9_]{1,32})(?:\s+([\s\S]*))?$/.exec(text);
  if (!match?.[1]) return undefined;
  return { name: match[1].toLowerCase(), argument: (match[2] ?? "").trim() };
}
