import { isBlank } from "../text/blank.ts";
import { skillNames, skillsIn, skillTask } from "../core/skill.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { startTurn } from "./control.ts";
import { described, required } from "./menu.ts";
import { effectivePersona } from "./personas.ts";
import { unknown } from "./skills.ts";
import { commandIn } from "../locales/locale-for.ts";

/** `/skill <name> <task>`: a message whose turn begins with the skill. */
export const skillCommand: Command = {
  spec: {
    ...described("skill", ({ skill }) => skill.description),
    arguments: [
      required("name", ({ skill }) => skill.name),
      required("task", ({ skill }) => skill.task),
    ],
    startsTurn: true,
    isInOrder: true,
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const say = call.locale.skills;
    const { name, task } = requestOf(call);
    const all = await deps.skillReviews.list();
    const usable = all.filter(({ state }) => state === "approved");
    if (!usable.some((each) => each.name === name))
      return answer(unknown(call, deps, name, usable));
    if (isBlank(task)) return answer(say.noTask);
    const { skillsOff } = await deps.settings.read(call.chat);
    if (skillNames(skillsOff).includes(name))
      return answer(say.offHere(name, commandIn(call.locale, `/skills on {skill:${name}}`)));
    const persona = await effectivePersona(deps, call);
    if (persona && skillsIn([{ name }], { allowed: persona.stored.persona.skills }).length === 0)
      return answer(say.notOfPersona(name, persona.ref.name));
    return await startTurn(call, deps, {
      id: `${call.eventId}-skill`,
      text: skillTask(name, task),
      skill: name,
      begun: say.begun(name),
    });
  },
};

function requestOf({ argument, options }: CommandCall): { name: string; task: string } {
  const [, first = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
  const { name = first, task = rest } = options ?? {};
  return { name: name.trim().toLowerCase(), task: task.trim().toWellFormed() };
}
