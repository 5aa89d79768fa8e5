import type { ChatAddress, Person } from "../../../core/chat.ts";
import { PermanentError } from "../../../core/errors.ts";
import type { InboundCommand, InboundJoin, InboundTap } from "../../../core/inbound.ts";
import type { OwnIdentity } from "./addressed.ts";
import { personOf } from "./person.ts";
import { addressOf } from "./place.ts";
import {
  adminshipOf,
  translateEdit,
  translateMessage,
  type Arriving,
  type MessageContext,
} from "./translate-message.ts";
import {
  type TelegramMessage,
  type TelegramOwnMembership,
  type TelegramStop,
  type TelegramTap,
  updateSchema,
} from "./update.ts";

export type Translation =
  | (Arriving & { readonly type: "arrival" })
  | {
      readonly type: "tap";
      readonly queryId: string;
      readonly inbound: InboundTap;
      /** The message really has the button: a modified client can claim any. */
      readonly isReal: boolean;
    }
  /** A button that leads nowhere: its query still wants an answer. */
  | {
      readonly type: "stray-tap";
      readonly queryId: string;
      readonly person: Person;
    }
  /** A group has become a supergroup, which has another id. */
  | {
      readonly type: "moved";
      /** Its chat: later updates there have to wait for it. */
      readonly address: ChatAddress;
      readonly from: string;
      readonly to: string;
    }
  /** The bot can't write in a chat any more, or can again. */
  | { readonly type: "reach"; readonly address: ChatAddress; readonly isReachable: boolean }
  /** Not for the bot, or not a message. */
  | { readonly type: "nothing" };

const nothing: Translation = { type: "nothing" };

/**
 * A Bot API update in our words.
 * @throws PermanentError if it isn't an update; the error contains the path, not the value.
 */
export function translate(update: unknown, context: MessageContext): Translation {
  const parsed = updateSchema.safeParse(update);
  if (!parsed.success) {
    const paths = parsed.error.issues.map(({ path }) => path.join("."));
    throw new PermanentError(`unexpected shape at ${paths.join(", ")}`);
  }
  const {
    message,
    edited_message: edited,
    callback_query: tap,
    stopped_message_generation: stop,
    my_chat_member: membership,
  } = parsed.data;
  if (tap !== undefined) return translateTap(tap, context);
  if (stop !== undefined) return translateStop(stop, context);
  if (membership !== undefined) return translateMembership(membership, context);
  if (message !== undefined) {
    const move = moveOf(message, context.bot);
    return move ?? asArrival(translateMessage(message, context));
  }
  return edited === undefined ? nothing : asArrival(translateEdit(edited, context));
}

const asArrival = (arriving: Arriving | undefined): Translation =>
  arriving === undefined ? nothing : { ...arriving, type: "arrival" };

/**
 * Both chats get the event: the old one as its last, the new one as its first.
 */
function moveOf(message: TelegramMessage, bot: OwnIdentity): Translation | undefined {
  const { chat, migrate_to_chat_id: to, migrate_from_chat_id: from } = message;
  const address = addressOf(message, bot);
  const here = String(chat.id);
  if (to !== undefined) return { type: "moved", address, from: here, to: String(to) };
  return from === undefined ? undefined : { type: "moved", address, from: String(from), to: here };
}

/**
 * The Stop button below a growing answer does what `/stop` does. Drafts are private: the chat is
 * the person.
 */
function translateStop(
  { chat, message_thread_id: thread, draft_id: draftId }: TelegramStop,
  { bot, nowMs }: MessageContext,
): Translation {
  const isTopic = thread === undefined ? {} : { is_topic_message: true };
  const person: Person = personOf(chat);
  const inbound: InboundCommand = {
    type: "command",
    id: `d${draftId}`,
    address: addressOf({ chat, message_thread_id: thread, ...isTopic }, bot),
    person,
    direct: true,
    atMs: nowMs,
    name: "stop",
    argument: "",
    answersItself: false,
  };
  return chat.type === "private" ? { type: "arrival", inbound } : nothing;
}

const isIn = ({
  status,
  is_member: isMember,
}: TelegramOwnMembership["new_chat_member"]): boolean =>
  status === "restricted" ? isMember === true : status !== "left" && status !== "kicked";

const mayWrite = (member: TelegramOwnMembership["new_chat_member"]): boolean =>
  isIn(member) && (member.status !== "restricted" || member.can_send_messages !== false);

/**
 * The bot was added to a group or removed from one, silenced, or a person has blocked it, or the
 * opposite. Whether it was promoted doesn't matter to it.
 */
function translateMembership(
  { chat, from, date, old_chat_member: before, new_chat_member: after }: TelegramOwnMembership,
  { bot, nowMs }: MessageContext,
): Translation {
  const isGroup = chat.type === "group" || chat.type === "supergroup";
  if (!isGroup || isIn(before) || !isIn(after)) {
    const isReachable = mayWrite(after);
    if (isReachable === mayWrite(before)) return nothing;
    return { type: "reach", address: addressOf({ chat }, bot), isReachable };
  }
  const inbound: InboundJoin = {
    type: "join",
    id: `j${date}`,
    address: addressOf({ chat }, bot),
    person: personOf(from),
    direct: false,
    atMs: nowMs,
    title: chat.title ?? "",
  };
  return { type: "arrival", inbound };
}

function translateTap(
  { id, from, data, message }: TelegramTap,
  { bot, nowMs, groupAdmins }: MessageContext,
): Translation {
  if (message === undefined || data === undefined)
    return { type: "stray-tap", queryId: id, person: personOf(from) };
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
      ...adminshipOf({ chat: message.chat, from }, groupAdmins),
      data,
    },
  };
}
