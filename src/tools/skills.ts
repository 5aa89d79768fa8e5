import { z } from "zod";
import { PermanentError } from "../core/errors.ts";
import { activateTool, readSkillTool, skillText, type Skill } from "../core/skill.ts";
import type { Tool } from "../core/tool.ts";
import { defineTool } from "./define-tool.ts";

/** More than the longest SKILL.md has characters, so that none is cut. */
const maxTextLength = 80_000;

/**
 * The tools by which a model uses skills; none without skills. What they return says how to do
 * things: nothing in it makes a tool available, or decides whether one runs.
 */
export function skillTools(skills: readonly Skill[]): readonly Tool[] {
  const [first, ...others] = skills.map(({ name }) => name);
  if (first === undefined) return [];
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  const find = (name: string): Skill => {
    const skill = byName.get(name);
    if (skill === undefined) throw new PermanentError("there is no such skill");
    return skill;
  };
  const name = z.enum([first, ...others]);
  return [
    defineTool({
      name: activateTool,
      description:
        "Reads a skill: instructions for one kind of task. Use it before such a task, once in a conversation.",
      parameters: z.strictObject({ name }),
      effect: "read",
      confirm: "never",
      history: "keep",
      maxResultLength: maxTextLength,
      run(given, { activeSkills }) {
        const skill = find(given.name);
        return Promise.resolve(
          activeSkills?.().has(skill.name)
            ? { text: `The skill ${skill.name} is active in this conversation: its text is above.` }
            : { text: skillText(skill), display: skill.name },
        );
      },
    }),
    defineTool({
      name: readSkillTool,
      description: "Reads a text file of a skill, by the path that the skill's text gives.",
      parameters: z.strictObject({ skill: name, path: z.string().min(1).max(300) }),
      effect: "read",
      confirm: "never",
      history: "action",
      repeatable: true,
      run(given) {
        const { files } = find(given.skill);
        const text = files.get(given.path.replace(/^\.\//, ""));
        if (text === undefined)
          throw new PermanentError(
            `this skill has no such text file. It has: ${[...files.keys()].join(", ") || "none"}`,
          );
        return Promise.resolve({
          text: `The file ${given.path} of the skill ${given.skill}, as an admin approved it:\n\n${text}`,
        });
      },
    }),
  ];
}
