import { maxQuoteLength, type Quote } from "../../../core/history.ts";
import { cutAt } from "./entities-markdown.ts";
import { personId, userName } from "./person.ts";
import type { TelegramContent, TelegramMessage, TelegramReplied } from "./update.ts";
import { shownContent } from "./written-words.ts";

/**
 * What a message answers, as far as it says more than the conversation does; undefined: nothing, or
 * what the bot has said right before it. Which of the bot's words are its last only their numbers
 * tell for sure: any process may have sent some. A part that its writer marked counts more than the
 * whole. Pure.
 */
export function quoteOf(message: TelegramMessage, botId: number): Quote | undefined {
  const { reply_to_message: replied, external_reply: external } = message;
  const { quote: marked } = message;
  const contentOf = (content: TelegramContent): string =>
    shownContent(content, {
      marked: marked && { text: marked.text, entities: marked.entities ?? [] },
      pointed: {
        task: message.reply_to_checklist_task_id,
        option: message.reply_to_poll_option_id,
      },
      maxLength: maxQuoteLength,
    });
  if (replied !== undefined) {
    // The message that opened a topic is what its other messages "reply" to.
    if (replied.forum_topic_created !== undefined) return undefined;
    const own = replied.from?.id === botId;
    const isRightBefore = replied.message_id === message.message_id - 1;
    if (own && marked === undefined && isRightBefore) return undefined;
    return quote(own ? { own } : authorOf(replied), contentOf(replied));
  }
  if (external !== undefined) return quote(originOf(external.origin), contentOf(external));
  const story = message.reply_to_story;
  return story && quote({ author: chatName(story.chat) }, "[story]");
}

interface Author {
  readonly author?: string | undefined;
  readonly authorId?: string | undefined;
  readonly own?: true;
}

function quote({ author, authorId, own }: Author, text: string): Quote | undefined {
  if (text.trim() === "") return undefined;
  return {
    ...(author === undefined ? {} : { author }),
    ...(authorId === undefined ? {} : { authorId }),
    ...(own === undefined ? {} : { own }),
    text: cutAt(text, maxQuoteLength),
  };
}

const authorOf = ({
  from,
  sender_chat: chat,
  author_signature: signature,
}: TelegramReplied): Author =>
  chat === undefined ? userOf(from) : { author: signature ?? chatName(chat) };

/** Author or place of a forwarded message, or of one answered elsewhere. Pure. */
export function originOf(origin: NonNullable<TelegramMessage["external_reply"]>["origin"]): Author {
  if (origin === undefined) return {};
  const { sender_user: user, sender_user_name: hidden } = origin;
  const chat = origin.sender_chat ?? origin.chat;
  const { author, ...known } = userOf(user);
  return {
    ...known,
    author: author ?? hidden ?? (chat && (origin.author_signature ?? chatName(chat))),
  };
}

const userOf = (user: TelegramReplied["from"]): Author =>
  user === undefined ? {} : { author: userName(user), authorId: personId(user.id) };

const chatName = (chat: {
  readonly title?: string | undefined;
  readonly username?: string | undefined;
}): string | undefined => chat.title ?? chat.username;
