import { findCut } from "../../markdown/cut.ts";
import { escapedAtLineStart } from "./escape.ts";
import { isInLink, serialise, sharedLength, type Run } from "./runs.ts";

interface PlacedRun extends Run {
  readonly start: number;
  readonly end: number;
}

/** UTF-16 units; what is longer may go on in the next message. */
const maxWholeUnits = 512;

/**
 * A text on its way into messages, from its beginning to its end. Places are those of its words,
 * marks left out; `fit` knows what the marks take.
 */
export class TextFlow {
  readonly #runs: readonly PlacedRun[];
  readonly #text: string;
  /** White space at the end is left out. */
  readonly end: number;
  #from = 0;
  /** Where the line begins that `#from` is in, and the first run of it. */
  #lineStart = 0;
  #lineFirst = 0;
  /** The run that `#from` is in. */
  #first = 0;

  constructor(runs: readonly Run[]) {
    let start = 0;
    this.#runs = runs.map((run) => {
      const placed = { ...run, start, end: start + run.text.length };
      start = placed.end;
      return placed;
    });
    this.#text = runs.map(({ text }) => text).join("");
    this.end = this.#text.trimEnd().length;
    this.#skipSpace();
  }

  get isAtEnd(): boolean {
    return this.#from >= this.end;
  }

  /** Whether a line or a word ends there. */
  isSpaceAt(place: number): boolean {
    return /\s/.test(this.#text[place] ?? "") || this.#text[place - 1] === "\n";
  }

  /**
   * How far the text reaches that takes at most `maxUnits` with its marks; at least one character
   * further than here.
   */
  fit(maxUnits: number): number {
    // One more, for the backslash that what begins a line may need.
    let units = this.#head.length + 1;
    let open: Run["marks"] = [];
    for (let index = this.#first; index < this.#runs.length; index += 1) {
      const run = this.#runs[index] as PlacedRun;
      const kept = sharedLength(open, run.marks);
      for (const { close } of open.slice(kept)) units += close.length;
      // One more, for what may have to keep two marks apart.
      for (const mark of run.marks.slice(kept)) units += mark.open.length + 1;
      const closing = run.marks.reduce((sum, { close }) => sum + close.length, 0);
      const start = Math.max(run.start, this.#from);
      const room = maxUnits - units - closing;
      if (run.end - start > room) return Math.max(this.#from + 1, start + Math.max(0, room));
      units += run.end - start;
      open = run.marks;
    }
    return this.#text.length;
  }

  /** Where a message ends best that reaches no further than `end`. */
  cut(end: number): number {
    const from = this.#from;
    const cut = findCut(this.#text, { from, maxUnits: end - from });
    let index = this.#first;
    while ((this.#runs[index]?.end ?? Infinity) <= cut) index += 1;
    const run = this.#runs[index];
    if (run === undefined || run.start >= cut) return cut;
    if (run.isPrefix && run.start > from) return run.start;
    const group = this.#groupOf(index);
    if (group.start > from && group.end - group.start <= maxWholeUnits) return group.start;
    const isEscaped = !run.isCode && this.#slashesBefore(cut, Math.max(run.start, from)) % 2 === 1;
    return isEscaped && cut - 1 > from ? cut - 1 : cut;
  }

  /** An odd number protects what follows: no message ends there. */
  #slashesBefore(place: number, start: number): number {
    let count = 0;
    while (place - count > start && this.#text[place - count - 1] === "\\") count += 1;
    return count;
  }

  /** The text up to there, as it is sent. */
  take(to: number): string {
    const runs: Run[] = [];
    for (let index = this.#first; index < this.#runs.length; index += 1) {
      const run = this.#runs[index] as PlacedRun;
      if (run.start >= to) break;
      const from = Math.max(run.start, this.#from);
      const text = this.#text.slice(from, Math.min(run.end, to));
      const isFirst = runs.length === 0 && this.#isWithinLine;
      const isShownAsIs = run.isCode || isInLink(run.marks);
      runs.push({ ...run, text: isFirst && !isShownAsIs ? escapedAtLineStart(text) : text });
    }
    while (/^[\s>]*$/.test(runs.at(-1)?.text ?? "x")) runs.pop();
    const last = runs.pop();
    if (last) runs.push({ ...last, text: last.text.trimEnd() });
    const taken = this.#head + serialise(runs);
    const before = this.#from;
    this.#from = to;
    this.#skipSpace();
    const lastBreak = this.#text.slice(before, this.#from).lastIndexOf("\n");
    if (lastBreak >= 0) this.#lineStart = before + lastBreak + 1;
    return taken;
  }

  get #isWithinLine(): boolean {
    return this.#from > 0 && this.#text[this.#from - 1] !== "\n";
  }

  /** The prefix of text that continues within a quoted line. */
  get #head(): string {
    if (!this.#isWithinLine) return "";
    while ((this.#runs[this.#lineFirst]?.end ?? Infinity) <= this.#lineStart) this.#lineFirst += 1;
    const first = this.#runs[this.#lineFirst];
    return first?.isPrefix && first.text.startsWith(">") ? "> " : "";
  }

  /** Past empty lines, quoted ones too; the first line with words keeps its indentation. */
  #skipSpace(): void {
    const skip = (pattern: RegExp): void => {
      pattern.lastIndex = this.#from;
      pattern.test(this.#text);
      this.#from = Math.max(this.#from, pattern.lastIndex);
    };
    skip(/(?:[^\S\n]*(?:>[^\S\n]*){0,60}\n)*/y);
    if (this.#isWithinLine) skip(/[^\S\n]*/y);
    while ((this.#runs[this.#first]?.end ?? Infinity) <= this.#from) this.#first += 1;
  }

  /**
   * All runs that have the same outermost mark: a whole link, or all of some bold words. More than
   * is kept whole is not looked at.
   */
  #groupOf(index: number): { readonly start: number; readonly end: number } {
    const run = this.#runs[index] as PlacedRun;
    const [outer] = run.marks;
    if (outer === undefined) return { start: run.start, end: Infinity };
    let { start, end } = run;
    const isInside = (each: PlacedRun | undefined): each is PlacedRun =>
      each?.marks[0] === outer && end - start <= maxWholeUnits;
    for (let at = index - 1; isInside(this.#runs[at]); at -= 1)
      start = this.#runs[at]?.start ?? start;
    for (let at = index + 1; isInside(this.#runs[at]); at += 1) end = this.#runs[at]?.end ?? end;
    return { start, end };
  }
}
