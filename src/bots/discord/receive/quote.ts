import { isBlank } from "../../../text/blank.ts";
import type { Quote } from "../../../core/history.ts";
import type { PointedPayload } from "./payloads.ts";
import { displayName } from "./person.ts";
import { wordsOf, wordsWithin } from "./words.ts";

/** UTF-16 units of a forward: of Discord's longest message with all its embeds. */
const maxForwardedLength = 16_000;

/** In the place of a message that the bot may not read, or that Discord no longer has. */
export const unreadableQuote: Quote = { text: "[a message that can't be read]" };

/**
 * A message's content as a quotation; files and the rest are only named. Undefined: nothing that
 * the bot can see.
 */
export function quoteOf(message: PointedPayload, botId: string): Quote | undefined {
  const { author } = message;
  const isOwn = author.id === botId;
  // The bot's own buttons are no part of what it said.
  const own = isOwn ? { ...message, components: undefined } : message;
  const text = wordsOf(own, ...message.message_snapshots.map((each) => each.message));
  if (isBlank(text)) return undefined;
  return {
    author: displayName(author, undefined),
    ...(isOwn ? { own: true } : { authorId: `discord:${author.id}` }),
    text,
  };
}

/**
 * The part of a message that isn't its author's text: the content of a forward, whose author is
 * unknown, a poll, an invitation to an activity. Empty: nothing that has words.
 */
export const sharedWords = (message: PointedPayload): string =>
  wordsWithin(maxForwardedLength, [
    {
      ...message,
      content: "",
      components: undefined,
      attachments: [],
      embeds: [],
      sticker_items: [],
      stickers: [],
    },
    ...message.message_snapshots.map((each) => each.message),
  ]);
