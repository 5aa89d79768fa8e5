import { MessageReferenceType, MessageType } from "discord.js";
import { isBlank } from "../../../text/blank.ts";
import type { Person } from "../../../core/chat.ts";
import type { CommandSpec } from "../../../core/ports.ts";
import type { Quote } from "../../../core/history.ts";
import { answerFileName } from "../../../core/outbox.ts";
import type {
  InboundAttachment,
  InboundCommand,
  InboundEdit,
  InboundMessage,
} from "../../../core/inbound.ts";
import { withNames } from "../format/commands.ts";
import { attachmentsOf, pointedFilesOf, takenOf } from "./attachments.ts";
import { typedAsShown } from "./command-given.ts";
import type { Commands } from "../../keyed-queue/priority.ts";
import type { FetchFile } from "./files.ts";
import type { MessagePayload } from "./payloads.ts";
import { displayName, personOf } from "./person.ts";
import type { Place } from "./place.ts";
import { quoteOf, sharedWords, unreadableQuote } from "./quote.ts";
import { madeAtMs } from "./snowflake.ts";

export interface MessageContext {
  readonly botId: string;
  readonly commands: Commands;
  readonly place: Place;
  readonly atMs: number;
  readonly fetchFile: FetchFile;
  /** It is in a thread of the bot's own: all that is written there is meant for it. */
  readonly isOwnThread?: boolean;
  /** It answers the bot's last message. */
  readonly answersLast?: boolean;
  readonly opening?: InboundMessage["opening"];
}

/** Discord's placeholder for every deleted account. */
const deletedUserId = "456226577798135808";
/** The most attachments that the ingress takes with one message. */
const maxAttachments = 10;

/**
 * Whether a message is for the bot: sent to it alone, naming it, or answering it. `unaddressed`:
 * written by a person among others, and Discord lets us read it. Bots, webhooks, the bot itself and
 * Discord's own announcements never are.
 */
export function addressing(
  message: MessagePayload,
  botId: string,
): "addressed" | "unaddressed" | "never" {
  const { author, webhook_id, type, guild_id } = message;
  if (author.bot || author.system || author.id === botId) return "never";
  if (author.id === deletedUserId) return "never";
  if (webhook_id !== undefined) return "never";
  if (type !== MessageType.Default && type !== MessageType.Reply) return "never";
  const isAddressed =
    guild_id === undefined ||
    namesBot(message, botId) ||
    message.referenced_message?.author.id === botId;
  if (isAddressed) return "addressed";
  // Without the message content intent there is nothing in it.
  const isReadable =
    !isBlank(message.content) ||
    message.attachments.length > 0 ||
    message.message_snapshots.length > 0 ||
    message.poll !== undefined;
  return isReadable ? "unaddressed" : "never";
}

export const namesBot = (message: MessagePayload, botId: string): boolean =>
  message.mentions.some(({ id }) => id === botId);

