import type { ForceReply, InlineKeyboardMarkup, Message, MessageEntity } from "grammy/types";
import type { ChatAddress } from "../../../core/chat.ts";
import type { Chunk, SendOptions } from "../../../core/ports.ts";
import { decorations, type Decoration } from "../../../core/refusal.ts";
import { blocksOf, entitiesOf } from "../format/markup.ts";
import { messageNumber } from "../moved-ids.ts";

/** The General topic of a forum is 1 to `sendChatAction`, and must be left out everywhere else. */
const generalTopic = 1;

export type Markup = Pick<SendOptions, "buttons" | "without">;

export const noPreview = ({ without }: Markup) =>
  without?.has("flags") ? {} : ({ link_preview_options: { is_disabled: true } } as const);

/** Parts of a request next to its words. */
export function decorationsOf(
  address: ChatAddress,
  options: Partial<SendOptions>,
  { chunk, type }: { readonly chunk: Chunk; readonly type: "text" | "file" | "edit" },
): ReadonlySet<Decoration> {
  const { buttons = [], replyFrom, replyTo, without } = options;
  const isRich = type !== "file" && blocksOf(chunk) !== undefined && !without?.has("blocks");
  const hasEntities = entitiesOf(chunk).length > 0 || mentionOf(address, options) !== undefined;
  const has: Readonly<Record<Decoration, boolean>> = {
    file: type === "file",
    blocks: isRich,
    markup: !isRich && hasEntities,
    reply: replyTo !== undefined,
    // In a private chat all topics are that person's; another topic of a group isn't theirs.
    thread: type !== "edit" && topicOf(address) !== noTopic && !isGroup(address.chat),
    flags: true,
    buttons: buttons.length > 0 || replyFrom !== undefined,
  };
  return new Set(decorations.filter((each) => has[each] && !without?.has(each)));
}

const noTopic = {};

/** @param chatId Telegram's own for the chat. */
export const newMessageOptions = (address: ChatAddress, options: SendOptions, chatId: string) => ({
  ...markupOf(options),
  ...(options.replyFrom === undefined || options.without?.has("buttons")
    ? {}
    : { reply_markup: forcedReply(address) }),
  ...topicOf(address, options),
  ...replyTo(options, chatId !== address.chat),
  ...(options.without?.has("flags") ? {} : { disable_notification: options.silent === true }),
});

/** Telegram's limit is 8 in a row; a phone shows two whole labels side by side. */
const buttonsPerRow = 2;

/** Buttons in rows; an edit without `reply_markup` takes them away. */
export function markupOf({ buttons = [], without }: Markup): {
  reply_markup?: InlineKeyboardMarkup;
} {
  if (buttons.length === 0 || without?.has("buttons")) return {};
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
  { replyFrom }: Partial<SendOptions>,
): MessageEntity.TextMentionMessageEntity | undefined {
  const id = Number(replyFrom?.id.slice("telegram:".length));
  if (!replyFrom?.name || !isGroup(chat) || !Number.isSafeInteger(id)) return undefined;
  const user = { id, is_bot: false, first_name: replyFrom.name };
  return { type: "text_mention", offset: 0, length: replyFrom.name.length, user };
}

export function topicOf(
  { thread }: ChatAddress,
  { without }: Pick<SendOptions, "without"> = {},
): {
  message_thread_id?: number;
} {
  const topic = Number(thread ?? generalTopic);
  return topic === generalTopic || without?.has("thread") ? noTopic : { message_thread_id: topic };
}

function replyTo({ replyTo, without }: SendOptions, isMoved: boolean) {
  const number =
    replyTo === undefined || without?.has("reply") ? undefined : messageNumber(replyTo, isMoved);
  return number === undefined
    ? {}
    : {
        reply_parameters: {
          message_id: number,
          allow_sending_without_reply: true,
        },
      };
}

/**
 * Whether the message is in a thread that began before the message that it answers, such as the
 * comments below a channel's post. Outside forums the Bot API server ignores `message_thread_id`, so
 * that only a reply gets there.
 */
export function isThreadedByReply({
  chat,
  message_thread_id: thread,
  is_topic_message: inTopic = false,
  reply_to_message: answered,
}: Message): boolean {
  if (chat.type !== "supergroup" || chat.is_forum === true || inTopic || !answered) return false;
  const root = thread ?? answered.message_thread_id;
  return root !== undefined && root !== answered.message_id;
}
