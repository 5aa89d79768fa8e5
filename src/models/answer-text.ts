import { ThinkTagSplitter } from "./think-tags.ts";
import type { Piece } from "./unopened-thoughts.ts";
import { SurrogateJoiner } from "./well-formed.ts";

/** The text of one answer: well-formed however it is split, and separated from reasoning. */
export class AnswerText {
  readonly #text = new SurrogateJoiner();
  readonly #reasoning = new SurrogateJoiner();
  readonly #tags = new ThinkTagSplitter();

  text(text: string): Piece[] {
    const joined = this.#text.push(text);
    return joined === "" ? [] : this.#tags.push(joined);
  }

  reasoning(text: string): Piece[] {
    return reasoning(this.#reasoning.push(text));
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
