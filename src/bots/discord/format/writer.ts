import { commandsIn, mentionRun, withoutMarks } from "./commands.ts";
import { bracketed, escaped, escapedAtLineStart, escapedWords, isLabel } from "./escape.ts";
import { isInLink, type Block, type Mark, type Run } from "./runs.ts";

/**
 * Collects runs and blocks under Discord's rules: no mark is open twice, none goes across a line's
 * end, headings have one line.
 */
export class Writer {
  readonly #blocks: Block[] = [];
  #runs: Run[] = [];
  #marks: readonly Mark[] = [];
  #indents: readonly string[] = [];
  #quotes = 0;
  #breaks = 0;
  #atLineStart = true;
  #isOneLine = false;
  #protectsBrackets = false;

  get isInLink(): boolean {
    return isInLink(this.#marks);
  }

  /** Whether a link of these words shows them as they are. */
  canLink(words: readonly string[]): boolean {
    const isAlone = words.length === 1 && this.#marks.length === 0;
    const mayLink = !this.#protectsBrackets || !words.some((text) => text.includes("["));
    return mayLink && !this.isInLink && words.every((text) => isLabel(text, isAlone));
  }

  /** Words; each of their lines gets the prefixes. */
  write(text: string): void {
    const lines = this.#isOneLine ? [text.replaceAll("\n", " ")] : text.split("\n");
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#breakLine();
      if (line.trim() === "" && (line === "" || this.#atLineStart)) continue;
      for (const part of commandsIn(line))
        if (part.isCommand) this.#mention(part.text);
        else this.#writeWords(part.text);
    }
  }

  #writeWords(text: string): void {
    const isAtStart = this.#begin();
    this.#add(this.#escaped(isAtStart ? text.trimStart() : text, isAtStart));
  }

  #mention(path: string): void {
    this.#begin();
    this.#closeAddress("<");
    this.#runs.push(mentionRun(path, this.#marks));
  }

  #escaped(line: string, isAtStart: boolean): string {
    if (this.isInLink) return line;
    const marked = escapedWords(line);
    const words = this.#protectsBrackets ? marked.replaceAll("[", "\\[") : marked;
    return isAtStart ? escapedAtLineStart(words) : words;
  }

  /** From here on no bracket among words begins a link. */
  protectBrackets(): void {
    this.#protectsBrackets = true;
  }

  /** Text that is sent as it is, on one line. */
  raw(text: string): void {
    this.#begin();
    this.#add(text);
  }

  /** Text that could not be parsed, verbatim. */
  literal(text: string): void {
    this.#begin();
    for (const part of commandsIn(text.trimEnd()))
      if (part.isCommand) this.#mention(part.text);
      else this.#add(escaped(part.text));
  }

  code(mark: Mark, text: string): void {
    this.#begin();
    this.#add(withoutMarks(text), mark);
  }

  /**
   * The next text begins at least this many lines further down, once there is something above it.
   */
  breakLines(count: number): void {
    if (this.#runs.length > 0) this.#breaks = Math.max(this.#breaks, count);
  }

  /** A bullet, or another beginning of a line, below which further lines are indented. */
  indented(first: string, indent: string, write: () => void): void {
    this.#begin();
    this.#prefix(first);
    this.#atLineStart = false;
    this.#indents = [...this.#indents, indent];
    write();
    this.#indents = this.#indents.slice(0, -1);
  }

  heading(first: string, write: () => void): void {
    this.#begin();
    this.#prefix(first);
    this.oneLine(write);
  }

  oneLine(write: () => void): void {
    this.#isOneLine = true;
    write();
    this.#isOneLine = false;
  }

  /**
   * Discord knows a quote at a line's beginning only, and none within another: an inner one shows
   * its mark.
   */
  quoted(write: () => void): void {
    this.#flush();
    const indents = this.#indents;
    this.#indents = [];
    this.#quotes += 1;
    write();
    this.#quotes -= 1;
    this.#indents = indents;
  }

  marked(mark: Mark, write: () => void): void {
    if (this.#marks.some(({ open }) => open === mark.open)) return write();
    const marks = this.#marks;
    this.#marks = [...marks, mark];
    write();
    this.#marks = marks;
  }

  /**
   * A block of code stands alone, even out of lists and quotes, where Discord would not know it.
   */
  block(language: string, text: string): void {
    this.#end();
    this.#blocks.push({ type: "code", language, text: withoutMarks(text) });
  }

  build(): readonly Block[] {
    this.#end();
    return this.#blocks;
  }

  #end(): void {
    if (this.#runs.length > 0) this.#blocks.push({ type: "text", runs: this.#runs });
    this.#runs = [];
    this.#breaks = 0;
    this.#atLineStart = true;
  }

  #add(text: string, code?: Mark): void {
    this.#closeAddress(text);
    this.#runs.push(
      code ? { text, marks: [...this.#marks, code], isCode: true } : { text, marks: this.#marks },
    );
  }

  /**
   * To Discord an address goes on up to the next space: brackets end it before what is none of it.
   */
  #closeAddress(next: string): void {
    const last = this.#runs.at(-1);
    const isAside = last?.marks.every((mark) => this.#marks.includes(mark));
    if (!last || !isAside || last.isCode || /^[\s<]/.test(next)) return;
    const text = last.text.replace(/(?<!<)https?:\/\/[^\s<`]+$/, bracketed);
    this.#runs[this.#runs.length - 1] = { ...last, text };
  }

  #prefix(text: string): void {
    if (text !== "") this.#runs.push({ text, marks: [], isPrefix: true });
  }

  #breakLine(): void {
    this.#flush();
    this.#newLine();
  }

  #newLine(): void {
    if (this.#atLineStart) this.#prefix(this.#quoteMark);
    this.#runs.push({ text: "\n", marks: [] });
    this.#atLineStart = true;
  }

  get #quoteMark(): string {
    return "> ".repeat(this.#quotes);
  }

  /** Whether what is written now begins a line. */
  #begin(): boolean {
    this.#flush();
    if (!this.#atLineStart) return false;
    this.#prefix(this.#quoteMark + this.#indents.join(""));
    this.#atLineStart = false;
    return true;
  }

  #flush(): void {
    const breaks = this.#breaks;
    this.#breaks = 0;
    for (let count = 0; count < breaks; count += 1) {
      if (count === 0) this.#atLineStart = false;
      this.#newLine();
    }
  }
}
