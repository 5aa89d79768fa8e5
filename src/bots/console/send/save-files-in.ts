import { mkdir, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";
import { safeFileName } from "../../../core/outbox.ts";
import type { SaveFile } from "./file-chunk.ts";

/** Files of one name in one folder. */
const maxTwins = 1_000;

/**
 * Saves files into this folder, for its owner's eyes only, and never over another file: what has
 * the name of one that is there gets a number.
 */
export function saveFilesIn(folder: string): SaveFile {
  return async (given, bytes) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { name, ext } = parse(safeFileName(given));
    for (let number = 1; ; number += 1) {
      const twin = number === 1 ? "" : `-${number}`;
      const path = join(folder, `${name}${twin}${ext}`);
      try {
        await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
        return path;
      } catch (error) {
        if (!isTaken(error) || number === maxTwins) throw error;
      }
    }
  };
}

const isTaken = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "EEXIST";