/** Pure. Undefined: it is not for the bot, and nothing of it could be taken. */
export function translateMessage(
  message: MessagePayload,
  context: MessageContext,
): InboundMessage | InboundCommand | undefined {
  const { botId, commands, fetchFile } = context;
  const text = readableText(message, botId);
  const arrival = arrivalOf(message, context);
  const isAddressed = context.isOwnThread === true || addressing(message, botId) === "addressed";
  const isForwarded = isAnothers(message);
  const shared = sharedWords(message);
  const typed = isAddressed && !isForwarded ? typedCommand(text, commands) : undefined;
  const spec = typed && commands.get(typed.name);
  if (typed && typed.name !== "ask" && spec)
    return {
      ...arrival,
      type: "command",
      ...((namesPeople(spec) ? withIds(message, context) : undefined) ?? typed),
      ...aboutOf(message),
      answersItself: false,
    };
  const [filesOf, forwardedFilesOf] = isAddressed
    ? [attachmentsOf, pointedFilesOf]
    : [takenOf, takenOf];
  const attachments = [
    ...filesOf({ ...message, content: text }, fetchFile),
    ...message.message_snapshots.flatMap((each) => forwardedFilesOf(each.message, fetchFile)),
  ];
  const answered = answeredBy(message, context, isAddressed);
  attachments.push(
    ...answered.attachments.slice(0, Math.max(0, maxAttachments - attachments.length)),
  );
  const { quote } = answered;
  const own = typed?.name === "ask" ? typed.argument : text;
  const words = [shared, own].filter((each) => !isBlank(each)).join("\n\n");
  const isWordless = isBlank(words) && attachments.length === 0;
  const isQuoted = isForwarded || !isBlank(shared);
  const isPointing = message.guild_id === undefined || namesBot(message, botId);
  if (isWordless && !isAddressed && !isPointing) return undefined;
  return {
    ...arrival,
    type: "message",
    text: words,
    ...(attachments.length === 0 ? {} : { attachments }),
    // A reply without words that does not name the bot has them, and Discord withholds them.
    ...(quote === undefined || (isWordless && !isPointing) ? {} : { quote }),
    ...(context.opening === undefined ? {} : { opening: context.opening }),
    ...answeredOwn(message, botId),
    ...(isQuoted && !isWordless ? { isForwarded: true } : {}),
    sentAtMs: madeAtMs(message.id),
    ...(isAddressed ? {} : { isAddressed: false }),
  };
}

/** Its text is not the person's own: it was forwarded, or an app wrote it in their name. */
const isAnothers = ({ application_id, message_reference: reference }: MessagePayload): boolean =>
  application_id != null || reference?.type === MessageReferenceType.Forward;

/** Its typed form is for admins, who name people in it. */
const namesPeople = ({ adminOnly, adminForms }: CommandSpec): boolean =>
  adminOnly === true || adminForms !== undefined;

/** A typed command with people's ids where they are mentioned: anyone can choose any name. */
const withIds = (message: MessagePayload, { botId, commands }: MessageContext) =>
  typedCommand(
    readableText(message, botId, ({ id }) => `discord:${id}`),
    commands,
  );

/**
 * The person a command is about: the author of the message it answers, or else
 * the mentioned person.
 */
function aboutOf(message: MessagePayload): { readonly about?: Person } {
  const answered =
    message.type === MessageType.Reply &&
    message.message_reference?.type !== MessageReferenceType.Forward
      ? message.referenced_message
      : undefined;
  if (answered && !answered.author.bot)
    return { about: personOf(answered.author, { member: undefined }) };
  const mentioned = message.mentions.find(({ bot }) => bot !== true);
  return mentioned === undefined
    ? {}
    : { about: personOf(mentioned, { member: mentioned.member }) };
}

/** Which of the bot's own messages it answers. */
function answeredOwn(
  { type, referenced_message: answered }: MessagePayload,
  botId: string,
): { readonly replyToId?: string } {
  if (type !== MessageType.Reply || answered?.author.id !== botId) return {};
  return answered.id === undefined ? {} : { replyToId: answered.id };
}

/**
 * Pure. The text of a message after its author has edited it. Undefined: not
 * edited.
 */
export function translateEdit(
  message: MessagePayload,
  context: Pick<MessageContext, "botId" | "place" | "atMs">,
): InboundEdit | undefined {
  const editedAtMs = Date.parse(message.edited_timestamp ?? "");
  if (!Number.isFinite(editedAtMs) || isAnothers(message)) return undefined;
  const text = readableText(message, context.botId);
  const typed = typedCommand(text, new Map());
  return {
    ...arrivalOf(message, context),
    type: "edit",
    // The same edit is repeated with a preview, a pin or a thread.
    id: `e${message.id}-${editedAtMs}`,
    messageId: message.id,
    text: typed?.name === "ask" ? typed.argument : text,
  };
}

/** The same whenever a message is delivered. */
export const eventIdOf = ({ id }: Pick<MessagePayload, "id">): string => `m${id}`;

