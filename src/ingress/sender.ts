import type { PersonProfile } from "../access/access.ts";
import { botOf, chatKey, isUserInstall, parseChatKey, type Person } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { Inbound, InboundCommand } from "../core/inbound.ts";
import { placesOf } from "../core/places.ts";
import { isAtLeast, type Role } from "../core/roles.ts";
import {
  isOutOfMemory,
  isOutOfReach,
  isPassingRefusal,
  unlessOutOfMemory,
} from "../store/redis/refusals.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** Loads the sender's role, choices and language. */
export async function identify(
  deps: AcceptDeps,
  given: Inbound,
): Promise<Omit<Arrived, "pace" | "gestures">> {
  const [profile] = await Promise.all([
    deps.access.profileOf(given.person, given),
    // In parallel, so that no step waits for the limits.
    deps.messageLimits.refresh(),
  ]);
  const { role, preference, placePersona, isSilent = false, drafting } = profile;
  const person = inTheirLanguage(given.person, profile);
  const chat = chatKey(given.address);
  if (isAtLeast(role, "admin") && given.direct)
    await deps.people
      .setDirectChat(botOf(chat), person.id, chat)
      // A failure is made up for with the next event.
      .catch(unlessOutOfMemory(undefined));
  await keepReported(deps, given.person, profile);
  return {
    inbound: { ...given, person },
    chat,
    role,
    chatRole: once(() => chatRoleOf(deps, { inbound: given, role })),
    isSilent,
    preference,
    placePersona,
    isDrafting: drafting?.chat === chat && deps.now() < drafting.untilMs,
    locale: localeFor(person.language, given.address.platform),
    reported: given.person.language ?? profile.reportedLanguage,
  };
}

/**
 * Records which people and chats use the bot. A failure is only logged: the next event is recorded
 * again.
 */
export async function noteArrival(deps: AcceptDeps, arrived: Arrived): Promise<void> {
  await Promise.all([
    noteOnly(deps, "who writes", noteWhoWrites(deps, arrived)),
    noteOnly(deps, "that a chat wrote", noteChat(deps, arrived)),
    noteOnly(deps, "where a person can be reached", noteDirectChat(deps, arrived)),
  ]);
}

const once = <Value>(ask: () => Promise<Value>): (() => Promise<Value>) => {
  let asked: Promise<Value> | undefined;
  return () => (asked ??= ask());
};

/**
 * A group's own administrator is an admin only if the group was let in: opening a group grants no
 * role.
 */
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

async function noteOnly({ log }: AcceptDeps, what: string, noted: Promise<void>): Promise<void> {
  try {
    await noted;
  } catch (error) {
    // Store outages are reported elsewhere, once.
    const isOutage = [isOutOfMemory, isPassingRefusal, isOutOfReach].some((is) => is(error));
    const level = isOutage ? "debug" : "warn";
    log[level]({ error: messageOf(error) }, `could not note ${what}`);
  }
}

/** For `/stats`, which leaves out chats of people who may not use the bot. */
async function noteChat({ chats }: AcceptDeps, { inbound, chat, role }: Arrived): Promise<void> {
  const isForUs = inbound.type === "message" && inbound.isAddressed !== false;
  if (isForUs && isAtLeast(role, "guest")) await chats.note(chat);
}

/** So that admins can refer to people by name, and read the names of groups. Group talk is not recorded. */
async function noteWhoWrites({ people }: AcceptDeps, { inbound }: Arrived): Promise<void> {
  const { type, person } = inbound;
  const isForUs = type === "message" && inbound.isAddressed !== false;
  if (person.anonymous || !(isForUs || type === "command")) return;
  const others = type === "command" && inbound.about ? [inbound.about] : [];
  const titles = type === "command" ? titleOf(inbound) : [];
  for (const each of [person, ...others, ...titles]) await people.notePerson(each);
}

/**
 * Telegram's private chats are found by the person's id. An admin's is stored before they are
 * answered: answers may depend on it.
 */
async function noteDirectChat(
  { people }: AcceptDeps,
  { inbound: { direct, person }, chat, role }: Arrived,
): Promise<void> {
  const address = parseChatKey(chat);
  const isFound = address.platform !== "discord" || isUserInstall(address);
  if (direct && !isFound && isAtLeast(role, "guest"))
    await people.setDirectChat(botOf(chat), person.id, chat);
}

/** A group is kept as people are. */
function titleOf({ chatTitle, ...where }: InboundCommand): readonly Pick<Person, "id" | "name">[] {
  const [place] = placesOf(where);
  return place === undefined || chatTitle === undefined ? [] : [{ id: place, name: chatTitle }];
}

/**
 * The language that they have chosen, or the one that their app reports now, or the one that it
 * reported before.
 */
export function inTheirLanguage(
  person: Person,
  { language, reportedLanguage }: PersonProfile,
): Person {
  const effective = language ?? person.language ?? reportedLanguage;
  return effective === undefined ? person : { ...person, language: effective };
}

/**
 * Discord reports a person's language with taps and commands, but not with messages; and admins are
 * sent notices at any time.
 */
async function keepReported(
  { access }: AcceptDeps,
  person: Person,
  { role, reportedLanguage }: PersonProfile,
): Promise<void> {
  const { language, id, anonymous } = person;
  const matters =
    isAtLeast(role, "admin") || (isAtLeast(role, "guest") && id.startsWith("discord:"));
  if (!matters || anonymous || language === undefined) return;
  if (language === reportedLanguage) return;
  // A failure is made up for with the next event.
  await access.reportLanguage(person, language).catch(unlessOutOfMemory(undefined));
}
