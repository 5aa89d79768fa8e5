import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readSkills, type Reading } from "../../../skills/read-skills.ts";
import { walkFolders } from "../../../skills/walk-folders.ts";
import type { FileToWrite } from "../write-files.ts";

/** Another bot's skills as Parley would read them: without links, within its limits. */
export const readSkillsIn = async (folders: readonly string[]): Promise<Reading> =>
  await readSkills(await walkFolders(folders));

export interface PlacedSkills {
  readonly files: readonly FileToWrite[];
  /** A line each. */
  readonly taken: readonly string[];
  /** A line each: what, and why not. */
  readonly left: readonly string[];
}

/**
 * Copies of the skills, each in a folder of its name; a folder that is there already stays as it
 * is. No model sees one before an admin approves it.
 * @param to.folder undefined: the settings have no folder for skills
 */
export function placeSkills(
  { skills }: Pick<Reading, "skills">,
  to: { readonly folder: string | undefined; readonly settingsFile: string },
): PlacedSkills {
  const placed = skills.map(({ name, files }): PlacedSkills => {
    if (to.folder === undefined)
      return left(`the skill ${name}`, "skills.folders in parley.yaml names no folder");
    const folder = join(to.folder, name);
    const shown = relative(dirname(to.settingsFile), folder);
    const copies = [...files].map(([path, { text }]): FileToWrite => {
      const before = undefined;
      return { path: join(folder, path), before, after: text, isCopy: true };
    });
    if (!existsSync(folder))
      return {
        files: copies,
        taken: [`the skill ${name} → ${shown} (an admin approves it with /skills review)`],
        left: [],
      };
    const isSame = copies.every(
      ({ path, after }) => existsSync(path) && readFileSync(path, "utf8") === after,
    );
    return isSame
      ? { files: [], taken: [`the skill ${name}: ${shown} is the same already`], left: [] }
      : left(`the skill ${name}`, `${shown} is there already, and stays`);
  });
  return {
    files: placed.flatMap((each) => each.files),
    taken: placed.flatMap((each) => each.taken),
    left: placed.flatMap((each) => each.left),
  };
}

const left = (what: string, why: string): PlacedSkills => ({
  files: [],
  taken: [],
  left: [`${what}: ${why}`],
});
