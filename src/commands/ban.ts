import { changeRole, type RoleChange } from "../access/change-role.ts";
import { describePerson } from "../access/describe-person.ts";
import {
  answer,
  type Command,
  type CommandAnswer,
  type CommandCall,
  type CommandDeps,
} from "./command.ts";
import { described } from "./menu.ts";
import { meansPlace, placeWords, setPlaceRule } from "./place-rule.ts";
import { findPerson, splitWords, type Named } from "./who.ts";

/** Characters of a reason that are kept. */
const maxReasonLength = 200;

/**
 * `/ban <@name | id> [reason]`, as a reply to a person's message, or `/ban
 * here`.
 */
export const banCommand: Command = {
  spec: {
    ...described("ban", ({ ban }) => ban.description),
    arguments: [
      {
        ...described("person", ({ ban }) => ban.person),
        required: false,
        kind: "person",
      },
      { ...described("reason", ({ ban }) => ban.reason), required: false },
      {
        ...described("place", ({ ban }) => ban.place),
        required: false,
        choices: placeWords,
      },
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
      {
        ...described("person", ({ unban }) => unban.person),
        required: false,
        kind: "person",
      },
      {
        ...described("place", ({ unban }) => unban.place),
        required: false,
        choices: placeWords,
      },
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
        const { people } = call.locale;
        const who = describePerson(whom);
        if (deps.access.listed(whom.id) === "ban") return people.fileBans(who);
        if ((await deps.access.roleOf(whom)) !== "banned") return people.notBanned(who);
        const change = { ...changeBy(call, whom), to: undefined };
        const outcome = await changeRole(deps, change);
        return outcome.text ?? people.unbanned(who);
      },
    });
  },
};

const short = (text: string): string => text.slice(0, maxReasonLength).toWellFormed();

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
      reason: short(options["reason"] ?? ""),
    };
  const { first, rest } = splitWords(argument);
  const names = /^@|^(?:telegram|discord|console):/.test(first);
  // "here we go again" is a reason.
  const isPlace = meansPlace(first) && rest === "";
  return about === undefined || names || isPlace
    ? { text: first, reason: short(rest) }
    : { text: "", reason: short(argument) };
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
