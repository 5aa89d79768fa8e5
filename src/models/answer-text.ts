import { ThinkTagSplitter } from "./think-tags.ts";
import type { Piece } from "./unopened-thoughts.ts";
import { SurrogateJoiner } from "./well-formed.ts";

/** The words of one answer: well-formed whatever the pieces, with reasoning told from text. */
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

  /** What was held back. */
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
