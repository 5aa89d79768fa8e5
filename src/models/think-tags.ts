import { UnopenedThoughts, type Piece } from "./unopened-thoughts.ts";

interface Mark {
  readonly opening: string;
  readonly closing: string;
}

/** The second is Google's compatible endpoint's. */
const marks: readonly Mark[] = [
  { opening: "<think>", closing: "</think>" },
  { opening: "<thought>", closing: "</thought>" },
];

/**
 * Servers without a separate reasoning field leave it in the text as
 * `<think>…</think>`. The opening tag counts only at the very beginning of an
 * answer; if it is missing, `UnopenedThoughts` looks for the closing one.
 *
 * `start → thinking → gap → text`, or `start → unopened → text`, or `start →
 * unopened → gap → text`; `gap` is the white space after the closing tag.
 */
export class ThinkTagSplitter {
  #state: "start" | "thinking" | "unopened" | "gap" | "text" = "start";
  readonly #unopened = new UnopenedThoughts();
  #closing = "";
  #held = "";
  /**
   * White space before what is held. By itself, or each delta of nothing else would be searched
   * again with every other.
   */
  #space = "";
  /** Whether the thought has any words yet; white space before them is dropped. */
  #thought = false;

  push(text: string): Piece[] {
    if (this.#state === "text") return piece("text-delta", text);
    if (this.#state === "unopened") return this.#search(this.#unopened.push(text));
    this.#held += text;
    if (this.#state === "start") return this.#start();
    return this.#state === "thinking" ? this.#think() : this.#skipGap();
  }

  /** The remaining text at the end of the answer. */
  flush(): Piece[] {
    if (this.#state === "unopened") return this.#search(this.#unopened.flush());
    const rest = this.#take();
    return piece(
      this.#state === "thinking" ? "reasoning-delta" : "text-delta",
      this.#state === "gap" ? "" : rest,
    );
  }

  #start(): Piece[] {
    const trimmed = this.#held.trimStart();
    this.#space += this.#held.slice(0, this.#held.length - trimmed.length);
    this.#held = trimmed;
    const mark = marks.find(({ opening }) => trimmed.startsWith(opening));
    if (mark === undefined) {
      if (marks.some(({ opening }) => opening.startsWith(trimmed))) return [];
      this.#state = "unopened";
      return this.#search(this.#unopened.push(this.#take()));
    }
    this.#state = "thinking";
    this.#closing = mark.closing;
    this.#space = "";
    this.#held = trimmed.slice(mark.opening.length);
    return this.#think();
  }

  #search({ pieces, rest }: ReturnType<UnopenedThoughts["push"]>): Piece[] {
    if (!this.#unopened.isFound) return pieces;
    this.#state = "gap";
    this.#held = rest;
    return [...pieces, ...this.#skipGap()];
  }

  #think(): Piece[] {
    if (!this.#thought) this.#held = this.#held.trimStart();
    this.#thought ||= this.#held !== "";
    const end = this.#held.indexOf(this.#closing);
    const before = this.#held.slice(
      0,
      end < 0 ? this.#held.length - begunAt(this.#held, this.#closing) : end,
    );
    const words = before.trimEnd();
    const thought = words === "" ? "" : this.#space + words;
    if (words !== "") this.#space = "";
    this.#space += before.slice(words.length);
    if (end < 0) {
      this.#held = this.#held.slice(before.length);
      return piece("reasoning-delta", thought);
    }
    this.#held = this.#held.slice(end + this.#closing.length);
    this.#space = "";
    this.#state = "gap";
    return [...piece("reasoning-delta", thought), ...this.#skipGap()];
  }

  #skipGap(): Piece[] {
    this.#held = this.#held.trimStart();
    if (this.#held === "") return [];
    this.#state = "text";
    return piece("text-delta", this.#take());
  }

  #take(): string {
    const held = this.#space + this.#held;
    this.#space = "";
    this.#held = "";
    return held;
  }
}

/** How many characters at the end may be the closing mark's beginning. */
function begunAt(text: string, closing: string): number {
  let begun = Math.min(closing.length - 1, text.length);
  while (!text.endsWith(closing.slice(0, begun))) begun -= 1;
  return begun;
}

function piece(type: "text-delta" | "reasoning-delta", text: string): Piece[] {
  return text === "" ? [] : [{ type, text }];
}
