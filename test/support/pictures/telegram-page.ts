import type { MessageEntity } from "@grammyjs/types";
import type { StoredMessage } from "../../emulators/telegram/chat-state.ts";
import { escaped, page } from "./page.ts";

/** Entities of other types are shown like links. */
const tags: Readonly<Record<string, string>> = {
  blockquote: "blockquote",
  bold: "b",
  code: "code",
  expandable_blockquote: "blockquote",
  italic: "i",
  pre: "pre",
  strikethrough: "s",
  underline: "u",
};

/** A chat as its `viewer` sees it. */
export function telegramPage(
  messages: readonly StoredMessage[],
  { title, viewer }: { readonly title: string; readonly viewer: string },
): string {
  const shown = messages.map((message) => messageHtml(message, viewer));
  return page(
    "telegram",
    `<header><b>${escaped(title)}</b><small>bot</small></header>
    <main>${shown.join("")}</main>`,
  );
}

function messageHtml(message: StoredMessage, viewer: string): string {
  const side = message.from.first_name === viewer ? "own" : "other";
  const rows = message.replyMarkup?.inline_keyboard ?? [];
  const buttons = rows.map(
    (row) =>
      `<div class="row">${row.map(({ text }) => `<button>${escaped(text)}</button>`).join("")}</div>`,
  );
  const text = formatted(message.text, message.entities);
  return `<article class="${side}"><div class="bubble">${text}</div>${buttons.join("")}</article>`;
}

function formatted(text: string, entities: readonly MessageEntity[]): string {
  const sorted = entities.toSorted(
    (left, right) => left.offset - right.offset || right.length - left.length,
  );
  const range = (start: number, end: number, from: number): string => {
    const index = sorted.findIndex(
      ({ offset, length }, at) => at >= from && offset >= start && offset + length <= end,
    );
    const entity = sorted[index];
    if (entity === undefined) return escaped(text.slice(start, end));
    const close = entity.offset + entity.length;
    const tag = tags[entity.type] ?? "a";
    const inside = range(entity.offset, close, index + 1);
    const before = escaped(text.slice(start, entity.offset));
    const after = range(close, end, index + 1);
    return tag === "pre" || tag === "blockquote"
      ? // A block ends its own line.
        `${before}<${tag}>${inside}</${tag}>${after.replace(/^\n/, "")}`
      : `${before}<${tag}>${inside}</${tag}>${after}`;
  };
  return range(0, text.length, 0);
}
