import type { ForceReply, InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { ChatAddress } from "../../../core/chat.ts";
import type { SendOptions } from "../../../core/ports.ts";
import { messageNumber } from "../moved-ids.ts";

/** The General topic of a forum is 1 to `sendChatAction`, and must be left out everywhere else. */
const generalTopic = 1;

export type Markup = Pick<SendOptions, "buttons">;

export const noPreview = {
  link_preview_options: { is_disabled: true },
} as const;

/** @param chatId Telegram's own for the chat. */
export const newMessageOptions = (address: ChatAddress, options: SendOptions, chatId: string) => ({
  ...markupOf(options),
  ...(options.replyFrom === undefined ? {} : { reply_markup: forcedReply(address) }),
  ...topicOf(address),
  ...replyTo(options, chatId !== address.chat),
  disable_notification: options.silent === true,
});

/** Telegram's limit is 8 in a row; a phone shows two whole labels side by side. */
const buttonsPerRow = 2;

/** Buttons in rows; an edit without `reply_markup` takes them away. */
export function markupOf({ buttons = [] }: Markup): {
  reply_markup?: InlineKeyboardMarkup;
} {
  if (buttons.length === 0) return {};
  const rows: InlineKeyboardMarkup["inline_keyboard"] = [];
  for (let at = 0; at < buttons.length; at += buttonsPerRow)
    rows.push(
      buttons
        .slice(at, at + buttonsPerRow)
        .map(({ label, data }) => ({ text: label, callback_data: data })),
    );
  return { reply_markup: { inline_keyboard: rows } };
}

/** In a group only for the person that the text mentions. */
const forcedReply = ({ chat }: ChatAddress): ForceReply =>
  isGroup(chat) ? { force_reply: true, selective: true } : { force_reply: true };

const isGroup = (chat: string): boolean => chat.startsWith("-");

/** Of who is to reply, whose name is in front of the text; undefined: that needs no mention. */
export function mentionOf(
  { chat }: ChatAddress,
  { replyFrom }: SendOptions,
): MessageEntity.TextMentionMessageEntity | undefined {
  const id = Number(replyFrom?.id.slice("telegram:".length));
  if (!replyFrom?.name || !isGroup(chat) || !Number.isSafeInteger(id)) return undefined;
  const user = { id, is_bot: false, first_name: replyFrom.name };
  return { type: "text_mention", offset: 0, length: replyFrom.name.length, user };
}

export function topicOf({ thread }: ChatAddress): {
  message_thread_id?: number;
} {
  const topic = Number(thread ?? generalTopic);
  return topic === generalTopic ? {} : { message_thread_id: topic };
}

function replyTo({ replyTo }: SendOptions, isMoved: boolean) {
  const number = replyTo === undefined ? undefined : messageNumber(replyTo, isMoved);
  return number === undefined
    ? {}
    : {
        reply_parameters: {
          message_id: number,
          allow_sending_without_reply: true,
        },
      };
}
