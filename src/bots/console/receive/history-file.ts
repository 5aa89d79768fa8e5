import { appendFile, readFile, writeFile } from "node:fs/promises";
import type { Logger } from "pino";
import { historySize, type LineHistory } from "./line-editor.ts";

/** In the data folder. */
export const historyFileName = "terminal-history";
/** Characters; a longer line is not kept. */
const maxLineLength = 1_000;

/**
 * The lines that a person has typed in the terminal, in a file for their eyes only: the newest ones
 * of earlier sessions, and those of this one. Never rejects.
 */
export async function openHistoryFile(
  path: string,
  log: Pick<Logger, "warn">,
): Promise<LineHistory> {
  const attempt = async (work: Promise<void>) =>
    await work.catch((error: unknown) => log.warn({ err: error }, "couldn't save the typed lines"));
  const all = await readFile(path, "utf8").then(
    (text) => text.split("\n").filter((line) => line !== ""),
    () => [], // There is none yet.
  );
  const kept = all.slice(-historySize);
  if (kept.length < all.length)
    await attempt(writeFile(path, kept.map((line) => `${line}\n`).join(""), { mode: 0o600 }));
  let last = Promise.resolve();
  return {
    lines: kept.toReversed(),
    add(line) {
      if (line.length > maxLineLength) return;
      last = last.then(() => attempt(appendFile(path, `${line}\n`, { mode: 0o600 })));
    },
  };
}
