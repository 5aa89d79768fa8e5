import type { ChatAddress } from "../../../core/chat.ts";
import { PermanentError } from "../../../core/errors.ts";
import { pasteBurst } from "../../../core/history.ts";
import type {
  InboundCommand,
  InboundMessage,
  InboundTap,
} from "../../../core/inbound.ts";
import { addressedToBot, type OwnIdentity } from "./addressed.ts";
import { personOf, writerOf } from "./person.ts";
import {
  type TelegramMessage,
  type TelegramTap,
  updateSchema,
} from "./update.ts";

export type Translation =
  | {
      readonly type: "arrival";
      readonly inbound: InboundMessage | InboundCommand;
    }
  | {
      readonly type: "tap";
      readonly queryId: string;
      readonly inbound: InboundTap;
      /** The message really has the button: a modified client can claim any. */
      readonly isReal: boolean;
    }
  /** A button that leads nowhere: its query still wants an answer. */
  | { readonly type: "stray-tap"; readonly queryId: string }
  /** Somebody sent the bot something without words. */
  | {
      readonly type: "wordless";
      readonly address: ChatAddress;
      readonly messageId: string;
    }
  /** Not for us, or nothing that anybody said. */
  | { readonly type: "nothing" };

/** UTF-16 units. Apps split longer texts at 4,096, so a piece this long may have a sequel. */
const pasteUnits = 4_000;

/** What people send that has no words of its own. Service messages are not among it. */
const wordlessKinds = [
  "animation",
  "audio",
  "checklist",
  "contact",
  "dice",
  "document",
  "game",
  "live_photo",
  "location",
  "paid_media",
  "photo",
  "poll",
  "rich_message",
  "sticker",
  "story",
  "venue",
  "video",
  "video_note",
  "voice",
] as const;

const nothing: Translation = { type: "nothing" };

/**
 * A Bot API update in our words. `nowMs` is the receiving process's clock.
 * @throws PermanentError when it is no update; the error tells where, not what was there.
 */
export function translate(
  update: unknown,
  bot: OwnIdentity,
  nowMs: number,
): Translation {
  const parsed = updateSchema.safeParse(update);
  if (!parsed.success) {
    const paths = parsed.error.issues.map(({ path }) => path.join("."));
    throw new PermanentError(`unexpected shape at ${paths.join(", ")}`);
  }
  const { message, callback_query: tap } = parsed.data;
  if (tap !== undefined) return translateTap(tap, bot, nowMs);
  return message === undefined
    ? nothing
    : translateMessage(message, bot, nowMs);
}

function translateMessage(
  message: TelegramMessage,
  bot: OwnIdentity,
  nowMs: number,
): Translation {
  const { chat } = message;
  const person = writerOf(message);
  if (person === undefined || !isConversation(message)) return nothing;
  const direct = chat.type === "private";
  const address = addressOf(message, bot);
  const messageId = String(message.message_id);
  const said = addressedToBot(message, bot);
  if (said === undefined) {
    const isWordless = wordlessKinds.some(
      (kind) => message[kind] !== undefined,
    );
    return direct && isWordless && message.caption === undefined
      ? { type: "wordless", address, messageId }
      : nothing;
  }
  const arrival = {
    // The message's id, not the update's: those begin anew at a random number after a quiet week.
    id: `m${messageId}`,
    address,
    person,
    direct,
    atMs: nowMs,
    messageId,
  };
  if (said.type === "command") {
    const { name, argument } = said;
    const title = direct ? undefined : chat.title;
    const command = {
      name,
      argument,
      ...(title === undefined ? {} : { chatTitle: title }),
      answersItself: false,
    };
    return {
      type: "arrival",
      inbound: { ...arrival, ...command, type: "command" },
    };
  }
  const burst = burstOf(message, said.text);
  const inbound = {
    ...arrival,
    ...burst,
    type: "message",
    text: said.text,
  } as const;
  return { type: "arrival", inbound };
}

/** Channels only copy their posts into a group; a channel's own messages need a topic of a kind that we don't know. */
const isConversation = ({
  chat,
  is_automatic_forward: isCopy,
}: TelegramMessage): boolean =>
  isCopy !== true &&
  chat.is_direct_messages !== true &&
  (chat.type === "private" ||
    chat.type === "group" ||
    chat.type === "supergroup");

function burstOf(message: TelegramMessage, text: string): { burst?: string } {
  if (message.media_group_id !== undefined)
    return { burst: message.media_group_id };
  return text.length >= pasteUnits ? { burst: pasteBurst } : {};
}

function translateTap(
  { id, from, data, message }: TelegramTap,
  bot: OwnIdentity,
  nowMs: number,
): Translation {
  if (message === undefined || data === undefined)
    return { type: "stray-tap", queryId: id };
  return {
    type: "tap",
    queryId: id,
    isReal:
      message.reply_markup?.inline_keyboard.some((row) =>
        row.some((button) => button.callback_data === data),
      ) ?? false,
    inbound: {
      type: "tap",
      id: `c${id}`,
      address: addressOf(message, bot),
      person: personOf(from),
      direct: message.chat.type === "private",
      atMs: nowMs,
      messageId: String(message.message_id),
      data,
    },
  };
}

/** Supergroups number their threads of replies too; only topics are chats of their own. The General topic has no number but 1. */
function addressOf(
  message: NonNullable<TelegramTap["message"]>,
  bot: OwnIdentity,
): ChatAddress {
  const {
    chat,
    is_topic_message: inTopic,
    message_thread_id: thread,
  } = message;
  const address = {
    platform: "telegram",
    bot: String(bot.id),
    chat: String(chat.id),
  } as const;
  if (inTopic === true && thread !== undefined)
    return { ...address, thread: String(thread) };
  const isForum = chat.type === "supergroup" && chat.is_forum === true;
  return isForum ? { ...address, thread: "1" } : address;
}
