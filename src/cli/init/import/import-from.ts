import { unreachable } from "../../../core/errors.ts";
import type { Reading } from "../../../skills/read-skills.ts";
import type { ImportSource } from "../options.ts";
import { importHermes } from "./hermes.ts";
import { importOpenClaw } from "./openclaw.ts";
import type { Imported } from "./report.ts";
import { readSkillsIn } from "./skills.ts";
import { SourceFolder } from "./source-folder.ts";

/**
 * Reads another bot's folder and changes nothing there. @throws PermanentError when it is no folder,
 * or its configuration can't be read.
 */
export async function importFrom(
  kind: ImportSource,
  path: string,
): Promise<Imported & { readonly skills: Reading }> {
  const imported = read(kind, new SourceFolder(path));
  return { ...imported, skills: await readSkillsIn(imported.skillFolders) };
}

function read(kind: ImportSource, folder: SourceFolder): Imported {
  switch (kind) {
    case "openclaw":
      return importOpenClaw(folder);
    case "hermes":
      return importHermes(folder);
    default:
      return unreachable(kind);
  }
}
