import { cleanText } from "./clean-text.ts";
import { bySpanOrder, type Span, type StyledText } from "./styled-text.ts";

type Mark = "bold" | "italic" | "underline" | "strikethrough" | "spoiler";

interface OpenMark {
  readonly type: Mark;
  start: number;
}

/**
 * Collects text and spans under Telegram's rules: a style is never open twice, quotes don't nest,
 * and code holds nothing and lies in nothing but a quote, so that other styles end before it and go
 * on behind it.
 */
export class StyledTextBuilder {
  #text = "";
  readonly #spans: Span[] = [];
  readonly #prefixes: string[] = [];
  readonly #marks: OpenMark[] = [];
  #breaks = 0;
  #atLineStart = true;
  #inLink = false;
  #inQuote = false;

  get inQuote(): boolean {
    return this.#inQuote;
  }

  /** Text of the current style; each of its lines gets the prefixes. */
  write(text: string): void {
    const lines = cleanText(text).split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#breakLine();
      if (line === "") continue;
      this.#beginText();
      this.#text += line;
    }
  }

  /**
   * The next text begins at least this many lines further down, once there is something above it.
   */
  breakLines(count: number): void {
    if (this.#text !== "") this.#breaks = Math.max(this.#breaks, count);
  }

  /** Lines written inside begin with this. */
  prefixed(prefix: string, write: () => void): void {
    this.#prefixes.push(prefix);
    write();
    this.#prefixes.pop();
  }

  marked(type: Mark, write: () => void): void {
    if (this.#marks.some((mark) => mark.type === type)) return write();
    this.#marks.push({ type, start: this.#text.length });
    write();
    const mark = this.#marks.pop();
    if (mark !== undefined) this.#endMark(mark);
  }

  /**
   * A link that Telegram would refuse must not come here. Links don't nest: the outer one holds.
   */
  linked(url: string, write: () => void): void {
    if (this.#inLink) return write();
    const start = this.#text.length;
    this.#inLink = true;
    write();
    this.#inLink = false;
    this.#addTrimmed({ type: "text_link", start, end: this.#text.length, url });
  }

  /** Within a link, and where a spoiler hides it, it is words. */
  code(text: string): void {
    const isHidden = this.#marks.some(({ type }) => type === "spoiler");
    if (this.#inLink || isHidden) return this.write(text);
    for (const mark of this.#marks) this.#endMark(mark);
    this.#beginText();
    const start = this.#text.length;
    this.#text += cleanText(text).replaceAll("\n", " ");
    this.#add({ type: "code", start, end: this.#text.length });
    for (const mark of this.#marks) mark.start = this.#text.length;
  }

  /** A block of code, exactly as it is: no prefixes. */
  pre(text: string, language: string | undefined): void {
    this.#flush();
    const start = this.#text.length;
    this.#text += cleanText(text.replaceAll("\t", "    "));
    this.#atLineStart = false;
    this.#add({
      type: "pre",
      start,
      end: this.#text.length,
      ...(language === undefined ? {} : { language }),
    });
  }

  quoted(write: () => void): void {
    this.#flush();
    const start = this.#text.length;
    this.#inQuote = true;
    write();
    this.#inQuote = false;
    this.#add({ type: "blockquote", start, end: this.#text.length });
  }

  build(): StyledText {
    return { text: this.#text, spans: this.#spans.toSorted(bySpanOrder) };
  }

  #breakLine(): void {
    this.#flush();
    this.#text += "\n";
    this.#atLineStart = true;
  }

  #beginText(): void {
    this.#flush();
    if (this.#atLineStart) this.#text += this.#prefixes.join("");
    this.#atLineStart = false;
  }

  #flush(): void {
    if (this.#breaks === 0) return;
    this.#text += "\n".repeat(this.#breaks);
    this.#breaks = 0;
    this.#atLineStart = true;
  }

  #endMark({ type, start }: OpenMark): void {
    this.#addTrimmed({ type, start, end: this.#text.length });
  }

  /** White space at the ends of a style would break at the borders of messages. */
  #addTrimmed(span: Span): void {
    const text = this.#text.slice(span.start, span.end);
    const end = span.start + text.trimEnd().length;
    const start = end - text.trimEnd().trimStart().length;
    this.#add({ ...span, start, end });
  }

  #add(span: Span): void {
    if (span.start < span.end) this.#spans.push(span);
  }
}
