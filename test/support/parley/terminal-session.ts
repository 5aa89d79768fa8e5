import { stripVTControlCharacters } from "node:util";
import type { ParleyProcess } from "./parley-process.ts";

export const enter = "\r";
export const down = "\u001b[B";
export const ctrlC = "\u0003";
/** Clears the line that is being typed. */
export const ctrlU = "\u0015";

/** A person at the terminal of a process that was started with `input: "terminal"`. */
export class TerminalSession {
  readonly parley: ParleyProcess;
  /** Code units of the output that was answered already. */
  #read = 0;

  constructor(parley: ParleyProcess) {
    this.parley = parley;
  }

  /** Fulfils with what the screen has shown since the last keys, as soon as that has the text. */
  async shown(text: string): Promise<string> {
    return await this.parley.waitFor(() => {
      const screen = stripVTControlCharacters(this.parley.stdout.slice(this.#read));
      return screen.includes(text) ? screen : undefined;
    }, `“${text}” on the screen`);
  }

  /** Presses keys when the screen shows this; fulfils with what it has shown since the last ones. */
  async press(text: string, keys: string): Promise<string> {
    const screen = await this.shown(text);
    this.#read = this.parley.stdout.length;
    this.parley.write(keys);
    return screen;
  }
}
