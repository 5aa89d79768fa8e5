import { describePerson } from "../access/describe-person.ts";
import { isAtLeast } from "../core/roles.ts";
import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";

/** Names in one list. */
const maxShown = 30;

/**
 * `/admins`: who runs this bot. Members see names; ids are for admins, unless nothing else is
 * known.
 */
export const adminsCommand: Command = {
  spec: described("admins", ({ admins }) => admins.description),
  role: "member",
  isPrivate: true,
  async run({ role, locale: { people } }, { access, pairing }) {
    const [owners, all] = await Promise.all([access.owners(), access.admins()]);
    const lines = async (ids: readonly string[]) => {
      if (ids.length === 0) return [people.noneNamed];
      const shown = ids.slice(0, maxShown).map(async (id) => {
        const known = await pairing.people.knownPerson(id);
        if (known === undefined) return `• ${id}`;
        const isAdmin = isAtLeast(role, "admin");
        return `• ${isAdmin ? describePerson(known) : known.name}`;
      });
      const more = ids.length > maxShown ? ["• …"] : [];
      return [...(await Promise.all(shown)), ...more];
    };
    const others = all.filter((id) => !owners.includes(id));
    return answer(
      people.owners,
      ...(await lines(owners)),
      people.terminal,
      "",
      people.admins,
      ...(await lines(others)),
    );
  },
};
