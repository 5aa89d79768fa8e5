import type { Writable } from "node:stream";
import { sanitize } from "../bots/console/format/sanitize.ts";

/** Writes what a command was asked for. */
export interface Printer {
  /** For people: without anything that a terminal would obey. A line end follows. */
  print(text: string): Promise<void>;
  printJson(value: unknown): Promise<void>;
  /**
   * Whether the reader has gone, as `head` does when it has seen enough: the rest need not be made.
   */
  readonly isClosed: boolean;
}

/** @throws what the output's own errors are, except that a reader who has gone is none. */
export function openPrinter(output: Writable): Printer {
  let isClosed = false;
  // Every write reports its own error.
  output.on("error", () => undefined);
  const write = (text: string): Promise<void> =>
    new Promise((done, failed) => {
      if (isClosed) {
        done();
        return;
      }
      output.write(text, (error) => {
        if (!error) {
          done();
          return;
        }
        isClosed = (error as NodeJS.ErrnoException).code === "EPIPE";
        if (isClosed) done();
        else failed(error);
      });
    });
  return {
    print: (text) => write(`${sanitize(text)}\n`),
    printJson: (value) => write(`${withoutControls(JSON.stringify(value, undefined, 2))}\n`),
    get isClosed() {
      return isClosed;
    },
  };
}

/** JSON doesn't escape non-ASCII ones. */
const withoutControls = (json: string): string =>
  json.replaceAll(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
