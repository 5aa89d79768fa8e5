import { ParleyProcess, type ParleyOptions } from "./parley-process.ts";
import { TerminalSession } from "./terminal-session.ts";

/** `npm run init` as a person at a terminal answers it. */
export class PersonAtInit extends TerminalSession implements AsyncDisposable {
  constructor(options: Pick<ParleyOptions, "workingFolder" | "environment" | "command">) {
    super(
      new ParleyProcess({
        ...options,
        environment: { TERM: "xterm-256color", LANG: "C.UTF-8", ...options.environment },
        arguments: ["init"],
        input: "terminal",
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.parley[Symbol.asyncDispose]();
  }
}
