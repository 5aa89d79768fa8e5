import { placesOf } from "../core/places.ts";
import { isAtLeast } from "../core/roles.ts";
import { answer, type Command, type CommandCall } from "./command.ts";
import { described } from "./menu.ts";

export const whoamiCommand: Command = {
  spec: described("whoami", ({ whoami }) => whoami.description),
  role: "stranger",
  isPrivate: true,
  run(call) {
    const { person, role, chat, locale } = call;
    const { whoami } = locale;
    const places = placesOf(call);
    return Promise.resolve(
      answer(
        whoami.name(person.name),
        whoami.id(person.id),
        whoami.role(whoami.roles[role]),
        whoami.chat(chat),
        ...(places.length === 0 ? [] : [whoami.place(places.join(", "))]),
        ...remarksOn(call),
      ),
    );
  },
};

/** Facts that the role alone doesn't show. */
export const remarksOn = ({
  person,
  role,
  chatRole,
  locale: { whoami },
}: CommandCall): readonly string[] => [
  ...(isAtLeast(chatRole, "admin") && !isAtLeast(role, "admin") ? [whoami.adminHere] : []),
  ...(person.anonymous ? [whoami.anonymous] : []),
];
