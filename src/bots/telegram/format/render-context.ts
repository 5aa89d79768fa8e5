import type { Definitions } from "../../markdown/definitions.ts";
import type { StyledTextBuilder } from "./styled-text-builder.ts";

/** Deeper nodes keep only their words: a stack is finite, and so is a phone's screen. */
const maxDepth = 60;

/** Where a renderer is. */
export class RenderContext {
  readonly builder: StyledTextBuilder;
  readonly definitions: Definitions;
  readonly #depth: number;

  constructor(builder: StyledTextBuilder, definitions: Definitions, depth: number = 0) {
    this.builder = builder;
    this.definitions = definitions;
    this.#depth = depth;
  }

  get isTooDeep(): boolean {
    return this.#depth > maxDepth;
  }

  deeper(): RenderContext {
    return new RenderContext(this.builder, this.definitions, this.#depth + 1);
  }
}
