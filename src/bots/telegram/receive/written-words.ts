import { partOf, wordsOf } from "./addressed.ts";
import { contentWords, type PointedPart } from "./content-words.ts";
import { markdownOf, markdownWithin } from "./entities-markdown.ts";
import type { WrittenText } from "./entity-layout.ts";
import { linkTo } from "./markdown-marks.ts";
import type { TelegramContent } from "./update.ts";

/**
 * Addresses that people see next to a text: of the buttons below it, and of its preview. Empty: none.
 */
function addressesOf(message: TelegramContent, shown: string): string {
  const { reply_markup: markup, link_preview_options: preview } = message;
  const buttons = (markup?.inline_keyboard ?? []).flatMap((row) =>
    (row ?? []).flatMap(({ text, url, web_app: app, copy_text: copied }) => {
      const address = url ?? app?.url;
      if (address !== undefined) return [linkTo(text, address)];
      return copied === undefined ? [] : [`${text}: ${copied.text}`];
    }),
  );
  const { url = "", is_disabled: isDisabled } = preview ?? {};
  const isNew = url !== "" && isDisabled !== true && !shown.includes(url);
  return [
    ...(buttons.length === 0 ? [] : [`Buttons: ${buttons.join(" · ")}`]),
    ...(isNew ? [linkTo("Link preview", url)] : []),
  ].join("\n");
}

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part !== "").join("\n\n");

/** A message's own text as a model reads it. Pure. */
export function shownText(message: TelegramContent, own: WrittenText): string {
  const text = markdownOf(own);
  const addresses = addressesOf(message, text);
  return addresses === "" ? text : joined(text, addresses);
}

/**
 * All that a message says as a model reads it, at most so many UTF-16 units of it: its content, its text
 * or the marked part of it, and the addresses next to it. Pure.
 */
export function shownContent(
  message: TelegramContent,
  {
    marked,
    pointed,
    maxLength,
  }: {
    readonly marked?: WrittenText | undefined;
    readonly pointed?: PointedPart;
    readonly maxLength: number;
  },
): string {
  const own = wordsOf(message) ?? { text: "", entities: [] };
  if (marked !== undefined) return markdownWithin(withOwnLinks(marked, own), maxLength);
  const head = contentWords(message, pointed);
  const addresses = addressesOf(message, markdownOf(own));
  const before = head === "" || own.text === "" ? head : `${head} `;
  const after = addresses === "" ? 0 : addresses.length + 2;
  const room = maxLength - before.length - after;
  return joined(`${before}${markdownWithin(own, Math.max(0, room))}`.trim(), addresses);
}

/** Telegram leaves links and code out of a marked part's entities; those of the whole text have them. */
function withOwnLinks(marked: WrittenText, whole: WrittenText): WrittenText {
  const at = whole.text.indexOf(marked.text);
  return at < 0 ? marked : partOf(whole, at, at + marked.text.length);
}
