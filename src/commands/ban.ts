import { changeRole, shortReason, unban, type RoleChange } from "../access/change-role.ts";
import { describePerson } from "../access/describe-person.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described, optional } from "./menu.ts";
import { meansPlace, placeWords, setPlaceRule } from "./place-rule.ts";
import { findPerson, splitWords, type Named } from "./who.ts";

/**
 * `/ban <@name | id> [reason]`, as a reply to a person's message, or `/ban
 * here`.
 */
export const banCommand: Command = {
  spec: {
    ...described("ban", ({ ban }) => ban.description),
    arguments: [
      optional("person", ({ ban }) => ban.person, { kind: "person" }),
      optional("reason", ({ ban }) => ban.reason),
      optional("place", ({ ban }) => ban.place, { choices: placeWords }),
    ],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run(call, deps) {
    const { text, reason } = given(call);
    if (meansPlace(text)) return await setPlaceRule(call, deps, { text, rule: "ban" });
    return await ofPerson(call, deps, {
      text,
      name: "ban",
      carryOut: async (whom) => {
        const { people } = call.locale;
        const outcome = await changeRole(deps, {
          ...changeBy(call, whom),
          to: "banned",
          ...(reason === "" ? {} : { reason }),
        });
        return outcome.text ?? people.banned(describePerson(whom));
      },
    });
  },
};

/** `/unban <@name | id>`, or `/unban here`: removes the rule. */
export const unbanCommand: Command = {
  spec: {
    ...described("unban", ({ unban }) => unban.description),
    arguments: [
      optional("person", ({ unban }) => unban.person, { kind: "person" }),
      optional("place", ({ unban }) => unban.place, { choices: placeWords }),
    ],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run(call, deps) {
    const { text } = given(call);
    if (meansPlace(text)) return await setPlaceRule(call, deps, { text });
    return await ofPerson(call, deps, {
      text,
      name: "unban",
      carryOut: async (whom) => {
        const outcome = await unban(deps, changeBy(call, whom));
        return outcome.text ?? call.locale.people.unbanned(describePerson(whom));
      },
    });
  },
};

/**
 * The person comes first. In a reply, all the text is the reason, unless it
 * names a person.
 */
function given({ argument, options, about }: CommandCall): {
  readonly text: string;
  readonly reason: string;
} {
  if (options !== undefined)
    return {
      text: options["person"] ?? options["place"] ?? "",
      reason: shortReason(options["reason"] ?? ""),
    };
  const { first, rest } = splitWords(argument);
  const names = /^@|^(?:telegram|discord|console):/.test(first);
  // "here we go again" is a reason.
  const isPlace = meansPlace(first) && rest === "";
  return about === undefined || names || isPlace
    ? { text: first, reason: shortReason(rest) }
    : { text: "", reason: shortReason(argument) };
}

const changeBy = (
  { person, role, chat, eventId, locale }: CommandCall,
  whom: Named,
): Omit<RoleChange, "to"> => ({
  by: person,
  role,
  chat,
  eventId,
  whom,
  locale,
});

async function ofPerson(
  call: CommandCall,
  deps: CommandDeps,
  wanted: {
    readonly text: string;
    readonly name: string;
    readonly carryOut: (whom: Named) => Promise<string>;
  },
): Promise<CommandAnswer> {
  const finding = await findPerson(call, deps, wanted);
  return answer(finding.type === "problem" ? finding.text : await wanted.carryOut(finding.person));
}
