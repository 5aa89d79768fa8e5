import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, PermanentError } from "../core/errors.ts";
import { importedFileName, importedSchema } from "../core/imported.ts";
import type { ImportedPort } from "../commands/ports.ts";

/** What `init --from` has put into the data folder. */
export function importedFile(dataFolder: string): ImportedPort {
  const path = join(dataFolder, importedFileName);
  return {
    async read() {
      let json: string;
      try {
        json = await readFile(path, "utf8");
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw cause;
      }
      try {
        return importedSchema.parse(JSON.parse(json));
      } catch (cause) {
        throw new PermanentError(`${path} can't be used: ${messageOf(cause)}`, { cause });
      }
    },
    remove: () => rm(path, { force: true }),
  };
}
