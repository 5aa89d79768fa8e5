import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import type { ImportedPort } from "../commands/ports.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import {
  importedFileName,
  importedSchema,
  takenOverFileName,
  takenOverSchema,
} from "../core/imported.ts";

/** What `init --from` has put into the data folder. */
export function importedFile(dataFolder: string): ImportedPort {
  const path = join(dataFolder, importedFileName);
  const donePath = join(dataFolder, takenOverFileName);
  return {
    read: () => readAs(path, importedSchema),
    async finish(done) {
      // The first file goes last: without it, the second one is whole.
      await writeFile(donePath, JSON.stringify(done));
      await rm(path, { force: true });
    },
    takenOver: () => readAs(donePath, takenOverSchema),
  };
}

async function readAs<T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> {
  let json: string;
  try {
    json = await readFile(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
  try {
    return schema.parse(JSON.parse(json));
  } catch (cause) {
    throw new PermanentError(`${path} can't be used: ${messageOf(cause)}`, { cause });
  }
}
