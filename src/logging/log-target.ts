import { closeSync, fchmodSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import type { Settings } from "../config/settings.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import type { LogTarget } from "./log.ts";

/**
 * A file while the console is open, else stdout: a pretty log in a terminal, JSON elsewhere.
 * @throws PermanentError
 */
export function logTarget({ dataFolder }: Settings, isConsole: boolean): LogTarget {
  if (isConsole)
    return pino.destination({
      dest: logFile(dataFolder),
      append: true,
      sync: true,
    });
  return process.stdout.isTTY ? "terminal" : pino.destination(1);
}

/** @throws PermanentError when there can be no log in the data folder. */
function logFile(dataFolder: string): string {
  const file = join(dataFolder, "parley.log");
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
