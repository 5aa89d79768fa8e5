import type { Chunk } from "../../../core/ports.ts";
import { rowsOf } from "../format/rows.ts";
import type { TypingDisplay } from "./display.ts";
import type { Output } from "./output.ts";
import { PipeDisplay } from "./pipe-display.ts";
import { promptOf, type Question } from "./questions.ts";

/**
 * A terminal that obeys no escape sequences (`TERM=dumb`), which echoes what is typed by itself:
 * finished messages, laid out, with a blank line after each.
 */
export class DumbDisplay extends PipeDisplay implements TypingDisplay {
  readonly askedAtMs = 0;
  readonly #width: () => number;

  constructor(output: Output, width: () => number) {
    super(output);
    this.#width = width;
  }

  override async print(chunk: Chunk): Promise<boolean> {
    const rows = rowsOf(chunk, { width: Math.max(8, this.#width() - 1), color: false });
    return await super.print({ text: rows.map(({ text }) => `${text}\n`).join("") });
  }

  override async ask(question: Question | undefined, isNew: boolean): Promise<boolean> {
    if (!question || !isNew) return await super.ask(question, isNew);
    await this.print(question.chunk);
    return await this.note(promptOf(question));
  }

  attach(): void {}
  detach(): Promise<void> {
    return Promise.resolve();
  }
  label(): void {}
  hint(): void {}
  redraw(): void {}
  entered(): void {}
  clear(): void {}
}