const arrivalOf = (
  message: MessagePayload,
  { botId, place, atMs }: Pick<MessageContext, "botId" | "place" | "atMs">,
) =>
  ({
    id: eventIdOf(message),
    messageId: message.id,
    address: { platform: "discord", bot: botId, ...place },
    ...(message.guild_id === undefined ? {} : { guild: message.guild_id }),
    person: personOf(message.author, { member: message.member }),
    direct: message.guild_id === undefined,
    atMs,
  }) as const;

/** The message that it answers, as far as that says more than the conversation does. */
function answeredBy(
  message: MessagePayload,
  { botId, fetchFile, answersLast = false }: MessageContext,
  isAddressed: boolean,
): {
  readonly quote?: Quote;
  readonly attachments: readonly InboundAttachment[];
} {
  const answered = message.referenced_message;
  const isReply =
    message.type === MessageType.Reply &&
    message.message_reference?.type !== MessageReferenceType.Forward;
  // Left out by Discord, and not to be had when it was asked for.
  if (isReply && answered === undefined && isAddressed)
    return { quote: unreadableQuote, attachments: [] };
  if (!isReply || !answered || answersLast) return { attachments: [] };
  const quote = quoteOf(answered, botId);
  const isOwn = answered.author.id === botId;
  const contents = [answered, ...answered.message_snapshots.map((each) => each.message)];
  const files = contents.flatMap((each) => takenOf(each, fetchFile));
  const attachments = files.map((file) => ({
    ...file,
    pointedAt: {
      ...(answered.id === undefined ? {} : { messageId: answered.id }),
      ...(isOwn && file.name === answerFileName ? { isAnswer: true as const } : {}),
    },
  }));
  return { ...(quote === undefined ? {} : { quote }), attachments };
}

/** Without the mention that called the bot, and with people's names instead of their numbers. */
function readableText(
  message: MessagePayload,
  botId: string,
  nameOf: (user: MessagePayload["mentions"][number]) => string = (user) =>
    `@${displayName(user, user.member)}`,
): string {
  const leading = new RegExp(`^\\s*(?:<@!?${botId}>[\\s,:]*)+`);
  const names = new Map(message.mentions.map((user) => [user.id, nameOf(user)]));
  return withoutLastMentions(withNames(message.content).replace(leading, ""), botId)
    .replace(/<@!?(\d+)>/g, (raw, id: string) => {
      const name = names.get(id);
      return name ?? raw;
    })
    .trim();
}

/** Step by step from the end: a pattern would search after every blank of a long message. */
function withoutLastMentions(text: string, botId: string): string {
  const mentions = [`<@${botId}>`, `<@!${botId}>`];
  let left = text.trimEnd();
  for (;;) {
    const last = mentions.find((mention) => left.endsWith(mention));
    if (last === undefined) return left;
    left = left.slice(0, -last.length).trimEnd();
  }
}

/** Typed as everywhere (`/allow here`), or as Discord shows it (`/admin allow place:here`). */
function typedCommand(
  text: string,
  commands: Commands,
): { readonly name: string; readonly argument: string } | undefined {
  const match = /^\/([A-Za-z0-9_]{1,32})(?:\s+([\s\S]*))?$/.exec(text);
  if (!match?.[1]) return undefined;
  const typed = { name: match[1].toLowerCase(), argument: (match[2] ?? "").trim() };
  return typedAsShown(typed, commands) ?? typed;
}

/** Whether it is typed as one of the bot's commands. */
export const isTypedCommand = (
  message: MessagePayload,
  { botId, commands }: Pick<MessageContext, "botId" | "commands">,
): boolean => {
  if (isAnothers(message)) return false;
  const typed = typedCommand(readableText(message, botId), commands);
  return typed !== undefined && commands.has(typed.name);
};

/** The first words of a question, as a title. Blank: it has none. */
export const titleOf = (message: MessagePayload, botId: string): string =>
  readableText(message, botId)
    .replace(/^\/ask\s+/i, "")
    .replace(/\s+/g, " ");
