import { longestRun } from "./markdown-marks.ts";
import { layOut, type Code, type Span, type WrittenText } from "./entity-layout.ts";

/** A part of the text, or a mark that was added to it. */
export interface Piece {
  readonly text: string;
  readonly isMark: boolean;
}

/** A text with its formatting as Markdown. Ordinary text stays as it was typed: nothing is escaped. Pure. */
export const markdownOf = (written: WrittenText): string =>
  written.entities.length === 0
    ? written.text
    : markdownPieces(written)
        .map(({ text }) => text)
        .join("");

/**
 * As much of the beginning as fits, with whole addresses.
 * @param maxLength UTF-16 units
 */
export function markdownWithin({ text, entities }: WrittenText, maxLength: number): string {
  const whole = markdownOf({ text, entities });
  if (whole.length <= maxLength) return whole;
  // Each unit less of the text is at least one less of the Markdown.
  const kept = cutAt(text, maxLength - (whole.length - text.length));
  if (kept === "") return cutAt(text, maxLength);
  return markdownOf({
    text: kept,
    entities: entities.filter(({ offset }) => offset < kept.length),
  });
}

/** Without half a character at its end. */
export const cutAt = (text: string, length: number): string =>
  text.slice(0, Math.max(0, length)).replace(/[\uD800-\uDBFF]$/, "");

/** The pieces that are no marks make up the text. Pure, for any entities. */
export function markdownPieces(written: WrittenText): readonly Piece[] {
  const { text } = written;
  const { spans, code, quotes, notes } = layOut(written);
  const writer = new Writer();
  const codeAt = new Map(code.map((each) => [each.start, each]));
  const spansAt = Map.groupBy(spans, ({ start }) => start);
  const quoteAt = new Map(quotes.map(({ start, end }) => [start, end]));
  const quoteEnds = new Set(quotes.map(({ end }) => end));
  const stops = new Set([
    ...[...spans, ...code, ...quotes].flatMap(({ start, end }) => [start, end]),
    ...notes.keys(),
    text.length,
  ]);
  let at = 0;
  for (const stop of [...stops].toSorted((one, other) => one - other)) {
    // It lies within code that was written.
    if (stop < at) continue;
    writer.write(text.slice(at, stop), false);
    writer.close(stop);
    writer.write(notes.get(stop) ?? "", true);
    const next = text.slice(stop, stop + 1);
    if (quoteEnds.has(stop)) writer.endQuote(next);
    if (quoteAt.has(stop)) writer.beginQuote();
    for (const span of spansAt.get(stop) ?? []) writer.open(span);
    const verbatim = codeAt.get(stop);
    at = stop;
    if (verbatim === undefined) continue;
    writer.code(text, verbatim);
    at = verbatim.end;
  }
  return writer.pieces;
}

/** Writes pieces in order. Within a quote each line begins with `>`. */
class Writer {
  readonly pieces: Piece[] = [];
  /** The outermost first. */
  #open: Span[] = [];
  /** Opened again with the next word. */
  #again: Span[] = [];
  #isQuoting = false;
  #isAtLineStart = true;

  write(text: string, isMark: boolean): void {
    const blanks = isMark ? text.length : text.length - text.trimStart().length;
    if (this.#again.length > 0 && blanks < text.length) {
      this.#put(text.slice(0, blanks), false);
      for (const span of this.#again.splice(0)) this.open(span);
      this.#put(text.slice(blanks), false);
    } else this.#put(text, isMark);
  }

  #put(text: string, isMark: boolean): void {
    for (const line of text === "" ? [] : text.split(/(?<=\n)/)) {
      if (this.#isQuoting && this.#isAtLineStart)
        this.pieces.push({ text: line === "\n" ? ">" : "> ", isMark: true });
      this.pieces.push({ text: line, isMark });
      this.#isAtLineStart = line.endsWith("\n");
    }
  }

  open(span: Span): void {
    this.write(span.open, true);
    this.#open.push(span);
  }

  /** Closes what ends here; others that were opened since are closed and opened again. */
  close(at: number): void {
    this.#again = this.#again.filter(({ end }) => end > at);
    const first = this.#open.findIndex(({ end }) => end <= at);
    if (first < 0) return;
    const inner = this.#open.splice(first);
    for (const span of inner.toReversed()) this.write(span.close, true);
    this.#again.push(...inner.filter(({ end }) => end > at));
  }

  beginQuote(): void {
    if (!this.#isAtLineStart) this.write("\n", true);
    this.#isQuoting = true;
  }

  /** An empty line keeps what follows out of the quote. */
  endQuote(next: string): void {
    this.#isQuoting = false;
    if (next !== "") this.write(this.#isAtLineStart || next === "\n" ? "\n" : "\n\n", true);
  }

  code(text: string, { start, end, language }: Code): void {
    const said = text.slice(start, end);
    const longest = longestRun(said);
    if (language === undefined) {
      const fence = "`".repeat(longest + 1);
      // A reader takes a blank away where there is one at both ends.
      const space = /^`|`$|^ [^]* $/.test(said) ? " " : "";
      this.write(fence + space, true);
      this.write(said, false);
      this.write(space + fence, true);
      return;
    }
    const fence = "`".repeat(Math.max(3, longest + 1));
    this.write(`${this.#isAtLineStart ? "" : "\n"}${fence}${language}\n`, true);
    this.write(said, false);
    this.write(`${this.#isAtLineStart ? "" : "\n"}${fence}`, true);
    if (!/^(?:\n|$)/.test(text.slice(end, end + 1))) this.write("\n", true);
  }
}
