import { closeSync, fchmodSync, mkdirSync, openSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import type { Settings } from "../config/settings.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import type { LogTarget } from "./log.ts";

/** The log's file becomes `parley.log.1`, instead of the one before, when it has this size. Bytes. */
const maxLogBytes = 10_000_000;

/**
 * A file while the console is open, else stdout: a pretty log in a terminal, JSON elsewhere.
 * @throws PermanentError
 */
export function logTarget(
  { dataFolder }: Settings,
  isConsole: boolean,
  maxBytes = maxLogBytes,
): LogTarget {
  if (isConsole) return rotatingLog(logFile(dataFolder), maxBytes);
  return process.stdout.isTTY ? "terminal" : pino.destination(1);
}

function rotatingLog(file: string, maxBytes: number): LogTarget {
  const log = pino.destination({ dest: file, append: true, mode: 0o600, sync: true });
  let bytes = statSync(file).size;
  return {
    write(line: string): void {
      log.write(line);
      bytes += Buffer.byteLength(line);
      if (bytes < maxBytes) return;
      bytes = 0;
      rotate(file, maxBytes);
      log.reopen();
    },
  };
}

/** Another process may have done it: then the file is a new one. A failure leaves it to grow. */
function rotate(file: string, maxBytes: number): void {
  try {
    if (statSync(file).size >= maxBytes) renameSync(file, `${file}.1`);
  } catch {
    // The log goes on in the file that there is.
  }
}

/** Where the log is while the console is open. */
export const logFileIn = (dataFolder: string): string => join(dataFolder, "parley.log");

/** @throws PermanentError when there can be no log in the data folder. */
function logFile(dataFolder: string): string {
  const file = logFileIn(dataFolder);
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
    const log = openSync(file, "a", 0o600);
    // An earlier version let everyone on the machine read it.
    fchmodSync(log, 0o600);
    closeSync(log);
  } catch (cause) {
    throw new PermanentError(
      `PARLEY_DATA is ${dataFolder}: expected a folder in which parley.log can be written (${messageOf(cause)})`,
      { cause },
    );
  }
  return file;
}
