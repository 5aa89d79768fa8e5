import type { Chunk } from "../../../core/ports.ts";
import type { Display } from "./display.ts";
import type { Output } from "./output.ts";
import type { Question } from "./questions.ts";

/**
 * A conversation in a pipe: finished messages as they are, nothing that grows, no prompt, no escape
 * sequences.
 */
export class PipeDisplay implements Display {
  readonly hasDraft = false;
  readonly #output: Output;

  constructor(output: Output) {
    this.#output = output;
  }

  async print(chunk: Chunk): Promise<boolean> {
    return await this.#output.write(`${chunk.text}\n`);
  }

  async note(text: string): Promise<boolean> {
    return await this.#output.write(`${text}\n`);
  }

  async draft(): Promise<boolean> {
    return await Promise.resolve(this.#output.isOpen);
  }

  async drop(): Promise<boolean> {
    return await this.draft();
  }

  async finish(_messageId: string, chunk: Chunk): Promise<boolean> {
    return await this.print(chunk);
  }

  working(): void {}

  async ask(question: Question | undefined, isNew: boolean): Promise<boolean> {
    if (!question || !isNew) return this.#output.isOpen;
    return await this.#output.write(`${question.chunk.text}\n${question.prompt}\n`);
  }
}
