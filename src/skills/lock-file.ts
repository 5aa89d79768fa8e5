import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";

/** By a skill's name and a file's path: the SHA-256 of the approved bytes, in hex. */
export type Lock = ReadonlyMap<string, ReadonlyMap<string, string>>;

const lockSchema = z.object({
  version: z.literal(1),
  skills: z.record(z.string(), z.record(z.string(), z.string().regex(/^[0-9a-f]{64}$/))),
});

/** No lock file is longer: 200 skills of 100 files. Characters. */
const maxLength = 8_000_000;

/**
 * @returns empty where there is no file; undefined where it can't be understood, e.g. in the middle
 * of a merge: then nothing counts as approved by it, and it isn't overwritten.
 */
export async function readLock(path: string): Promise<Lock | undefined> {
  try {
    const text = await readFile(path, "utf8");
    if (text.length > maxLength) return undefined;
    const { skills } = lockSchema.parse(JSON.parse(text));
    return new Map(
      Object.entries(skills).map(([name, files]) => [name, new Map(Object.entries(files))]),
    );
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? new Map() : undefined;
  }
}

/** Sorted, so that a commit shows what was approved. @throws what the file system throws. */
export async function writeLock(path: string, lock: Lock): Promise<void> {
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, lockText(lock));
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** The content of the file. Pure. */
export function lockText(lock: Lock): string {
  const skills = sorted(lock).map(([name, files]) => [name, Object.fromEntries(sorted(files))]);
  return `${JSON.stringify({ version: 1, skills: Object.fromEntries(skills) }, undefined, 2)}\n`;
}

const sorted = <Value>(map: ReadonlyMap<string, Value>) =>
  [...map].toSorted(([one], [other]) => (one < other ? -1 : 1));
