import type { PersonProfile } from "../access/access.ts";
import { botOf, chatKey, type Person } from "../core/chat.ts";
import { messageOf, unreachable } from "../core/errors.ts";
import type { Accept, Acceptance } from "../core/inbound.ts";
import { isAtLeast, type Role } from "../core/roles.ts";
import {
  isOutOfMemory,
  isOutOfReach,
  isPassingRefusal,
  unlessOutOfMemory,
} from "../store/redis/refusals.ts";
import { localeFor } from "../locales/locale-for.ts";
import { acceptCommand } from "./command.ts";
import { CommandPace } from "./command-pace.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { droppedBehind, isDropped } from "./dropped.ts";
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
  const pace = new CommandPace(deps);
  return async (given) => {
    const [profile] = await Promise.all([
      deps.access.profileOf(given.person, given),
      // Beside it, so that nobody waits for them below.
      deps.limits.refresh(),
    ]);
    const { role, preference, isSilent } = profile;
    const person = inTheirLanguage(given.person, profile);
    const inbound = { ...given, person };
    const chat = chatKey(inbound.address);
    if (isAtLeast(role, "admin") && inbound.direct) {
      await deps.people
        .setDirectChat(botOf(chat), person.id, chat)
        // It is set with what they do next.
        .catch(unlessOutOfMemory(undefined));
    }
    await keepReported(deps, given.person, profile);
    const locale = localeFor(person.language);
    const reported = given.person.language ?? profile.reportedLanguage;
    const arrived = {
      inbound,
      chat,
      role,
      chatRole: once(() => chatRoleOf(deps, { inbound: given, role })),
      ...(isSilent ? { isSilent } : {}),
      preference,
      pace,
      locale,
      reported,
    };
    if (isDropped(inbound)) return droppedBehind(arrived);
    try {
      // Side by side: neither costs a flight of its own.
      const [acceptance] = await Promise.all([
        decide(deps, arrived),
        besides(deps, "who writes", noteWhoWrites(deps, arrived)),
        besides(deps, "that a chat wrote", noteChat(deps, arrived)),
      ]);
      return acceptance;
    } catch (error) {
      if (!isOutOfMemory(error)) throw error;
      return await notKept.notify(arrived);
    }
  };
}

const once = <Value>(ask: () => Promise<Value>): (() => Promise<Value>) => {
  let asked: Promise<Value> | undefined;
  return () => (asked ??= ask());
};

/** Nobody becomes an admin by opening a group of their own: it counts only where the place was let in. */
async function chatRoleOf(
  { access }: AcceptDeps,
  { inbound, role }: Pick<Arrived, "inbound" | "role">,
): Promise<Role> {
  const { isGroupAdmin, direct, person } = inbound;
  const isInQuestion = isAtLeast(role, "guest") && !isAtLeast(role, "admin");
  if (!access.trustsGroupAdmins || !isInQuestion) return role;
  if (direct || person.anonymous || isGroupAdmin === undefined) return role;
  if (!(await access.isLetIn(inbound))) return role;
  return (await isGroupAdmin()) ? "admin" : role;
}

/** What is only noted keeps no message out, whatever is wrong with where it is noted; they are noted with the next one. */
async function besides(
  { log }: AcceptDeps,
  what: string,
  noted: Promise<void>,
): Promise<void> {
  try {
    await noted;
  } catch (error) {
    // A server in trouble is told of elsewhere, and once.
    const isTrouble = [isOutOfMemory, isPassingRefusal, isOutOfReach].some(
      (is) => is(error),
    );
    const level = isTrouble ? "debug" : "warn";
    log[level]({ error: messageOf(error) }, `could not note ${what}`);
  }
}

/** For `/stats`. Chats of people who may not use the bot are none of it. */
async function noteChat(
  { chats }: AcceptDeps,
  { inbound, chat, role }: Arrived,
): Promise<void> {
  const isForUs = inbound.type === "message" && inbound.isAddressed !== false;
  if (isForUs && isAtLeast(role, "guest")) await chats.note(chat);
}

/** Admins name people as everybody does. Of what a group says among itself nobody is noted. */
async function noteWhoWrites(
  { people }: AcceptDeps,
  { inbound }: Arrived,
): Promise<void> {
  const { type, person } = inbound;
  const isForUs = type === "message" && inbound.isAddressed !== false;
  if (person.anonymous || !(isForUs || type === "command")) return;
  const others = type === "command" && inbound.about ? [inbound.about] : [];
  for (const each of [person, ...others]) await people.notePerson(each);
}

/** What they have chosen counts before what their app says now, and that before what it said another time. */
function inTheirLanguage(
  person: Person,
  { language, reportedLanguage }: PersonProfile,
): Person {
  const effective = language ?? person.language ?? reportedLanguage;
  return effective === undefined ? person : { ...person, language: effective };
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
    isAtLeast(role, "admin") ||
    (isAtLeast(role, "guest") && id.startsWith("discord:"));
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
