import { isBlank } from "../text/blank.ts";
import { skillNames, skillsIn, skillTask } from "../core/skill.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { askerFields, put } from "./control.ts";
import { described } from "./menu.ts";
import { effectivePersona } from "./personas.ts";
import { unknown } from "./skills.ts";

/** `/skill <name> <task>`: a message whose turn begins with the skill. */
export const skillCommand: Command = {
  spec: {
    ...described("skill", ({ skill }) => skill.description),
    arguments: [
      { ...described("name", ({ skill }) => skill.name), required: true },
      { ...described("task", ({ skill }) => skill.task), required: true },
    ],
    startsTurn: true,
    isInOrder: true,
  },
  role: "member",
  isPrivate: false,
  async run(call, deps) {
    const { skills: say, control } = call.locale;
    const { name, task } = requestOf(call);
    const all = await deps.skillReviews.list();
    const usable = all.filter(({ state }) => state === "approved");
    if (!usable.some((each) => each.name === name))
      return answer(unknown(call, deps, name, usable));
    if (isBlank(task)) return answer(say.noTask);
    const { skillsOff } = await deps.settings.read(call.chat);
    if (skillNames(skillsOff).includes(name))
      return answer(say.offHere(name, `/skills on ${name}`));
    const persona = await effectivePersona(deps, call);
    if (persona && skillsIn([{ name }], { allowed: persona.stored.persona.skills }).length === 0)
      return answer(say.notOfPersona(name, persona.ref.name));
    const outcome = await put(deps, call, {
      kind: "message",
      v: 1,
      id: `${call.eventId}-skill`,
      ...askerFields(call),
      role: call.role,
      text: skillTask(name, task),
      ...(call.placePersona === undefined ? {} : { persona: call.placePersona }),
      skill: name,
      atMs: deps.now(),
    });
    if (outcome.type === "full") return answer(control.full);
    return { ...answer(say.begun(name)), startsTurn: true };
  },
};

function requestOf({ argument, options }: CommandCall): { name: string; task: string } {
  const [, first = "", rest = ""] = /^(\S*)\s*([^]*)$/.exec(argument) ?? [];
  const { name = first, task = rest } = options ?? {};
  return { name: name.trim().toLowerCase(), task: task.trim().toWellFormed() };
}
