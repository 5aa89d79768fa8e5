import type { Person } from "../../../core/chat.ts";
import { PermanentError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/history.ts";
import { pasteBurst } from "../../../core/gesture.ts";
import { answerFileName } from "../../../core/outbox.ts";
import type {
  InboundAttachment,
  InboundCommand,
  InboundEdit,
  InboundJoin,
  InboundMessage,
} from "../../../core/inbound.ts";
import { isForwarded, whatWasSaid, wordsOf, type OwnIdentity, type Said } from "./addressed.ts";
import type { Files } from "./files.ts";
import { mediaOf, type Media } from "./media.ts";
import type { GroupAdmins } from "./group-admins.ts";
import { personId, personOf, writerOf } from "./person.ts";
import { addressOf } from "./place.ts";
import { originOf, quoteOf } from "./quote.ts";
import type { TelegramContent, TelegramMessage } from "./update.ts";
import { shownText } from "./written-words.ts";

export interface MessageContext {
  readonly bot: OwnIdentity;
  /** The receiving process's clock. */
  readonly nowMs: number;
  readonly files: Pick<Files, "fetcher">;
  /** Absent: can't be queried. */
  readonly groupAdmins?: Pick<GroupAdmins, "has">;
}

/** The event of a message; undefined: not for the bot, or nothing that a person wrote. */
export interface Arriving {
  readonly inbound: InboundMessage | InboundCommand | InboundEdit | InboundJoin;
  /**
   * Why the message can't be read, in English; nothing else happens with it.
   */
  readonly refusal?: string;
}

/** UTF-16 units. Apps split longer texts at 4,096, so a piece this long may have a sequel. */
const pasteUnits = 4_000;

/** A new message in our words. */
export function translateMessage(
  message: TelegramMessage,
  context: MessageContext,
): Arriving | undefined {
  const arrival = arrivalOf(message, context);
  if (arrival === undefined) return undefined;
  const { bot } = context;
  const said = whatWasSaid(message, bot);
  if (said.type === "command") return { inbound: commandOf(message, { said, arrival, bot }) };
  const media = mediaOf(message);
  if (wordsOf(message) === undefined && media === undefined) return undefined;
  const own = shownText(message, said);
  const shown = media?.type === "words" ? `${media.text}\n\n${own}`.trim() : own;
  const isQuoted = said.isForwarded || media?.type === "words";
  const mayBelong = said.isForwarded === true || message.media_group_id !== undefined;
  if (media?.type === "unreadable" && !said.isAddressed && !mayBelong) return undefined;
  const quote = quoteOf(message, bot.id);
  const attachments = attachmentsOf(message, { said, media, context });
  return {
    inbound: {
      ...arrival,
      ...burstOf(message, said.text),
      ...sentAt(message),
      type: "message",
      text: said.text,
      ...(shown === said.text ? {} : { markdown: shown }),
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(quote === undefined ? {} : { quote }),
      ...answeredOwn(message, bot.id),
      ...(isQuoted ? { isForwarded: true } : {}),
      ...(said.isForwarded ? forwardedFrom(message) : {}),
      ...(said.isAddressed ? {} : { isAddressed: false }),
      ...(said.looksLikeCommand ? { looksLikeCommand: true } : {}),
    },
    // In a group, people who didn't address the bot get no notices.
    ...(media?.type === "unreadable" && said.isAddressed
      ? { refusal: media.sentenceIn(undefined, true) }
      : {}),
  };
}

/** Which of the bot's own messages it answers. */
function answeredOwn(
  { reply_to_message: replied }: TelegramMessage,
  botId: number,
): { readonly replyToId?: string } {
  const { from, message_id: id } = replied ?? {};
  return from?.id === botId && id !== undefined ? { replyToId: String(id) } : {};
}

/**
 * A message that was changed. What has no words has changed in something that we don't read; what a
 * bot wrote in a person's name, that bot changes.
 */
export function translateEdit(
  message: TelegramMessage,
  context: MessageContext,
): Arriving | undefined {
  const arrival = arrivalOf(message, context);
  const locale = wordsOf(message);
  if (arrival === undefined || locale === undefined) return undefined;
  if (isForwarded(message)) return undefined;
  const said = whatWasSaid(message, context.bot);
  const own = said.type === "text" ? said : locale;
  const markdown = shownText(message, own);
  const { text } = own;
  const { messageId } = arrival;
  const id = `e${messageId}-${message.edit_date ?? 0}`;
  return {
    inbound: { ...arrival, id, type: "edit", text, ...(markdown === text ? {} : { markdown }) },
  };
}

/**
 * Undefined: the author can't be answered, or the bot doesn't converse there.
 */
function arrivalOf(
  message: TelegramMessage,
  { bot, nowMs, groupAdmins }: Pick<MessageContext, "bot" | "nowMs" | "groupAdmins">,
) {
  const person = writerOf(message);
  const isOurs = message.via_bot?.id === bot.id;
  // Ephemeral messages have no number, so replies are impossible.
  const isNumbered = message.message_id > 0;
  if (person === undefined || isOurs || !isNumbered) return undefined;
  if (!isConversation(message)) return undefined;
  const messageId = String(message.message_id);
  return {
    // The message's id, not the update's: update ids restart at a random number
    // after a quiet week.
    id: `m${messageId}`,
    address: addressOf(message, bot),
    person,
    direct: message.chat.type === "private",
    atMs: nowMs,
    messageId,
    ...adminshipOf(message, groupAdmins),
  };
}

/** How to determine whether a person administers the group. */
export function adminshipOf(
  { chat, from }: Pick<TelegramMessage, "chat" | "from">,
  groupAdmins: MessageContext["groupAdmins"],
): Pick<InboundMessage, "isGroupAdmin"> {
  if (groupAdmins === undefined || from === undefined) return {};
  if (chat.type === "private") return {};
  return { isGroupAdmin: () => groupAdmins.has(chat.id, from.id) };
}

/**
 * Channel posts are only copied into a group; a channel's direct messages need
 * a topic kind that we don't support. The chat of a business account or of a
 * guest query merely has the same number as ours.
 */
const isConversation = ({
  chat,
  is_automatic_forward: isCopy,
  business_connection_id: business,
  guest_query_id: guestQuery,
}: TelegramMessage): boolean =>
  isCopy !== true &&
  business === undefined &&
  guestQuery === undefined &&
  chat.is_direct_messages !== true &&
  (chat.type === "private" || chat.type === "group" || chat.type === "supergroup");

function commandOf(
  message: TelegramMessage,
  {
    said: { name, argument },
    arrival,
    bot,
  }: {
    readonly said: Said & { readonly type: "command" };
    readonly arrival: NonNullable<ReturnType<typeof arrivalOf>>;
    readonly bot: OwnIdentity;
  },
): InboundCommand {
  const title = arrival.direct ? undefined : message.chat.title;
  const isAboutPeople = bot.namesPeople?.(name) === true;
  const about = isAboutPeople ? aboutOf(message) : undefined;
  return {
    ...arrival,
    type: "command",
    name,
    argument: isAboutPeople ? withIds(message, argument) : argument,
    ...(about === undefined ? {} : { about }),
    ...(title === undefined ? {} : { chatTitle: title }),
    answersItself: false,
  };
}

/**
 * The person a command is about: the author of the message it answers, or else
 * a mentioned person without a user name.
 */
function aboutOf(message: TelegramMessage): Person | undefined {
  const { reply_to_message: replied } = message;
  // The message that opened a topic is what its other messages "reply" to.
  if (replied !== undefined && replied.forum_topic_created === undefined) return writerOf(replied);
  const [mentioned] = mentionedIn(message);
  return mentioned && personOf(mentioned.user);
}

/**
 * People without a user name are mentioned by the name that others see, which says nothing about
 * who they are.
 */
function mentionedIn(message: TelegramMessage) {
  const { text, entities } = wordsOf(message) ?? { text: "", entities: [] };
  return entities.flatMap(({ type, offset, length, user }) =>
    type === "text_mention" && user !== undefined && user.is_bot !== true
      ? [{ user, words: text.slice(offset, offset + length) }]
      : [],
  );
}

const withIds = (message: TelegramMessage, argument: string): string =>
  mentionedIn(message).reduce(
    (text, { user, words }) => text.replace(words, () => personId(user.id)),
    argument,
  );

const sentAt = ({ date }: TelegramMessage): { readonly sentAtMs?: number } =>
  date === undefined ? {} : { sentAtMs: date * 1_000 };

function forwardedFrom({ forward_origin: from }: TelegramMessage): { readonly origin?: Origin } {
  const { author, authorId } = originOf(from);
  if (author === undefined) return {};
  return { origin: { name: author, ...(authorId === undefined ? {} : { authorId }) } };
}

function burstOf(message: TelegramMessage, text: string): { burst?: string } {
  if (message.media_group_id !== undefined) return { burst: message.media_group_id };
  return text.length >= pasteUnits ? { burst: pasteBurst } : {};
}

/**
 * The message's own attachment, and the one that it points at: a piece of an album does so only with
 * its words.
 */
function attachmentsOf(
  message: TelegramMessage,
  {
    said,
    media,
    context,
  }: {
    readonly said: Said & { readonly type: "text" };
    readonly media: Media | undefined;
    readonly context: MessageContext;
  },
): readonly InboundAttachment[] {
  const own = media === undefined || media.type === "words" ? [] : [attached(media, context.files)];
  const isPieceAlone = message.media_group_id !== undefined && said.text === "";
  if (!said.isAddressed || isPieceAlone) return own;
  return [...own, ...pointedAt(message, context)];
}

function pointedAt(
  { reply_to_message: replied, external_reply: external }: TelegramMessage,
  { bot, files }: MessageContext,
): readonly InboundAttachment[] {
  const media = mediaToLookAt(replied ?? external);
  if (media === undefined) return [];
  const { message_id: id, from } = replied ?? {};
  const isAnswer = from?.id === bot.id && media.file.name === answerFileName;
  return [
    {
      ...attached(media, files),
      pointedAt: {
        ...(id === undefined ? {} : { messageId: String(id) }),
        ...(isAnswer ? { isAnswer } : {}),
      },
    },
  ];
}

/** Bytes. A larger file that a message only points at is named, not fetched. */
const maxLookedAtBytes = 8 * 1_048_576;

function mediaToLookAt(content: TelegramContent | undefined) {
  const media = content && mediaOf(content);
  return media?.type === "readable" && (media.file.size ?? 0) <= maxLookedAtBytes
    ? media
    : undefined;
}

/**
 * Unreadable attachments are refused when files are fetched: after the check who may talk to the
 * bot.
 */
function attached(
  media: Exclude<Media, { type: "words" }>,
  files: Pick<Files, "fetcher">,
): InboundAttachment {
  if (media.type === "unreadable") {
    const { sentenceIn } = media;
    return {
      kind: "document",
      mediaType: "application/octet-stream",
      async fetch({ language, seesPictures }) {
        throw new PermanentError(sentenceIn(language, (await seesPictures?.()) ?? true));
      },
    };
  }
  const { fileId, ...file } = media.file;
  return { ...file, fetch: files.fetcher(fileId) };
}
