import type { InlineKeyboardMarkup, Message, MessageEntity, User } from "@grammyjs/types";
import { type ChatState, isForum, type StoredFile, type StoredMessage } from "./chat-state.ts";
import { unixSeconds, type World } from "./world.ts";

export interface NewMessage {
  readonly from: User;
  readonly text: string;
  readonly entities: readonly MessageEntity[];
  /** The fields of its kind: `text`, `photo`, `new_chat_members`, … */
  readonly content: Partial<Message>;
  readonly replyTo?: StoredMessage | undefined;
  readonly threadId?: number | undefined;
  readonly replyMarkup?: InlineKeyboardMarkup | undefined;
  readonly disableNotification?: boolean;
  readonly file?: StoredFile | undefined;
  readonly callId?: number;
}

/**
 * Stores a message and builds its Bot API object. It tells no one: pushing an update is the
 * caller's choice.
 */
export function addMessage(world: World, state: ChatState, message: NewMessage): StoredMessage {
  const messageId = world.nextMessageId(state);
  const stored: StoredMessage = {
    messageId,
    chatId: state.id,
    from: message.from,
    fromBot: message.from.id === world.bot.id,
    text: message.text,
    entities: message.entities,
    replyMarkup: message.replyMarkup,
    replyTo: message.replyTo?.messageId,
    threadId: message.threadId,
    disableNotification: message.disableNotification ?? false,
    editCount: 0,
    history: [{ text: message.text, atMs: Date.now() }],
    file: message.file,
    raw: rawMessage(state, messageId, message),
    lastCallId: message.callId,
  };
  state.messages.set(messageId, stored);
  world.changed();
  return stored;
}

function rawMessage(state: ChatState, messageId: number, message: NewMessage): Message {
  const { threadId, replyTo, replyMarkup } = message;
  // In a forum a message that is no reply still carries the topic's service message as the one it
  // replies to.
  const target =
    replyTo ??
    (isForum(state) && threadId !== undefined ? state.messages.get(threadId) : undefined);
  const raw = {
    message_id: messageId,
    from: message.from,
    chat: state.chat,
    date: unixSeconds(),
    ...threadFields(state, threadId, replyTo),
    ...(target === undefined ? {} : { reply_to_message: asReply(target) }),
    ...message.content,
    ...(replyMarkup === undefined ? {} : { reply_markup: replyMarkup }),
  };
  return raw as Message;
}

/** Supergroups without topics number their reply threads too, without `is_topic_message`. */
function threadFields(
  state: ChatState,
  threadId: number | undefined,
  replyTo: StoredMessage | undefined,
): Partial<Message> {
  if (state.chat.type === "private") return topicFields(threadId);
  if (state.chat.type !== "supergroup") return {};
  if (isForum(state)) return topicFields(threadId);
  if (replyTo === undefined) return {};
  return {
    message_thread_id: replyTo.raw.message_thread_id ?? replyTo.messageId,
  };
}

const topicFields = (threadId: number | undefined): Partial<Message> =>
  threadId === undefined ? {} : { message_thread_id: threadId, is_topic_message: true };

function asReply(target: StoredMessage): Message {
  const { reply_to_message: _dropped, ...rest } = target.raw;
  return rest;
}

/** Puts new content into a message; `undefined` text leaves it alone. */
export function editMessage(
  world: World,
  message: StoredMessage,
  change: {
    readonly text?: string;
    readonly entities?: readonly MessageEntity[];
    /** It is a rich message from now on. */
    readonly rich?: Partial<Message> | undefined;
    readonly replyMarkup?: InlineKeyboardMarkup | undefined;
    readonly callId?: number;
  },
): void {
  const { text, entities = [], rich, replyMarkup, callId } = change;
  const { reply_markup: _dropped, ...rest } = message.raw;
  message.raw = { ...rest, edit_date: unixSeconds() };
  if (text !== undefined)
    for (const field of ["text", "entities", "rich_message"] as const) delete message.raw[field];
  if (replyMarkup !== undefined) message.raw.reply_markup = replyMarkup;
  if (text !== undefined) {
    message.text = text;
    message.entities = entities;
    message.history.push({ text, atMs: Date.now() });
    Object.assign(message.raw, rich ?? textFields(message, text, entities));
  }
  message.replyMarkup = replyMarkup;
  message.editCount += 1;
  message.lastCallId = callId;
  world.changed();
}

function textFields(
  message: StoredMessage,
  text: string,
  entities: readonly MessageEntity[],
): Partial<Message> {
  return message.file === undefined
    ? { text, entities: [...entities] }
    : { caption: text, caption_entities: [...entities] };
}
