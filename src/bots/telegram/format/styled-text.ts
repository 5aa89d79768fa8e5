import type { MessageEntity } from "grammy/types";

type SpanType =
  | "blockquote"
  | "text_link"
  | "bold"
  | "italic"
  | "underline"
  | "strikethrough"
  | "spoiler"
  | "code"
  | "pre";

/** Units `[start, end)` of a text that look special. UTF-16. */
export interface Span {
  readonly type: SpanType;
  readonly start: number;
  readonly end: number;
  /** Of `text_link`. */
  readonly url?: string;
  /** Of `pre`. */
  readonly language?: string;
}

/** A whole document as Telegram shows it, of any length. Spans nest as Telegram's entities must. */
export interface StyledText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Which of two spans with the same extent is the outer one. */
const rank: Readonly<Record<SpanType, number>> = {
  blockquote: 0,
  text_link: 1,
  bold: 2,
  italic: 3,
  underline: 4,
  strikethrough: 5,
  spoiler: 6,
  code: 7,
  pre: 7,
};

/** Outer spans before inner ones. */
export const bySpanOrder = (left: Span, right: Span): number =>
  left.start - right.start || right.end - left.end || rank[left.type] - rank[right.type];

/** The part of the spans within `[from, to)` of the text, as entities of that part alone. */
export function entitiesWithin(spans: readonly Span[], from: number, to: number): MessageEntity[] {
  const entities: MessageEntity[] = [];
  for (const span of spans) {
    if (span.start >= to) break;
    const start = Math.max(span.start, from);
    const end = Math.min(span.end, to);
    if (start < end) entities.push(asEntity(span, start - from, end - start));
  }
  return entities;
}

function asEntity(span: Span, offset: number, length: number): MessageEntity {
  const { type, url = "", language } = span;
  if (type === "text_link") return { type, offset, length, url };
  if (type === "pre" && language !== undefined) return { type, offset, length, language };
  return { type, offset, length };
}
