import type { Chunk } from "../../../core/ports.ts";
import { findCut } from "../../markdown/cut.ts";
import { isInvisible } from "./clean-text.ts";
import { entitiesWithin, type Span, type StyledText } from "./styled-text.ts";

/**
 * UTF-16 units of a message after formatting, less room for the label of a repeated send.
 * https://core.telegram.org/bots/api#sendmessage
 */
const maxTextUnits = 4096 - 50;
/** Telegram drops the entities after the hundredth. https://limits.tginfo.me */
const maxEntities = 100;

/**
 * A document as messages. A style that crosses a border ends before it and begins again after it.
 */
export function splitStyled({ text, spans }: StyledText): readonly Chunk[] {
  const pres = spans.filter((span) => span.type === "pre");
  // Blocks of code are in order and apart from each other.
  const preAt = (index: number): boolean => {
    let low = 0;
    for (let high = pres.length; low < high;) {
      const middle = (low + high) >> 1;
      if ((pres[middle]?.end ?? 0) > index) high = middle;
      else low = middle + 1;
    }
    return (pres[low]?.start ?? Infinity) <= index;
  };
  const chunks: Chunk[] = [];
  /**
   * The spans that the next message may hold a part of, so that not all are looked at for each
   * message.
   */
  let near: readonly Span[] = [];
  let next = 0;
  let from = 0;
  while (from < text.length) {
    from = skipSpace(text, from, preAt);
    const begun = next;
    while ((spans[next]?.start ?? Infinity) < from + maxTextUnits) next += 1;
    near = [...near, ...spans.slice(begun, next)].filter(({ end }) => end > from);
    const to = beforeShortSpan(
      near,
      from,
      findCut(text, {
        from,
        maxUnits: unitsOfEntities(near, from),
        isInside: preAt,
      }),
    );
    const piece = text.slice(from, to).trimEnd();
    if (!isInvisible(piece)) {
      const entities = entitiesWithin(near, from, from + piece.length);
      chunks.push(entities.length > 0 ? { text: piece, markup: entities } : { text: piece });
    }
    from = to;
  }
  return chunks;
}

/** A message begins with a visible character; in a block of code, with that line's indentation. */
function skipSpace(text: string, from: number, preAt: (index: number) => boolean): number {
  const blank = /\s*/y;
  blank.lastIndex = from;
  blank.exec(text);
  const visible = blank.lastIndex;
  const lineStart = from + text.slice(from, visible).lastIndexOf("\n") + 1;
  return visible < text.length && preAt(visible) && preAt(lineStart) ? lineStart : visible;
}

/** UTF-16 units; what is longer may go on in the next message. */
const maxWholeUnits = 512;

/**
 * A link, a word of code or a few bold words are not torn: the message ends before the outermost of
 * them.
 */
function beforeShortSpan(spans: readonly Span[], from: number, to: number): number {
  const torn = spans.find(
    ({ type, start, end }) =>
      type !== "pre" &&
      type !== "blockquote" &&
      from < start &&
      start < to &&
      to < end &&
      end - start <= maxWholeUnits,
  );
  return torn?.start ?? to;
}

/** How long a message from here on can be before its entities are too many. */
function unitsOfEntities(spans: readonly Span[], from: number): number {
  let count = 0;
  for (const { start, end } of spans) {
    if (start >= from + maxTextUnits) break;
    if (end <= from) continue;
    count += 1;
    if (count > maxEntities && start > from) return start - from;
  }
  return maxTextUnits;
}
