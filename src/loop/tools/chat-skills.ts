import type { ChatSettings } from "../../core/chat-settings.ts";
import { skillsIn, type Skill } from "../../core/skill.ts";
import { skillTools } from "../../tools/skills.ts";
import type { LoopDeps } from "../deps.ts";
import { schemaOf, type Toolbox } from "./toolbox.ts";

/**
 * The dependencies of one chat's turn: only the skills that it uses, and with the tools for them
 * where there are any.
 * @param allowed those of the turn's persona, which is known once it is open; undefined: all skills.
 */
export function withChatSkills(
  deps: LoopDeps,
  { skillsOff }: Pick<ChatSettings, "skillsOff">,
  allowed: () => readonly string[] | undefined = () => undefined,
): LoopDeps {
  if (deps.skills().length === 0) return deps;
  let known:
    | {
        readonly all: readonly Skill[];
        readonly allowed: readonly string[] | undefined;
        readonly used: readonly Skill[];
      }
    | undefined;
  let made: { readonly of: Toolbox; readonly used: readonly Skill[]; readonly toolbox: Toolbox };
  const skills = (): readonly Skill[] => {
    const all = deps.skills();
    const named = allowed();
    if (known?.all !== all || known.allowed !== named)
      known = { all, allowed: named, used: skillsIn(all, { skillsOff, allowed: named }) };
    return known.used;
  };
  return {
    ...deps,
    skills,
    get toolbox() {
      const [of, used] = [deps.toolbox, skills()];
      if (made?.of !== of || made.used !== used)
        made = { of, used, toolbox: withTools(of, skillTools(used)) };
      return made.toolbox;
    },
  };
}

/** A tool of a server that the model would call by the same name gives way. */
function withTools(toolbox: Toolbox, tools: ReturnType<typeof skillTools>): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return {
    ...toolbox,
    specs: [
      ...toolbox.specs.filter(({ name }) => !byName.has(name)),
      ...tools.map((tool) => ({
        name: tool.name,
        description: tool.description,
        parameters: schemaOf(tool),
      })),
    ],
    find: (name) => byName.get(name) ?? toolbox.find(name),
  };
}
