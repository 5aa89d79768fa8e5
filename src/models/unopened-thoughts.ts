import type { ModelEvent } from "../core/model.ts";

export type Piece = Extract<
  ModelEvent,
  { type: "text-delta" | "reasoning-delta" | "text-was-reasoning" }
>;

const closing = "</think>";
const tokens = /`+|\n|<\/?think>|<|[^`\n<]+/g;
/** The beginning of a mark that may continue with the next delta. */
const partial = /<(?:\/?(?:t(?:h(?:i(?:nk?)?)?)?)?)?$/;
/** Blanks between a mark and the end of its line; more could be held for long. */
const lineEnd = /^[ \t\r]{0,64}(?:\n|$)/;
const lineMayEnd = /^[ \t\r]{0,64}$/;
/** Characters that may precede a fence in its line: blanks, and the marks of lists and quotes. */
const beforeFence = /^[\s>*+\d.)-]*$/;

/**
 * Finds thoughts that have no opening `<think>`: chat templates of Qwen3 and DeepSeek R1 put it
 * into the prompt. The first `</think>` ends them, if it begins or ends a line, is not within code,
 * and no `<think>` was before it: an answer may be about these marks. The text before it may have
 * been passed on already; then `text-was-reasoning` reclassifies it.
 *
 * `searching → found | given up`.
 */
export class UnopenedThoughts {
  #state: "searching" | "found" | "given up" = "searching";
  #held = "";
  #said = false;
  #inFence = false;
  #inCode = false;
  #backticks = 0;
  #lineIsBlank = true;
  #fenceMayBegin = true;

  get isFound(): boolean {
    return this.#state === "found";
  }

  /** The text that can be passed on. From `isFound` on the rest of the answer is `rest`. */
  push(text: string): { readonly pieces: Piece[]; readonly rest: string } {
    if (this.#state !== "searching") return { pieces: said(text), rest: "" };
    return this.#search(this.#held + text, false);
  }

  /** At the end of the answer. */
  flush(): { readonly pieces: Piece[]; readonly rest: string } {
    return this.#search(this.#held, true);
  }

  #search(text: string, isEnd: boolean): ReturnType<UnopenedThoughts["push"]> {
    this.#held = "";
    const limit = isEnd ? text.length : (partial.exec(text)?.index ?? text.length);
    for (const { 0: token, index } of text.slice(0, limit).matchAll(tokens)) {
      if (token === closing && !this.#isCode()) {
        const next = text.slice(index + closing.length);
        if (!this.#lineIsBlank && lineMayEnd.test(next) && !isEnd) {
          this.#held = text.slice(index);
          return { pieces: this.#say(text.slice(0, index)), rest: "" };
        }
        if (this.#lineIsBlank || lineEnd.test(next)) return this.#take(text.slice(0, index), next);
        this.#state = "given up";
      }
      if (token === "<think>" && !this.#isCode()) this.#state = "given up";
      if (this.#state === "given up") break;
      this.#note(token);
    }
    const end = this.#state === "given up" ? text.length : limit;
    this.#held = text.slice(end);
    return { pieces: this.#say(text.slice(0, end)), rest: "" };
  }

  #take(before: string, rest: string): ReturnType<UnopenedThoughts["push"]> {
    this.#state = "found";
    const pieces: Piece[] = this.#said
      ? [...said(before), { type: "text-was-reasoning" }]
      : thought(before.trim());
    return { pieces, rest };
  }

  #say(text: string): Piece[] {
    this.#said ||= text !== "";
    return said(text);
  }

  /** Whether a mark would be within code here. A run of backticks counts once it has ended. */
  #isCode(): boolean {
    this.#endBackticks();
    return this.#inFence || this.#inCode;
  }

  #note(token: string): void {
    if (token.startsWith("`")) {
      this.#backticks += token.length;
      this.#lineIsBlank = false;
      return;
    }
    this.#endBackticks();
    if (token === "\n") {
      this.#inCode = false;
      this.#lineIsBlank = true;
      this.#fenceMayBegin = true;
      return;
    }
    this.#lineIsBlank &&= token.trim() === "";
    this.#fenceMayBegin &&= beforeFence.test(token);
  }

  #endBackticks(): void {
    if (this.#backticks === 0) return;
    if (this.#backticks >= 3 && this.#fenceMayBegin) this.#inFence = !this.#inFence;
    else this.#inCode = !this.#inCode;
    this.#backticks = 0;
    this.#fenceMayBegin = false;
  }
}

const said = (text: string): Piece[] => (text === "" ? [] : [{ type: "text-delta", text }]);

const thought = (text: string): Piece[] => (text === "" ? [] : [{ type: "reasoning-delta", text }]);
