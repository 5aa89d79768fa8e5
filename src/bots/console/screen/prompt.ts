import type { Interface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { displayWidth } from "../format/width.ts";
import { eraseUp } from "./repaint.ts";

/**
 * The line being typed, below everything else. `absent → shown → absent`;
 * writers call `hide` before and `show` after writing, so that the cursor is in
 * the first column below the conversation.
 */
export class Prompt {
  #line: Interface | undefined;

  attach(line: Interface): void {
    this.#line = line;
  }

  /** Returns what leaves the line on the screen and puts the cursor below it. */
  detach(): string {
    const wasShown = this.#line !== undefined;
    this.#line = undefined;
    return wasShown ? "\n" : "";
  }

  set(text: string): void {
    this.#line?.setPrompt(text);
  }

  /** The sequences that remove it from the screen, and that precede `draw`. */
  surround(): { readonly before: string; readonly after: string } {
    if (!this.#line) return { before: "", after: "" };
    const { rows } = this.#line.getCursorPos();
    // readline's redraw begins by moving up as many rows as it believes to be above its cursor.
    return { before: eraseUp(rows), after: "\n".repeat(rows) };
  }

  draw(): void {
    this.#line?.prompt(true);
  }

  /** Screen rows of the prompt with this text, by default with what is typed now. */
  height(width: number, text: string = this.#line?.line ?? ""): number {
    if (!this.#line) return 0;
    const prompt = stripVTControlCharacters(this.#line.getPrompt());
    return Math.floor(displayWidth(prompt + text) / width) + 1;
  }

  get text(): string {
    return this.#line?.getPrompt() ?? "";
  }
}
