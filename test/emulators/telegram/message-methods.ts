import type { Message } from "@grammyjs/types";
import { isDeepStrictEqual } from "node:util";
import { badRequest, notModified } from "./api-error.ts";
import type { StoredMessage } from "./chat-state.ts";
import { addMessage, editMessage } from "./message-store.ts";
import {
  type Method,
  type MethodContext,
  openChat,
  openChatForWriting,
  readReplyTo,
  readText,
  readThread,
  watched,
} from "./method-context.ts";
import { booleanField, integerField, jsonField, textField } from "./parameters.ts";
import { readReplyMarkup } from "./reply-markup.ts";
import { readRichMessage, richFields } from "./rich-messages.ts";

const sendMessage: Method = (context) => {
  const { world, call } = context;
  const { text, entities } = readText(context, "text");
  const replyMarkup = watched(context, "bad-buttons", () => readReplyMarkup(call.payload));
  const state = openChatForWriting(context);
  const message = addMessage(world, state, {
    from: botUser(context),
    text,
    entities,
    content: {
      text,
      ...(entities.length > 0 ? { entities: [...entities] } : {}),
    },
    threadId: readThread(context, state),
    replyTo: readReplyTo(context, state),
    replyMarkup,
    disableNotification: booleanField(call.payload, "disable_notification"),
    callId: call.id,
  });
  return message.raw;
};

/** https://core.telegram.org/bots/api#sendrichmessage */
const sendRichMessage: Method = (context) => {
  const { world, call } = context;
  const rich = watched(context, "bad-rich", () => readRichMessage(call.payload) ?? noRichMessage());
  const replyMarkup = watched(context, "bad-buttons", () => readReplyMarkup(call.payload));
  const state = openChatForWriting(context);
  const message = addMessage(world, state, {
    from: botUser(context),
    text: rich.text,
    entities: [],
    content: richFields(rich),
    threadId: readThread(context, state),
    replyTo: readReplyTo(context, state),
    replyMarkup,
    disableNotification: booleanField(call.payload, "disable_notification"),
    callId: call.id,
  });
  return message.raw;
};

const noRichMessage = (): never => {
  throw badRequest("rich message must be specified");
};

/** Without `reply_markup` an edit of the text takes the buttons away. */
const editMessageText: Method = (context) => {
  const { payload } = context.call;
  const rich = watched(context, "bad-rich", () => readRichMessage(payload));
  if (rich !== undefined && payload["text"] !== undefined)
    throw badRequest("text and rich message can't be used together");
  const { text, entities } = rich ? { text: rich.text, entities: [] } : readText(context, "text");
  const message = editTarget(context);
  if (message.file !== undefined) throw badRequest("there is no text in the message to edit");
  return applyEdit(context, message, {
    text,
    entities,
    rich: rich && richFields(rich),
  });
};

const editMessageCaption: Method = (context) => {
  const { text, entities } = readText(context, "caption");
  const message = editTarget(context);
  if (message.file === undefined) throw badRequest("there is no caption in the message to edit");
  return applyEdit(context, message, { text, entities });
};

const editMessageReplyMarkup: Method = (context) =>
  applyEdit(context, editTarget(context), undefined);

function applyEdit(
  context: MethodContext,
  message: StoredMessage,
  content:
    | (Pick<StoredMessage, "text" | "entities"> & {
        readonly rich?: Partial<Message> | undefined;
      })
    | undefined,
): unknown {
  const { world, call } = context;
  const replyMarkup = watched(context, "bad-buttons", () => readReplyMarkup(call.payload));
  const unchanged =
    isDeepStrictEqual(replyMarkup, message.replyMarkup) &&
    (content === undefined ||
      (content.text === message.text &&
        isDeepStrictEqual(content.rich?.rich_message, message.raw.rich_message) &&
        isDeepStrictEqual([...content.entities], [...message.entities])));
  if (unchanged) {
    const last = world.calls.find(({ id }) => id === message.lastCallId);
    // Who never learned of its last edit has to repeat it; anyone else knows that nothing changed.
    if (last?.outcome !== "dropped")
      world.violate(
        "edit-unchanged",
        call.method,
        `message ${message.messageId} of chat ${message.chatId}: ${JSON.stringify(message.text.slice(0, 80))}`,
      );
    throw notModified();
  }
  editMessage(world, message, { ...content, replyMarkup, callId: call.id });
  return message.raw;
}

function editTarget(context: MethodContext): StoredMessage {
  const { payload } = context.call;
  if (payload["inline_message_id"] !== undefined) throw badRequest("MESSAGE_ID_INVALID");
  const state = openChatForWriting(context);
  const messageId = integerField(payload, "message_id");
  if (messageId === undefined) throw badRequest("message identifier is not specified");
  const message = state.messages.get(messageId);
  if (message === undefined) throw badRequest("message to edit not found");
  if (!message.fromBot) throw badRequest("message can't be edited");
  return message;
}

const deleteMessage: Method = (context) => {
  const state = openChat(context);
  const messageId = integerField(context.call.payload, "message_id");
  if (messageId === undefined) throw badRequest("message identifier is not specified");
  const message = state.messages.get(messageId);
  if (message === undefined) throw badRequest("message to delete not found");
  const mayDelete =
    message.fromBot || state.chat.type === "private" || state.botStatus === "administrator";
  if (!mayDelete) throw badRequest("message can't be deleted");
  state.messages.delete(messageId);
  context.world.changed();
  return true;
};

const deleteMessages: Method = (context) => {
  const state = openChat(context);
  const ids = jsonField(context.call.payload, "message_ids", "message_ids");
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > 100)
    throw badRequest("message identifiers are not specified");
  for (const id of ids) state.messages.delete(Number(id));
  context.world.changed();
  return true;
};

/**
 * https://core.telegram.org/bots/api#sendmessagedraft: private chats only, 0–4096 units, gone after
 * 30 s.
 */
const sendMessageDraft: Method = (context) => {
  const { world, call } = context;
  const state = openChatForWriting(context);
  if (state.chat.type !== "private") throw badRequest("TEXTDRAFT_PEER_INVALID");
  readThread(context, state);
  const draftId = integerField(call.payload, "draft_id") ?? 0;
  if (draftId === 0) throw badRequest("draft_id must be non-zero");
  const empty = (call.payload["text"] ?? "") === "";
  const text = empty ? "" : readText(context, "text").text;
  const canStop = booleanField(call.payload, "can_stop");
  state.drafts.push({ draftId, text, canStop, atMs: Date.now() });
  world.changed();
  return true;
};

const chatActions = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
]);

const sendChatAction: Method = (context) => {
  const state = openChat(context);
  const action = textField(context.call.payload, "action");
  if (!chatActions.has(action)) throw badRequest("wrong parameter action in request");
  const threadId = readThread(context, state, true);
  state.actions.push({ action, threadId, atMs: Date.now() });
  context.world.changed();
  return true;
};

/** The bot as it appears in messages: without the flags that only getMe shows. */
export function botUser({ world }: Pick<MethodContext, "world">) {
  const { id, is_bot, first_name, username } = world.bot;
  return { id, is_bot, first_name, username };
}

export const messageMethods: Readonly<Record<string, Method>> = {
  sendMessage,
  sendRichMessage,
  editMessageText,
  editMessageCaption,
  editMessageReplyMarkup,
  deleteMessage,
  deleteMessages,
  sendMessageDraft,
  sendChatAction,
};
