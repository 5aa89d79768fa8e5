import type { WrittenText } from "./entity-layout.ts";
import type { TelegramContent, TelegramEntity, TelegramMessage } from "./update.ts";

/** The bot, as others call it. */
export interface OwnIdentity {
  readonly id: number;
  readonly username: string;
  /** Whether it has a command of that name. */
  readonly hasCommand: (name: string) => boolean;
  /**
   * Whether its arguments name people: then people without a user name are
   * named by their id.
   */
  readonly namesPeople?: (name: string) => boolean;
}

/** A message that the bot could read. */
export type Said =
  | {
      readonly type: "text";
      /** Empty where they said nothing, but perhaps sent something. */
      readonly text: string;
      /** Those of that text. */
      readonly entities: readonly TelegramEntity[];
      /** Whether it is meant for the bot. */
      readonly isAddressed: boolean;
      /**
       * Written by another person: shown to the model as a quotation, and never
       * a command or a decision.
       */
      readonly isForwarded?: true;
      /** It names no bot, and may be a command for another one. */
      readonly looksLikeCommand?: true;
    }
  | {
      readonly type: "command";
      readonly name: string;
      readonly argument: string;
    };

/**
 * A bot that writes in a person's name says something they chose at most from a list: it is as if
 * they forwarded it.
 */
export const isForwarded = (message: TelegramMessage): boolean =>
  message.forward_origin !== undefined ||
  message.via_bot !== undefined ||
  message.sender_business_bot !== undefined;

/** A forward is shown to the bot, never an order. */
export function whatWasSaid(message: TelegramMessage, bot: OwnIdentity): Said {
  const locale = wordsOf(message) ?? { text: "", entities: [] };
  const isDirect = message.chat.type === "private";
  if (isForwarded(message))
    return {
      type: "text",
      ...locale,
      // A forwarded reply is no choice of this person.
      isAddressed: isDirect || isReplyTo(message, bot),
      isForwarded: true,
    };
  const mentions = locale.entities.filter((each) => isMention(each, locale.text, bot));
  const own = withoutOuterMentions(locale, mentions);
  const { text } = own;
  const isAddressed = isDirect || mentions.length > 0 || isReplyTo(message, bot);
  const command = asCommand(text, bot, isAddressed);
  if (command !== undefined) return command;
  const isAnothers = !isAddressed && commandShape.test(text);
  return { type: "text", ...own, isAddressed, ...(isAnothers ? { looksLikeCommand: true } : {}) };
}

/** Text or caption. */
export function wordsOf(message: TelegramContent): WrittenText | undefined {
  const { text, entities, caption, caption_entities: captionEntities } = message;
  if (text !== undefined) return { text, entities: entities ?? [] };
  if (caption !== undefined) return { text: caption, entities: captionEntities ?? [] };
  return undefined;
}

function isMention(entity: TelegramEntity, text: string, bot: OwnIdentity): boolean {
  const { offset, length } = entity;
  if (offset < 0 || offset + length > text.length) return false;
  if (entity.type === "text_mention") return entity.user?.id === bot.id;
  const words = text.slice(offset, offset + length);
  return entity.type === "mention" && words.toLowerCase() === `@${bot.username.toLowerCase()}`;
}

/** The message that opened a topic is what its other messages "reply" to. */
const isReplyTo = ({ reply_to_message: target }: TelegramMessage, bot: OwnIdentity): boolean =>
  target?.from?.id === bot.id && target.forum_topic_created === undefined;

/**
 * Mentions at either end are removed, with the comma after them; within a sentence they are part of
 * it.
 */
function withoutOuterMentions(
  { text, entities }: WrittenText,
  mentions: readonly TelegramEntity[],
): WrittenText {
  let start = 0;
  let end = text.length;
  for (const { offset, length } of mentions)
    if (text.slice(start, offset).trim() === "") {
      start = offset + length;
      start += /^\s*[,:]?/.exec(text.slice(start))?.[0].length ?? 0;
    }
  for (const { offset, length } of mentions.toReversed())
    if (offset >= start && text.slice(offset + length, end).trim() === "") end = offset;
  const part = text.slice(start, end);
  if (part.trim() === text) return { text, entities };
  const from = start + part.length - part.trimStart().length;
  return partOf({ text, entities }, from, from + part.trim().length);
}

/** A part of a text, with the entities that reach into it. */
export function partOf({ text, entities }: WrittenText, start: number, end: number): WrittenText {
  return {
    text: text.slice(start, end),
    entities: entities.flatMap((entity) => {
      const from = Math.max(entity.offset, start);
      const to = Math.min(entity.offset + entity.length, end);
      return from < to ? [{ ...entity, offset: from - start, length: to - from }] : [];
    }),
  };
}

const commandShape = /^\/([a-z0-9_]{1,32})(?:@([a-z0-9_]+))?(?:\s+([^]*))?$/i;

/**
 * `/name`, `/name@bot` or `/name words`. In a group a bare name counts only if
 * it is one of this bot's, because other bots receive it as well; in a private chat,
 * and with our name, any name counts, so that unknown commands get an answer.
 */
function asCommand(text: string, bot: OwnIdentity, isAsked: boolean): Said | undefined {
  const match = commandShape.exec(text);
  if (match === null) return undefined;
  const [, word = "", target, argument = ""] = match;
  const name = word.toLowerCase();
  const isOurs = target?.toLowerCase() === bot.username.toLowerCase();
  const isForUs = target === undefined ? isAsked || bot.hasCommand(name) : isOurs;
  return isForUs ? { type: "command", name, argument: argument.trim() } : undefined;
}
