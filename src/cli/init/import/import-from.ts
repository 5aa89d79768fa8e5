import { unreachable } from "../../../core/errors.ts";
import type { Reading } from "../../../skills/read-skills.ts";
import type { ImportSource } from "../options.ts";
import { importHermes } from "./hermes.ts";
import { importOpenClaw } from "./openclaw.ts";
import type { Imported, ValueHere } from "./report.ts";
import { readSkillsIn } from "./skills.ts";
import { SourceFolder } from "./source-folder.ts";

/**
 * Reads another bot's folder and changes nothing there.
 * @param valueHere of a variable, so that none is replaced whose value something else here needs
 * @throws PermanentError when it is no folder, or its configuration can't be read.
 */
export async function importFrom(
  kind: ImportSource,
  path: string,
  valueHere: ValueHere,
): Promise<Imported & { readonly skills: Reading }> {
  const imported = read(kind, new SourceFolder(path), valueHere);
  return { ...imported, skills: await readSkillsIn(imported.skillFolders) };
}

function read(kind: ImportSource, folder: SourceFolder, valueHere: ValueHere): Imported {
  switch (kind) {
    case "openclaw":
      return importOpenClaw(folder, valueHere);
    case "hermes":
      return importHermes(folder, valueHere);
    default:
      return unreachable(kind);
  }
}
