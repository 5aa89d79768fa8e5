import type { ModelEvent } from "../core/model.ts";
import { printedMarks, type PrintedMark } from "./printed-marks.ts";

type Piece = Extract<ModelEvent, { type: "text-delta" | "reasoning-delta" | "printed-call" }>;

const longestOpening = Math.max(...printedMarks.map(({ opening }) => opening.length));
/** A line that is indented further is code. */
const maxIndent = 3;
/** A fence's beginning in its line, behind the marks of lists and quotes. */
const fenceStart = /^[\s>*+\d.)-]*(`{3,}|~{3,})([^`]*)$/;
/** Of a line's beginning, which tells whether it is a fence. UTF-16 units. */
const maxFenceLine = 200;

/**
 * Takes tool calls and thoughts out of an answer's text that are written there in a model's own
 * notation. A mark counts at the start of a line outside code; anywhere else an answer may be about
 * it. Text without such marks passes unchanged, however it is split.
 *
 * `line start → line → line start`, or `line start → hidden → gap → line start`; `gap` is the white
 * space behind what was hidden.
 */
export class PrintedFilter {
  #state: "line start" | "line" | "hidden" | "gap" = "line start";
  /** Undecided yet. In a line's start at most a mark's length, in hidden text a closing's. */
  #held = "";
  #mark: PrintedMark | undefined;
  /** What is hidden of a call. */
  #hidden: string[] = [];
  /** The current line's beginning. */
  #line = "";
  /** The fence that code is in. */
  #fence: string | undefined;

  push(text: string): Piece[] {
    return this.#read(text, false);
  }

  /** At the end of the answer. */
  flush(): Piece[] {
    const pieces = this.#read("", true);
    const rest = this.#held;
    this.#held = "";
    if (this.#state !== "hidden") return joined([...pieces, said(rest)]);
    this.#state = "gap";
    return joined([...pieces, ...this.#hide(rest), ...this.#hiddenCall()]);
  }

  #read(text: string, isEnd: boolean): Piece[] {
    const pieces: Piece[] = [];
    this.#held += text;
    for (;;) {
      const before = this.#held.length;
      const state = this.#state;
      pieces.push(...this.#step(isEnd));
      if (this.#held === "") break;
      if (this.#held.length === before && this.#state === state) break;
    }
    return joined(pieces);
  }

  #step(isEnd: boolean): readonly Piece[] {
    switch (this.#state) {
      case "gap":
        this.#held = this.#held.trimStart();
        if (this.#held !== "") this.#state = "line start";
        return [];
      case "line start":
        return this.#startLine(isEnd);
      case "line":
        return this.#passLine();
      case "hidden":
        return this.#searchEnd();
      default:
        return this.#state satisfies never;
    }
  }

  #startLine(isEnd: boolean): readonly Piece[] {
    const mark = this.#fence === undefined ? this.#markAt(isEnd) : undefined;
    if (mark === "undecided") return [];
    if (mark === undefined) {
      this.#state = "line";
      this.#line = "";
      return [];
    }
    this.#held = this.#held.trimStart().slice(mark.opening.length);
    this.#mark = mark;
    this.#state = mark.is === "dropped" ? "gap" : "hidden";
    if (mark.is === "call") this.#hidden = [mark.opening];
    return [];
  }

  #markAt(isEnd: boolean): PrintedMark | "undecided" | undefined {
    const begun = this.#held.slice(0, longestOpening + maxIndent);
    const words = begun.replace(/^ {0,3}/, "");
    const mark = printedMarks.find(({ opening }) => words.startsWith(opening));
    if (mark !== undefined || isEnd) return mark;
    return printedMarks.some(({ opening }) => opening.startsWith(words)) ? "undecided" : undefined;
  }

  #passLine(): readonly Piece[] {
    const end = this.#held.indexOf("\n") + 1;
    const passed = end === 0 ? this.#held : this.#held.slice(0, end);
    this.#held = this.#held.slice(passed.length);
    this.#line = (this.#line + passed.slice(0, maxFenceLine)).slice(0, maxFenceLine);
    if (end > 0) {
      this.#noteFence();
      this.#state = "line start";
    }
    return [said(passed)];
  }

  #noteFence(): void {
    const [, marks, info = ""] = fenceStart.exec(this.#line.trimEnd()) ?? [];
    if (marks === undefined) return;
    if (this.#fence === undefined) this.#fence = marks;
    else if (marks.startsWith(this.#fence) && info.trim() === "") this.#fence = undefined;
  }

  #searchEnd(): readonly Piece[] {
    const { closings = [], end } = this.#mark ?? {};
    const first = end?.exec(this.#held) ?? null;
    if (first === null) {
      // A closing may have begun.
      const kept = Math.max(0, ...closings.map(({ length }) => length - 1));
      const inside = this.#held.slice(0, Math.max(0, this.#held.length - kept));
      this.#held = this.#held.slice(inside.length);
      return this.#hide(inside);
    }
    const inside = this.#held.slice(0, first.index);
    this.#held = this.#held.slice(first.index + first[0].length);
    this.#state = "gap";
    const isCall = this.#mark?.is === "call";
    return [...this.#hide(isCall ? inside + first[0] : inside), ...this.#hiddenCall()];
  }

  #hide(inside: string): readonly Piece[] {
    if (this.#mark?.is !== "call") return [{ type: "reasoning-delta", text: inside }];
    this.#hidden.push(inside);
    return [];
  }

  #hiddenCall(): readonly Piece[] {
    if (this.#mark?.is !== "call") return [];
    return [{ type: "printed-call", text: this.#hidden.join("") }];
  }
}

const said = (text: string): Piece => ({ type: "text-delta", text });

/** Without empty ones; neighbours of one kind become one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.text === "") continue;
    if (last?.type === piece.type && piece.type !== "printed-call")
      all[all.length - 1] = { ...last, text: last.text + piece.text };
    else all.push(piece);
  }
  return all;
}
