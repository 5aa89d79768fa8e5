import { readPersonasFolder } from "../config/personas-folder.ts";
import { sentence } from "../config/problems.ts";
import type { Settings } from "../config/settings.ts";
import { PermanentError } from "../core/errors.ts";
import { createModels } from "../models/create-models.ts";
import { readSkills } from "../skills/read-skills.ts";
import { walkFolders } from "../skills/walk-folders.ts";
import { ok, type Check, type Examined } from "./check.ts";

/** @param tools names of those that a worker has offered last; empty: none has yet. */
export const personasCheck = (
  { personas: { folder, usual }, skills, models, mcpServers, role }: Settings,
  tools: () => Promise<readonly string[]>,
): Check => ({
  id: "personas",
  what: "The folder of personas",
  async run() {
    // Workers read it, and may have another disk.
    if (role === "bots") return [];
    const known = await tools();
    const onDisk = await readSkills(await walkFolders(skills.folders));
    const read = await readPersonasFolder(folder, {
      tools: known.length === 0 ? undefined : known,
      skills: onDisk.skills.map(({ name }) => name),
      models: createModels(models).keys,
      servers: Object.keys(mcpServers),
    }).catch((error: unknown) => {
      if (error instanceof PermanentError) return error;
      throw error;
    });
    if (read instanceof PermanentError)
      return [
        {
          id: "personas.folder",
          status: "broken",
          what: read.message,
          why: "Workers don't start without it.",
          fix: "Change personas.folder in parley.yaml, or what may be read.",
        },
      ];
    const isThere = usual === undefined || read.personas.some(({ name }) => name === usual);
    const found: Examined[] = read.problems.map((problem) => ({
      id: "personas.file",
      status: "warning",
      what: `A persona is left out: ${sentence(problem)}`,
      why: "People can't choose it.",
      fix: `Change the file in ${folder}; Parley notices it by itself.`,
    }));
    if (!isThere)
      found.push({
        id: "personas.default",
        status: "broken",
        what: `personas.default names "${usual}", which is no persona in ${folder}.`,
        why: "Workers don't start without it.",
        fix: `Create ${usual}.md there, or change personas.default in parley.yaml.`,
      });
    const { length } = read.personas;
    if (found.length > 0 || length === 0) return found;
    return [
      ok("personas.files", `${length} ${length === 1 ? "persona" : "personas"} can be used.`),
    ];
  },
});
