import { unreachable } from "../../../core/errors.ts";
import type { ImportSource } from "../options.ts";
import { importHermes } from "./hermes.ts";
import { importOpenClaw } from "./openclaw.ts";
import type { Imported } from "./report.ts";
import { SourceFolder } from "./source-folder.ts";

/**
 * Reads another bot's folder and changes nothing there. @throws PermanentError when it is no folder,
 * or its configuration can't be read.
 */
export function importFrom(kind: ImportSource, path: string): Imported {
  const folder = new SourceFolder(path);
  switch (kind) {
    case "openclaw":
      return importOpenClaw(folder);
    case "hermes":
      return importHermes(folder);
    default:
      return unreachable(kind);
  }
}
