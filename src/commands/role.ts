import { changeRole } from "../access/change-role.ts";
import { describePerson } from "../access/describe-person.ts";
import type { CommandArgument } from "../core/ports.ts";
import { isAtLeast, type GivenRole } from "../core/roles.ts";
import {
  answer,
  typed,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, optional } from "./menu.ts";
import { findPerson, splitWords } from "./who.ts";
import { remarksOn } from "./whoami.ts";

/** The roles that can be given here; `/ban` and `/unban` handle the rest. */
const givable = ["admin", "member", "guest"] as const satisfies readonly GivenRole[];

const given: readonly CommandArgument[] = [
  optional("person", (menu) => menu.role.person, { kind: "person" }),
  optional("role", (menu) => menu.role.role, { choices: givable }),
];

/**
 * `/role`: the user's own role and what it allows. `/role <@name | id> <admin |
 * member | guest>` grants one.
 */
export const roleCommand: Command = {
  spec: {
    ...described("role", (menu) => menu.role.description),
    arguments: given,
    adminForms: [{ ...described("role", (menu) => menu.role.give), arguments: given }],
  },
  role: "stranger",
  isPrivate: true,
  async run(call, deps) {
    const { who, role } = requestOf(call);
    if (who === "" && role === "") return answer(...ownRole(call));
    return await give(call, deps, { who, role });
  },
};

function ownRole(call: CommandCall): readonly string[] {
  const { role, locale } = call;
  const { whoami } = locale;
  return [whoami.role(whoami.roles[role]), whoami.may[role], ...remarksOn(call)];
}

interface RoleRequest {
  readonly who: string;
  readonly role: string;
}

/** In answer to a message the role alone is enough. */
function requestOf({ argument, options, about }: CommandCall): RoleRequest {
  if (options !== undefined) return { who: options["person"] ?? "", role: options["role"] ?? "" };
  const { first, rest } = splitWords(argument);
  return about !== undefined && rest === "" ? { who: "", role: first } : { who: first, role: rest };
}

async function give(
  call: CommandCall,
  deps: CommandDeps,
  { who, role }: RoleRequest,
): Promise<CommandAnswer> {
  const { person, chat, eventId, locale } = call;
  const { people } = locale;
  // Before anything is looked up: a stranger learns nothing about other users.
  if (!isAtLeast(call.role, "admin")) {
    await deps.audit.write(eventId, {
      action: "attempt-denied",
      by: person,
      chat,
      target: "/role",
    });
    return answer(people.adminsOnly);
  }
  const to = givable.find((each) => each === role.toLowerCase());
  if (to === undefined) return answer(role === "" ? people.whichRole : people.noRole(typed(role)));
  const finding = await findPerson(call, deps, { text: who, name: "role" });
  if (finding.type === "problem") return answer(finding.text);
  const whom = finding.person;
  const by = { by: person, role: call.role, chat, eventId };
  const outcome = await changeRole(deps, { ...by, whom, to, locale });
  return answer(outcome.text ?? people.isNow(describePerson(whom), people.aRole[to]));
}
