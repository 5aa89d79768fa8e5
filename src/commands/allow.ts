import { decidePairing } from "../access/pairing.ts";
import { answer, typed, type Command } from "./command.ts";
import { described } from "./menu.ts";

export const allowCommand: Command = {
  spec: {
    ...described("allow", ({ allow }) => allow.description),
    arguments: [
      { ...described("code", ({ allow }) => allow.code), required: true },
    ],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run({ argument, person, eventId, words }, { pairing, access }) {
    if (/^(telegram|discord):\d+$/.test(argument)) {
      const somebody = { id: argument, name: argument };
      if ((await access.roleOf(somebody)) === "admin")
        return answer(words.pairing.isAdmin(argument));
      await access.setRole(somebody, "member");
      return answer(words.pairing.mayUse(argument));
    }
    if (!/^[A-Za-z0-9]{8}$/.test(argument)) {
      return answer(words.pairing.neither(typed(argument)));
    }
    return answer(
      await decidePairing(pairing, {
        code: argument,
        allow: true,
        eventId,
        admin: person,
        words,
      }),
    );
  },
};
