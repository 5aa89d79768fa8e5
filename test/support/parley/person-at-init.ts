import { stripVTControlCharacters } from "node:util";
import { ParleyProcess, type ParleyOptions } from "./parley-process.ts";

export const enter = "\r";
export const down = "\u001b[B";
export const ctrlC = "\u0003";

/** `npm run init` as a person at a terminal answers it. */
export class PersonAtInit implements AsyncDisposable {
  readonly init: ParleyProcess;
  /** Code units of the output that was answered already. */
  #read = 0;

  constructor(options: Pick<ParleyOptions, "workingFolder" | "environment" | "command">) {
    this.init = new ParleyProcess({
      ...options,
      environment: { TERM: "xterm-256color", LANG: "C.UTF-8", ...options.environment },
      arguments: ["init"],
      input: "terminal",
    });
  }

  /** Presses keys when the screen shows this; fulfils with what it has shown since the last ones. */
  async press(shown: string, keys: string): Promise<string> {
    const text = await this.init.waitFor(() => {
      const screen = stripVTControlCharacters(this.init.stdout.slice(this.#read));
      return screen.includes(shown) ? screen : undefined;
    }, `“${shown}” on the screen`);
    this.#read = this.init.stdout.length;
    this.init.write(keys);
    return text;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.init[Symbol.asyncDispose]();
  }
}
