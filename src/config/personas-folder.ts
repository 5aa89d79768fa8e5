import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Persona } from "../core/persona.ts";
import { readPersonaFile, type Offered } from "./persona-file.ts";
import { PermanentError } from "../core/errors.ts";
import type { Problem } from "./problems.ts";

/** Bytes: no persona is longer. */
const maxFileSize = 200_000;
const maxFiles = 200;

export interface PersonasFolder {
  readonly personas: readonly Persona[];
  /** Of the files that were left out. */
  readonly problems: readonly Problem[];
  /** Names of the files that were left out, without `.md`. */
  readonly unusable: readonly string[];
}

/**
 * The names of the folder's `.md` files, with what changes when they do.
 * @throws PermanentError unless there is no folder: that personas can't be read for a moment must not
 * look as if there were none.
 */
export async function personaFilesIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new PermanentError(
      `personas.folder: ${folder} can't be read (${String(error.code)}): expected a folder that Parley may read`,
      { cause: error },
    );
  });
  const files = names.filter((name) => /^[^.].*\.md$/i.test(name) && !/^readme\.md$/i.test(name));
  const found = await Promise.all(
    files
      .toSorted()
      .slice(0, maxFiles)
      .map(async (name): Promise<[string, string]> => {
        const facts = await stat(join(folder, name)).catch(() => undefined);
        return [name, facts === undefined ? "" : `${facts.mtimeMs} ${facts.size}`];
      }),
  );
  return new Map(found);
}

/** Reads the operator's personas; one that can't be used is left out. @throws as `personaFilesIn` */
export async function readPersonasFolder(
  folder: string,
  offered: Offered | undefined,
): Promise<PersonasFolder> {
  const personas: Persona[] = [];
  const problems: Problem[] = [];
  const unusable: string[] = [];
  for (const file of (await personaFilesIn(folder)).keys()) {
    const read = await readOne(join(folder, file), file, offered);
    if ("persona" in read) personas.push(read.persona);
    else {
      problems.push(...read.problems);
      unusable.push(file.replace(/\.md$/i, ""));
    }
  }
  return { personas, problems, unusable };
}

async function readOne(path: string, file: string, offered: Offered | undefined) {
  const problem = (expected: string) => ({
    problems: [{ where: file, value: undefined, expected }],
  });
  try {
    const { size } = await stat(path);
    if (size > maxFileSize) return problem(`expected at most ${maxFileSize} bytes`);
    return readPersonaFile(await readFile(path, "utf8"), file, offered);
  } catch (error) {
    return problem(
      `expected a file that can be read (${String((error as NodeJS.ErrnoException).code)})`,
    );
  }
}
