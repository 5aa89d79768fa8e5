import type { Persona } from "../core/persona.ts";
import { skillToolNames } from "../core/skill.ts";
import { rememberTool } from "../core/tool.ts";
import { wildcards } from "./wildcards.ts";

const memoryTools = new Set(["read_notes", "write_note", rememberTool, "recall"]);

/** Which tools a persona has, by the names that rules match. Pure. */
export function toolsOf({
  tools,
  skills,
  memory,
}: Pick<Persona, "tools" | "skills" | "memory">): (name: string) => boolean {
  const patterns = tools?.map(wildcards);
  return (name) =>
    // They only load approved text. Without them it would be offered skills that it can't use.
    skillToolNames.includes(name)
      ? skills?.length !== 0
      : (memory === "on" || !memoryTools.has(name)) &&
        (patterns === undefined || patterns.some((matches) => matches(name)));
}
