import { isBlank } from "../../../text/blank.ts";
import { maxQuoteLength, type Quote } from "../../../core/history.ts";
import { cutBefore } from "../../markdown/graphemes.ts";
import type { ContentPayload, PointedPayload } from "./payloads.ts";
import { displayName } from "./person.ts";

/**
 * A message's content as a quotation; files and the rest are only named. Undefined: nothing that
 * the bot can see.
 */
export function quoteOf(message: PointedPayload, botId: string): Quote | undefined {
  const { author } = message;
  const text = [wordsOf(message), ...message.message_snapshots.map((each) => wordsOf(each.message))]
    .filter((part) => part !== "")
    .join("\n");
  if (isBlank(text)) return undefined;
  return {
    author: displayName(author, undefined),
    ...(author.id === botId ? { own: true } : { authorId: `discord:${author.id}` }),
    text: cut(text),
  };
}

/** The content of a forward, whose author is unknown; empty: it is none, or has no words. */
export const forwardedWords = ({ message_snapshots: snapshots }: PointedPayload): string =>
  snapshots
    .map(({ message }) => wordsOf(message))
    .filter((part) => part !== "")
    .join("\n");

function wordsOf({
  content,
  embeds,
  attachments,
  sticker_items: stickers,
  poll,
}: ContentPayload): string {
  return [
    content.trim(),
    ...embeds.flatMap(({ title, description }) => [title, description]),
    ...(poll ? [`[poll: ${poll.question.text ?? ""}]`] : []),
    ...attachments.map(({ filename }) => `[file: ${filename}]`),
    ...stickers.map(({ name }) => `[sticker: ${name}]`),
  ]
    .filter((part) => typeof part === "string" && part !== "")
    .join("\n");
}

const cut = (text: string): string =>
  text.length <= maxQuoteLength ? text : text.slice(0, cutBefore(text, maxQuoteLength, 0));
