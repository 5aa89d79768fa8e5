import type { Persona } from "../core/persona.ts";
import { activateTool } from "../core/skill.ts";
import { rememberTool } from "../core/tool.ts";
import { wildcards } from "../text/wildcards.ts";
import { findTools } from "../tools/find-tools.ts";

/** What a turn's persona permits. Without its content nothing is known of it: it permits no tool. */
export interface Narrowing {
  readonly persona: Persona | undefined;
  /** By the name that rules match. */
  readonly allowsTool: (name: string) => boolean;
  /** The skills that are offered; undefined: all. */
  readonly skills: readonly string[] | undefined;
}

const skillToolNames = new Set([activateTool, "read_skill_file"]);
const memoryTools = new Set(["read_notes", "write_note", rememberTool, "recall"]);

/** Pure. */
export function narrowingOf(persona: Persona | undefined): Narrowing {
  if (persona === undefined) return { persona, allowsTool: () => false, skills: [] };
  const { skills } = persona;
  const patterns = persona.tools?.map(wildcards);
  return {
    persona,
    skills,
    allowsTool: (name) =>
      // It finds only tools that the persona has.
      name === findTools ||
      // Who names skills need not name the tools that read them.
      (skills !== undefined && skillToolNames.has(name)) ||
      ((persona.memory === "on" || !memoryTools.has(name)) &&
        (patterns === undefined || patterns.some((matches) => matches(name)))),
  };
}
