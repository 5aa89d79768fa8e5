import { botOf, chatKey, parseChatKey, type ChatKey, type Person } from "../core/chat.ts";
import { spokenIn, type Button, type OutboxEntry } from "../core/outbox.ts";
import type { AuditLog } from "../core/audit.ts";
import { isAtLeast } from "../core/roles.ts";
import type { ConnectedBots } from "../store/operations/connected-bots.ts";
import type { Pairing } from "../store/people/pairings.ts";
import type { PeopleStore } from "../store/people/people.ts";
import type { PlaceRequest } from "../store/people/place-requests.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import type { Access } from "./access.ts";
import { describePerson } from "./describe-person.ts";
import { notifyAllAdmins } from "./notify-admins.ts";
import { openPlaces, placeCard, placeCardId } from "./place-requests.ts";

export interface PairingDeps {
  readonly access: Access;
  readonly people: PeopleStore;
  readonly audit: AuditLog;
  readonly connectedBots: Pick<ConnectedBots, "among">;
  /** Puts news into a chat's outbox, once per entry id, and wakes it. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<void>;
}

/** Buttons of a pairing card: `pa:<code>` admits, `pd:<code>` does not. */
export const pairingButtons = (
  code: string,
  { allow, deny }: Locale["pairing"],
): readonly Button[] => [
  { label: allow, data: `pa:${code}` },
  { label: deny, data: `pd:${code}` },
];

/** What an admin is asked. */
const cardOf = ({ code, person }: Pairing, { pairing }: Locale): OutboxEntry => ({
  kind: "notice",
  v: 1,
  id: cardId(code),
  text: `${pairing.asks(describePerson(person))}\n${pairing.code(code)}`,
  buttons: [...pairingButtons(code, pairing)],
});

const cardId = (code: string): string => `pairing-${code}`;

/** The window for cards, in ms: a crowd of strangers must not bury other messages to admins. */
const maxCards = 20;
const cardsWindowMs = 10 * 60_000;

/** Not limited for a code whose card was shown within this time. */
async function mayShowCard(
  { people }: Pick<PairingDeps, "people">,
  code: string,
): Promise<boolean> {
  for (let place = 1; place <= maxCards; place += 1) {
    const taken = `pairing-card#${place}`;
    if (await people.mayNotify(taken, code, cardsWindowMs)) return true;
  }
  return false;
}

export interface Stranger {
  readonly person: Person;
  readonly chat: ChatKey;
  /** Only in a direct chat a person can ask to be let in: a group must not see their code. */
  readonly direct: boolean;
  readonly locale: Locale;
}

/**
 * What a stranger reads instead of an answer. If they can be let in, they get a code to show to an
 * admin, and every admin who can be reached gets a card, unless too many ask. Without an owner the
 * request waits for one.
 */
export async function turnAway(
  deps: PairingDeps,
  { person, chat, direct, locale }: Stranger,
): Promise<string> {
  const isUnclaimed = await deps.access.isUnclaimed();
  const mayPair = deps.access.mode === "pairing" && direct && !person.anonymous;
  const request = mayPair ? await deps.people.pair(person, chat) : undefined;
  if (isUnclaimed) return noOwner(chat, locale);
  const { notAllowed, notAllowedInGroup } = locale.ingress;
  if (request === undefined) return direct ? notAllowed : notAllowedInGroup;
  if (await mayShowCard(deps, request.code))
    await notifyAllAdmins(deps, chat, (theirs) => cardOf(request, theirs));
  return locale.pairing.yourCode(request.code);
}

/** A person who wrote before there was an owner reads that one has been asked now. */
const tellAsked = ({ post }: Pick<PairingDeps, "post">, { code, person, chat }: Pairing) =>
  post(chatKey(parseChatKey(chat)), {
    ...askedNotice(cardId(code)),
    ...spokenIn(person.language),
    text: localeFor(person.language, chat).pairing.askedOwner(code),
  });

/** The same in a group or on a server that the bot was added to; earlier versions stored no chat. */
async function tellPlaceAsked(
  { post }: Pick<PairingDeps, "post">,
  request: PlaceRequest,
): Promise<void> {
  if (request.chat === undefined) return;
  const language = request.person?.language;
  await post(chatKey(parseChatKey(request.chat)), {
    ...askedNotice(placeCardId(request)),
    ...spokenIn(language),
    text: localeFor(language, request.chat).contact.askedOwner,
  });
}

const askedNotice = (card: string) =>
  ({ kind: "notice", v: 1, id: `${card}-asked`, silent: true, patient: true }) as const;

/** The terminal shows a link that makes the owner; Discord has no such link. */
export const noOwner = (chat: ChatKey, { contact }: Locale): string =>
  parseChatKey(chat).platform === "discord" ? contact.noOwnerOnDiscord : contact.noOwner;

/** Requests that wait for a decision, the newest first. */
export async function openRequests({
  access,
  people,
}: Pick<PairingDeps, "access" | "people">): Promise<readonly Pairing[]> {
  const open = await people.openPairings();
  // Someone may have been let in, or banned, by another command.
  const roles = await Promise.all(open.map(({ person }) => access.roleOf(person)));
  return open.filter((_, index) => roles[index] === "stranger");
}

export interface PairingDecision {
  /** Whether admitted or not. */
  readonly code: string;
  readonly allow: boolean;
  /** Id of the tap or command: delivered again, it finishes what it began. */
  readonly eventId: string;
  readonly admin: Person;
  /** The admin's chat. Undefined: it happens on the operator's page. */
  readonly chat: ChatKey | undefined;
  /** In the admin's language. */
  readonly locale: Locale;
  /** It was typed, and the answer says the outcome: the admin's own card only gets a mark. */
  readonly isTyped?: true;
}

/** @returns a sentence for the admin; not done: the code is unknown, or decided. */
export async function decidePairing(
  deps: PairingDeps,
  { code: given, allow, admin, chat: decidedIn, eventId, locale, isTyped }: PairingDecision,
): Promise<{ readonly isDone: boolean; readonly text: string }> {
  const pairing = await deps.people.decidePairing(given.toUpperCase(), eventId);
  if (pairing === undefined) return { isDone: false, text: locale.pairing.unknownCode };
  const { code } = pairing;
  // A person who became an admin since asking stays one.
  const isAdmin = isAtLeast(await deps.access.roleNow(pairing.person), "admin");
  // Write the audit line first: after a crash in between, the request is decided for everyone else.
  await deps.audit.write(eventId, {
    action: "pairing-decided",
    by: admin,
    ...(decidedIn === undefined ? {} : { chat: decidedIn }),
    target: pairing.person.id,
    outcome: allow ? "allowed" : "denied",
  });
  if (!isAdmin) await deps.access.setRole(pairing.person, allow ? "member" : "banned");
  const who = describePerson(pairing.person);
  const outcomeIn = ({ pairing: said }: Locale): string => {
    if (isAdmin) return said.isAdmin(who);
    return allow ? said.allowed(who, admin.name) : said.denied(who, admin.name);
  };
  const chat = chatKey(parseChatKey(pairing.chat));
  const answered =
    isTyped && decidedIn !== undefined
      ? [decidedIn, await deps.people.directChat(botOf(decidedIn), admin.id)]
      : [];
  await notifyAllAdmins(deps, chat, (theirs, { chat: shownIn }) => ({
    kind: "resolution",
    v: 1,
    id: `${cardId(code)}-decided`,
    of: cardId(code),
    text:
      answered.includes(shownIn) && !isAdmin ? `${allow ? "✓" : "✗"} ${who}` : outcomeIn(theirs),
  }));
  if (allow) {
    await deps.post(chat, {
      kind: "notice",
      v: 1,
      id: `${cardId(code)}-allowed`,
      ...spokenIn(pairing.person.language),
      text: localeFor(pairing.person.language, pairing.person.id).pairing.youMay,
    });
  }
  // The same click, sent again much later, must not undo what was decided since.
  await deps.people.finishPairing(code);
  return { isDone: true, text: outcomeIn(locale) };
}

/**
 * Makes the first owner, in a direct chat: access to the operator's log, where
 * the code is, proves the right. The code is worthless once there is an admin.
 * They are told so, unless the adapter shows the command's answer; below that those who wrote
 * before are shown, and groups that the bot was added to. These read that the owner has been asked.
 */
export async function claimBot(
  deps: PairingDeps,
  claim: Pick<Stranger, "person" | "chat" | "locale"> & {
    readonly eventId: string;
    readonly answersItself?: boolean | undefined;
  },
  code: string,
): Promise<boolean> {
  const { person, chat, eventId, locale, answersItself = false } = claim;
  if (person.anonymous || (await deps.access.admins()).length > 0) return false;
  if (!(await deps.people.claim(code.toUpperCase(), person.id))) return false;
  // Write the audit line first: after a crash in between there is an admin, and
  // no one can claim the bot again.
  await deps.audit.write(eventId, {
    action: "role-set",
    by: person,
    chat,
    target: person.id,
    outcome: "owner",
    details: { by: "claim" },
  });
  // All before there is an admin, so that a repeated claim shows them again, each once.
  const own = spokenIn(person.language);
  const text = locale.start.youAreOwner;
  if (!answersItself)
    await deps.post(chat, { kind: "notice", v: 1, id: `owner-${eventId}`, ...own, text });
  const others = (await openRequests(deps)).filter((each) => each.person.id !== person.id);
  for (const request of others.slice(0, maxCards).toReversed()) {
    await deps.post(chat, { ...cardOf(request, locale), ...own });
    await tellAsked(deps, request);
  }
  for (const request of (await openPlaces(deps)).slice(0, maxCards).toReversed()) {
    await deps.post(chat, { ...placeCard(request, chat, locale), ...own });
    await tellPlaceAsked(deps, request);
  }
  await deps.access.setRole(person, "admin");
  await deps.people.setDirectChat(botOf(chat), person.id, chat);
  return true;
}
