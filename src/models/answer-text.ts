import type { ModelEvent } from "../core/model.ts";
import { ThinkTagSplitter } from "./think-tags.ts";
import type { Piece } from "./unopened-thoughts.ts";
import { SurrogateJoiner } from "./well-formed.ts";

/** The text of one answer: well-formed however it is split, and separated from reasoning. */
export class AnswerText {
  #text = new SurrogateJoiner();
  readonly #reasoning = new SurrogateJoiner();
  #tags = new ThinkTagSplitter();

  text(text: string): Piece[] {
    const joined = this.#text.push(text);
    return joined === "" ? [] : this.#tags.push(joined);
  }

  reasoning(text: string): Piece[] {
    return reasoning(this.#reasoning.push(text));
  }

  /** The whole text, where the pieces so far were not as the server means it. */
  replace(text: string): ModelEvent[] {
    this.#text = new SurrogateJoiner();
    this.#tags = new ThinkTagSplitter();
    const pieces = [...this.text(text), ...this.flush()];
    const from = pieces.findLastIndex(({ type }) => type === "text-was-reasoning") + 1;
    const words = pieces
      .slice(from)
      .flatMap((piece) => (piece.type === "text-delta" ? piece.text : []));
    return [{ type: "text-replaced", text: words.join("") }];
  }

  /** The text that was held back. */
  flush(): Piece[] {
    return [
      ...reasoning(this.#reasoning.flush()),
      ...this.text(this.#text.flush()),
      ...this.#tags.flush(),
    ];
  }
}

function reasoning(text: string): Piece[] {
  return text === "" ? [] : [{ type: "reasoning-delta", text }];
}
