import type { PersonProfile } from "../access/access.ts";
import { botOf, chatKey, type Person } from "../core/chat.ts";
import { unreachable } from "../core/errors.ts";
import type { Accept, Acceptance } from "../core/inbound.ts";
import { isOutOfMemory, unlessOutOfMemory } from "../store/refusals.ts";
import { wordsFor } from "../words/words-for.ts";
import { acceptCommand } from "./command.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { acceptEdit } from "./edit.ts";
import { acceptMessage } from "./message.ts";
import { NotKept } from "./not-kept.ts";
import { acceptTap } from "./tap.ts";

/**
 * The door: decides what becomes of everything that arrives. Durable when its promise fulfils; where the store's memory is
 * full, what only reads or goes on is done as ever, and whoever brings something new is told that it is not kept.
 */
export function createAccept(deps: AcceptDeps): Accept {
  const notKept = new NotKept(deps);
  return async (given) => {
    const profile = await deps.access.profileOf(given.person);
    const { role, preference } = profile;
    const person = inTheirLanguage(given.person, profile);
    const inbound = { ...given, person };
    const chat = chatKey(inbound.address);
    if (role === "admin" && inbound.direct) {
      await deps.people
        .setDirectChat(botOf(chat), person.id, chat)
        // It is set with what they do next.
        .catch(unlessOutOfMemory(undefined));
    }
    await keepReported(deps, given.person, profile);
    const words = wordsFor(person.language);
    const reported = given.person.language ?? profile.reportedLanguage;
    const arrived = { inbound, chat, role, preference, words, reported };
    try {
      return await decide(deps, arrived);
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return await notKept.tell(arrived);
    }
  };
}

/** What they have chosen counts before what their app says now, and that before what it said another time. */
function inTheirLanguage(
  person: Person,
  { language, reportedLanguage }: PersonProfile,
): Person {
  const inForce = language ?? person.language ?? reportedLanguage;
  return inForce === undefined ? person : { ...person, language: inForce };
}

/**
 * Discord tells somebody's language with what they tap and command, but not with what they write; and admins are told
 * things when they have done nothing.
 */
async function keepReported(
  { access }: AcceptDeps,
  person: Person,
  { role, reportedLanguage }: PersonProfile,
): Promise<void> {
  const { language, id, anonymous } = person;
  const matters =
    role === "admin" || (role === "member" && id.startsWith("discord:"));
  if (!matters || anonymous || language === undefined) return;
  if (language === reportedLanguage) return;
  // It is kept with what they do next.
  await access
    .reportLanguage(person, language)
    .catch(unlessOutOfMemory(undefined));
}

async function decide(
  deps: AcceptDeps,
  { inbound, ...known }: Arrived,
): Promise<Acceptance> {
  switch (inbound.type) {
    case "message":
      return await acceptMessage(deps, { inbound, ...known });
    case "command":
      return await acceptCommand(deps, { inbound, ...known });
    case "edit":
      return await acceptEdit(deps, { inbound, ...known });
    case "tap":
      return await acceptTap(deps, { inbound, ...known });
    default:
      return unreachable(inbound);
  }
}
