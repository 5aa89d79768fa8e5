import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { changedLines } from "./changes.ts";
import type { Dialog } from "./dialog.ts";

export interface FileToWrite {
  readonly path: string;
  /** Undefined: there is none yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** It is copied as it is: its name is shown, not its lines. */
  readonly isCopy?: true;
}

/** Shows what would change in the files that exist, and what is new. False: nothing would. */
export function showChanges(files: readonly FileToWrite[], dialog: Dialog): boolean {
  const changed = files.filter(({ before, after }) => before !== after);
  const [copies, own] = [changed.filter(isCopied), changed.filter((file) => !isCopied(file))];
  for (const { path, before, after } of own)
    // The comments of new settings need no consent; a prompt is shown as it is.
    dialog.box(
      `${basename(path)}${before === undefined ? " (new)" : ""}`,
      changedLines(before ?? "", after).filter(
        (line) => before !== undefined || path.endsWith(".md") || !/^. (?:\s*#|\w+=$)/.test(line),
      ),
    );
  if (copies.length > 0)
    dialog.box(
      "Copied files (new)",
      copies.map(({ path, after }) => `+ ${path} (${Buffer.byteLength(after)} bytes)`),
    );
  return changed.length > 0;
}

const isCopied = ({ isCopy }: FileToWrite): boolean => isCopy === true;

/**
 * Puts the new texts in place, each readable by its owner only. A file is never half written, and
 * none is replaced unless all could be written. @throws PermanentError that names the file.
 */
export function writeFiles(files: readonly FileToWrite[]): void {
  const staged = files
    .filter(({ before, after }) => before !== after)
    .map((file) => ({
      ...file,
      path: existsSync(file.path) ? realpathSync(file.path) : file.path,
    }));
  try {
    for (const { path, before, after } of staged) {
      if (before === undefined && existsSync(path))
        throw new PermanentError(`${path} was created since init began`);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      rmSync(draftOf(path), { force: true });
      writeFileSync(draftOf(path), after, { mode: 0o600, flag: "wx" });
    }
    for (const { path } of staged) renameSync(draftOf(path), path);
  } catch (cause) {
    for (const { path } of staged) rmSync(draftOf(path), { force: true });
    throw new PermanentError(`Can't write the settings: ${messageOf(cause)}`, { cause });
  }
}

const draftOf = (path: string): string => `${path}.unfinished`;
