import type { MessageEntity } from "@grammyjs/types";
import type { FormattedText } from "./formatted-text.ts";

/**
 * What TDLib does to a text before it is stored (`clean_input_string` in misc.cpp,
 * `fix_formatted_text` in MessageEntity.cpp): control characters and tabs become spaces, `\r`,
 * U+2028–202E and three combining marks vanish, both ends are trimmed (the start only up to its
 * first entity), entities without a visible character go.
 */
export function cleanText(text: string, entities: readonly MessageEntity[]): FormattedText {
  const { cleaned, newOffset } = replaceCharacters(text);
  const moved = entities.map((entity) => {
    const start = newOffset[entity.offset] ?? cleaned.length;
    const end = newOffset[entity.offset + entity.length] ?? cleaned.length;
    return { ...entity, offset: start, length: end - start };
  });
  return trim(
    cleaned,
    moved.filter((entity) => visible(cleaned, entity)),
  );
}

function replaceCharacters(text: string): {
  cleaned: string;
  newOffset: number[];
} {
  let cleaned = "";
  const newOffset: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    newOffset.push(cleaned.length);
    const unit = text.charCodeAt(index);
    if (unit === 0x0d || (unit >= 0x2028 && unit <= 0x202e)) continue;
    if (unit === 0x0333 || unit === 0x033f || unit === 0x030a) continue;
    cleaned += unit < 0x20 && unit !== 0x0a ? " " : text.charAt(index);
  }
  newOffset.push(cleaned.length);
  return { cleaned, newOffset };
}

const visible = (text: string, entity: MessageEntity): boolean =>
  /[^ \n]/.test(text.slice(entity.offset, entity.offset + entity.length));

function trim(
  text: string,
  entities: readonly MessageEntity[],
): { text: string; entities: readonly MessageEntity[] } {
  const end = text.replace(/[ \n]+$/, "").length;
  const firstEntity = Math.min(end, ...entities.map((entity) => entity.offset), text.length);
  let start = 0;
  while (start < firstEntity && (text.charAt(start) === " " || text.charAt(start) === "\n"))
    start += 1;
  const kept = entities.map((entity) => ({
    ...entity,
    offset: entity.offset - start,
    length: Math.min(entity.offset + entity.length, end) - entity.offset,
  }));
  return { text: text.slice(start, end), entities: kept };
}

/** True when nothing of it can be seen (`is_empty_string` in TDLib's misc.cpp). */
export function isInvisible(text: string): boolean {
  return /^[\s\u180E\u200B-\u200F\u202E\u2800\uFEFF\uFFFC]*$/.test(text);
}
