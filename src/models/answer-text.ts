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
  #text = new SurrogateJoiner();
  readonly #reasoning = new SurrogateJoiner();
  #tags = new ThinkTagSplitter();
  #printed = new PrintedFilter();

  text(text: string): ModelEvent[] {
    const whole = this.#text.push(text);
    return whole === "" ? [] : this.#withoutPrinted(this.#tags.push(whole));
  }

  reasoning(text: string): ModelEvent[] {
    return reasoning(this.#reasoning.push(text));
  }

  /** The whole text, where the pieces so far were not as the server means it. */
  replace(text: string): ModelEvent[] {
    this.#text = new SurrogateJoiner();
    this.#tags = new ThinkTagSplitter();
    this.#printed = new PrintedFilter();
    const pieces = [...this.text(text), ...this.flush()];
    const from = pieces.findLastIndex(({ type }) => type === "text-was-reasoning") + 1;
    const words = pieces
      .slice(from)
      .flatMap((piece) => (piece.type === "text-delta" ? piece.text : []));
    const printed = pieces.filter(({ type }) => type === "printed-call");
    return [...printed, { type: "text-replaced", text: words.join("") }];
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
