import type { ModelEvent } from "../core/model.ts";
import { PrintedFilter } from "./printed-filter.ts";
import { ThinkTagSplitter } from "./think-tags.ts";
import type { Piece } from "./unopened-thoughts.ts";
import { SurrogateJoiner } from "./well-formed.ts";

/**
 * The text of one answer: well-formed however it is split, and separated from reasoning and from
 * calls that are written as text.
 */
export class AnswerText {
  readonly #text = new SurrogateJoiner();
  readonly #reasoning = new SurrogateJoiner();
  readonly #tags = new ThinkTagSplitter();
  #printed = new PrintedFilter();

  text(text: string): ModelEvent[] {
    const whole = this.#text.push(text);
    return whole === "" ? [] : this.#withoutPrinted(this.#tags.push(whole));
  }

  reasoning(text: string): ModelEvent[] {
    return reasoning(this.#reasoning.push(text));
  }

  /** The text that was held back. */
  flush(): ModelEvent[] {
    return [
      ...reasoning(this.#reasoning.flush()),
      ...this.text(this.#text.flush()),
      ...this.#withoutPrinted(this.#tags.flush()),
      ...this.#printed.flush(),
    ];
  }

  #withoutPrinted(pieces: readonly Piece[]): ModelEvent[] {
    return pieces.flatMap((piece): ModelEvent[] => {
      if (piece.type === "reasoning-delta") return [piece];
      if (piece.type === "text-delta") return this.#printed.push(piece.text);
      const held = this.#printed.flush();
      this.#printed = new PrintedFilter();
      return [...held, piece];
    });
  }
}

function reasoning(text: string): ModelEvent[] {
  return text === "" ? [] : [{ type: "reasoning-delta", text }];
}
