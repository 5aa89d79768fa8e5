import type { Inbound } from "../../../core/inbound.ts";
import type { MessageDeps } from "./deps.ts";
import type { HeldEvent } from "./held.ts";
import type { MessagePayload } from "./payloads.ts";
import type { Where } from "./places.ts";
import { addressing, translateEdit, translateMessage } from "./translate-message.ts";

/**
 * Older edits aren't answered: Discord repeats them with a pin or a preview.
 */
const editedWithinMs = 15 * 60_000;

export interface Waiting extends HeldEvent {
  readonly message: MessagePayload;
  readonly atMs: number;
}

export interface Received extends Waiting {
  /** Undefined: nothing of it is for the bot. */
  readonly translate: (message: MessagePayload, where: Where) => Inbound | undefined;
  /** Whether it may be answered in a new thread. */
  readonly isNew: boolean;
  /** The message that it answers has to be asked for. */
  readonly isPart: boolean;
}

export type ReadMessage = (deps: MessageDeps, message: MessagePayload) => Received | undefined;

/** With the message that it answers, where Discord has left that out. Never rejects. */
export const whole = async ({ references }: MessageDeps, received: Received): Promise<Received> =>
  received.isPart
    ? { ...received, message: await references.withAnswered(received.message) }
    : received;

/** A new message. */
export function received(deps: MessageDeps, message: MessagePayload): Received | undefined {
  const { botId, commands, fetchFile, ownWords, references, now } = deps;
  const { channel_id: channel, guild_id: guildId, id: messageId } = message;
  ownWords.saw(channel, message.id, message.author.id === botId);
  const whose = addressing(message, botId);
  if (whose === "never") return undefined;
  const held = whose === "addressed" ? deps.held : deps.chatter;
  const atMs = now();
  const isLast = ({ referenced_message: answered }: MessagePayload): boolean =>
    answered?.id !== undefined && ownWords.isLast(channel, answered.id);
  const answersLast = isLast(message);
  return {
    ...held.hold(),
    message,
    atMs,
    isNew: true,
    isPart: whose === "addressed" && references.lacksAnswered(message),
    translate(read, { place, ownerId }) {
      return translateMessage(read, {
        botId,
        commands,
        fetchFile,
        place,
        atMs,
        answersLast: read === message ? answersLast : isLast(read),
        isOwnThread: ownerId === botId,
        ...references.opening({ place, guildId, messageId }),
      });
    },
  };
}

/** An edited message. */
export function edited(
  { botId, chatter, now }: MessageDeps,
  message: MessagePayload,
): Received | undefined {
  if (addressing(message, botId) === "never") return undefined;
  const atMs = now();
  const editedAtMs = Date.parse(message.edited_timestamp ?? "");
  if (!(atMs - editedAtMs < editedWithinMs)) return undefined;
  return {
    ...chatter.hold(),
    message,
    atMs,
    isNew: false,
    isPart: false,
    translate: (read, { place }) => translateEdit(read, { botId, atMs, place }),
  };
}
