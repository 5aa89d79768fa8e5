import type { ParleyProcess } from "./parley-process.ts";

/**
 * A conversation through a pipe, line by line: what is printed after each line is read on its own.
 */
export class ConsoleSession {
  readonly parley: ParleyProcess;
  #read = 0;

  constructor(parley: ParleyProcess) {
    this.parley = parley;
  }

  /** Types a line, and fulfils with what is printed from then on as soon as that holds the text. */
  async say(line: string, expected: string | RegExp): Promise<string> {
    this.#read = this.parley.stdout.length;
    this.parley.type(line);
    return await this.parley.waitForText(expected, this.#read);
  }

  /** What has been printed since the last line was typed. */
  get printed(): string {
    return this.parley.stdout.slice(this.#read);
  }
}
