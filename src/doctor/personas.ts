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
  what: ({ personas }) => personas,
  async run() {
    // Workers read it, and may have another disk.
    if (role === "bots") return [];
    const known = await tools();
    const onDisk = await readSkills(await walkFolders(skills.folders));
    const read = await readPersonasFolder(folder, {
      tools: known.length === 0 ? undefined : known,
      skills: onDisk.skills.map(({ name }) => name),
      models: createModels(models).keys,
      servers: Object.keys(mcpServers).filter(
        (server) => !known.some((tool) => tool.startsWith(`${server}.`)),
      ),
    }).catch((error: unknown) => {
      if (error instanceof PermanentError) return error;
      throw error;
    });
    if (read instanceof PermanentError)
      return [
        {
          id: "personas.folder",
          status: "broken",
          say: ({ findings: { personas: said } }) => ({
            ...said.folder,
            what: said.folder.what(read.message),
          }),
        },
      ];
    const isThere = usual === undefined || read.personas.some(({ name }) => name === usual);
    const found: Examined[] = read.problems.map((problem) => ({
      id: "personas.file",
      status: "warning",
      say({ findings: { personas: said } }) {
        const { what, why, fix } = said.leftOut;
        return { what: what(sentence(problem)), why, fix: fix(folder) };
      },
    }));
    if (!isThere)
      found.push({
        id: "personas.default",
        status: "broken",
        say({ findings: { personas: said } }) {
          const { what, why, fix } = said.noDefault;
          return { what: what(usual, folder), why, fix: fix(`${usual}.md`) };
        },
      });
    const { length } = read.personas;
    if (found.length > 0 || length === 0) return found;
    return [ok("personas.files", ({ personas: said }) => said.usable(length))];
  },
});
