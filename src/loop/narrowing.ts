import type { Persona } from "../core/persona.ts";
import { toolsOf } from "../text/persona-tools.ts";
import { findTools } from "../tools/find-tools.ts";

/** What a turn's persona permits. Without its content nothing is known of it: it permits no tool. */
export interface Narrowing {
  readonly persona: Persona | undefined;
  /** By the name that rules match. */
  readonly allowsTool: (name: string) => boolean;
  /** The skills that are offered; undefined: all. */
  readonly skills: readonly string[] | undefined;
}

/** Pure. */
export function narrowingOf(persona: Persona | undefined): Narrowing {
  if (persona === undefined) return { persona, allowsTool: () => false, skills: [] };
  const allows = toolsOf(persona);
  return {
    persona,
    skills: persona.skills,
    // It finds only tools that the persona has.
    allowsTool: (name) => name === findTools || allows(name),
  };
}
