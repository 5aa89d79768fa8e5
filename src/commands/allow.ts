import { changeRole } from "../access/change-role.ts";
import { describePerson } from "../access/describe-person.ts";
import { decidePairing } from "../access/pairing.ts";
import { isAtLeast } from "../core/roles.ts";
import { answer, typed, type Command, type CommandCall } from "./command.ts";
import { described, optional } from "./menu.ts";
import { meansPlace, placeWords, setPlaceRule } from "./place-rule.ts";
import { findPerson } from "./who.ts";

/** The roles that the bot can give to strangers. */
const codeShape = /^[A-Za-z0-9]{8}$/;

/**
 * `/allow <code | @name | id>`, as a reply to a person's message, or `/allow
 * here`: admits the person with this pairing code, makes a person a member, or
 * makes everyone in a place a guest.
 */
export const allowCommand: Command = {
  spec: {
    ...described("allow", ({ allow }) => allow.description),
    arguments: [
      optional("person", ({ allow }) => allow.person, { kind: "person" }),
      optional("code", ({ allow }) => allow.code),
      optional("place", ({ ban }) => ban.place, { choices: placeWords }),
    ],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run(call, deps) {
    const { person, eventId, locale } = call;
    const text = textOf(call);
    if (meansPlace(text)) return await setPlaceRule(call, deps, { text, rule: "allow" });
    if (codeShape.test(text)) {
      const { chat } = call;
      const about = { code: text, allow: true, eventId, admin: person, chat, locale };
      return answer((await decidePairing(deps.pairing, { ...about, isTyped: true })).text);
    }
    if (/\s/.test(text)) return answer(locale.pairing.neither(typed(text)));
    const finding = await findPerson(call, deps, { text, name: "allow" });
    if (finding.type === "problem") return answer(finding.text);
    // Letting someone in takes nothing away from anyone.
    if (isAtLeast(await deps.access.roleNow(finding.person), "admin"))
      return answer(locale.pairing.isAdmin(describePerson(finding.person)));
    const outcome = await changeRole(deps, {
      by: person,
      role: call.role,
      chat: call.chat,
      eventId,
      whom: finding.person,
      to: "member",
      locale,
    });
    return answer(outcome.text ?? locale.pairing.mayUse(describePerson(finding.person)));
  },
};

function textOf({ argument, options }: CommandCall): string {
  if (options === undefined) return argument.trim();
  // A place in the option for codes: as it was registered before.
  return (options["place"] ?? options["person"] ?? options["code"] ?? "").trim();
}
