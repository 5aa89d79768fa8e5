import { decidePairing } from "../access/pairing.ts";
import { answer, type Command } from "./command.ts";

export const allowCommand: Command = {
  spec: {
    name: "allow",
    description: "Let somebody in",
    arguments: [
      {
        name: "code",
        description:
          "The code that the bot gave them, or an id such as telegram:12345",
        required: true,
      },
    ],
    adminOnly: true,
  },
  role: "admin",
  isPrivate: true,
  async run({ argument, person, eventId }, { pairing, access }) {
    if (/^(telegram|discord):\d+$/.test(argument)) {
      const somebody = { id: argument, name: argument };
      if ((await access.roleOf(somebody)) === "admin")
        return answer(`${argument} is an admin already.`);
      await access.setRole(somebody, "member");
      return answer(`${argument} may use this bot now.`);
    }
    if (!/^[A-Za-z0-9]{8}$/.test(argument)) {
      return answer(
        `"${argument.slice(0, 50)}" is neither a code of 8 letters and digits nor an id such as telegram:12345.`,
      );
    }
    return answer(
      await decidePairing(pairing, {
        code: argument,
        allow: true,
        eventId,
        admin: person,
      }),
    );
  },
};
