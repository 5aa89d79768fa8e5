import { StringDecoder } from "node:string_decoder";
import { Transform, type TransformCallback } from "node:stream";

const begin = "\u001b[200~";
const end = "\u001b[201~";
/**
 * Characters that no finger types at once. readline needs time that grows with the square of what
 * is typed.
 */
const minRun = 256;
const maxPasteLength = 1_000_000;
const run = new RegExp(`[^\\u0000-\\u001f\\u007f]{${minRun},}`, "g");
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const beginOfMark = /\u001b\[2?0?0?$/;
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const keys = /\u001b\[[0-9;]*[A-Za-z~]|[^]/gu;
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const controls = /[\u0000-\u001f\u007f]/g;

/** Switches the terminal's marks around pasted text on and off. */
export const bracketedPaste = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

interface RawInput extends NodeJS.ReadableStream {
  setRawMode?: (isRaw: boolean) => unknown;
}

/** The sequence for readline that replaces a single key press. */
export type KeyFilter = (key: string) => string;

/**
 * Stands between the terminal and readline: a paste of several lines, or a very long one, becomes a
 * short mark in the line being typed, so that it is sent as one message. `typing ⇄ pasting`, by the
 * terminal's marks.
 */
export class PasteFilter extends Transform {
  readonly isTTY = true;
  readonly #input: RawInput;
  readonly #keyFilter: KeyFilter;
  readonly #decoder = new StringDecoder("utf8");
  readonly #pasted = new Map<string, string>();
  #isPasting = false;
  #rest = "";

  constructor(input: RawInput, keyFilter: KeyFilter) {
    super();
    this.#input = input;
    this.#keyFilter = keyFilter;
  }

  setRawMode(isRaw: boolean): this {
    this.#input.setRawMode?.(isRaw);
    return this;
  }

  /** The line with its marks replaced by the pasted text. */
  expand(line: string): string {
    let text = line;
    for (const [mark, pasted] of this.#pasted) text = text.replaceAll(mark, () => pasted);
    return text;
  }

  override _transform(
    chunk: Buffer | string,
    _encoding: BufferEncoding,
    done: TransformCallback,
  ): void {
    const text = typeof chunk === "string" ? chunk : this.#decoder.write(chunk);
    // Several keys at once have not been pressed by a finger.
    const isKey = text.length === 1 && this.#rest === "" && !this.#isPasting;
    this.#rest += isKey ? this.#keyFilter(text) : text;
    this.#type(this.#take());
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#type(this.#isPasting ? this.#mark(this.#rest) : this.#rest);
    done();
  }

  /** Key by key: of several at once, readline loses count of the rows that they take. */
  #type(text: string): void {
    for (const [key] of text.matchAll(keys)) this.push(key);
  }

  #take(): string {
    let typed = "";
    for (;;) {
      const mark = this.#isPasting ? end : begin;
      const at = this.#rest.indexOf(mark);
      if (at < 0) break;
      const text = this.#rest.slice(0, at);
      typed += this.#isPasting ? this.#mark(text) : this.#markRuns(text);
      this.#rest = this.#rest.slice(at + mark.length);
      this.#isPasting = !this.#isPasting;
    }
    if (this.#isPasting && this.#rest.length < maxPasteLength) return typed;
    if (this.#isPasting) {
      typed += this.#mark(this.#rest);
      this.#rest = "";
      return typed;
    }
    // The beginning of a mark may be the chunk's end; a single escape is the key of that name.
    const cut = beginOfMark.exec(this.#rest)?.index ?? this.#rest.length;
    typed += this.#markRuns(this.#rest.slice(0, cut));
    this.#rest = this.#rest.slice(cut);
    return typed;
  }

  #markRuns(text: string): string {
    return text.replace(run, (part) => this.#mark(part));
  }

  #mark(text: string): string {
    const pasted = text.replace(/\r\n?|[\u2028\u2029]/g, "\n").replace(/\n+$/, "");
    const lines = pasted.split("\n").length;
    if (lines === 1 && pasted.length < minRun) return pasted.replace(controls, "");
    const size = lines > 1 ? `${lines} lines` : `${pasted.length} characters`;
    const mark = `[paste ${this.#pasted.size + 1}: ${size}]`;
    this.#pasted.set(mark, pasted);
    return mark;
  }
}
