import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";

export const whoamiCommand: Command = {
  spec: described("whoami", ({ whoami }) => whoami.description),
  role: "stranger",
  isPrivate: true,
  run({ person, role, chat, words: { whoami } }) {
    return Promise.resolve(
      answer(
        whoami.name(person.name),
        whoami.id(person.id),
        whoami.role(role),
        whoami.chat(chat),
        ...(person.anonymous ? [whoami.anonymous] : []),
      ),
    );
  },
};

/** `/role`: one's own, and what comes with it. */
export const roleCommand: Command = {
  spec: described("role", (menu) => menu.role.description),
  role: "stranger",
  isPrivate: true,
  run({ person, role, words: { whoami } }) {
    return Promise.resolve(
      answer(
        whoami.role(role),
        whoami.may[role],
        ...(person.anonymous ? [whoami.anonymous] : []),
      ),
    );
  },
};
