import { notifyAllAdmins } from "../access/notify-admins.ts";
import { noOwner } from "../access/pairing.ts";
import { placeName } from "../access/place-name.ts";
import { placeCard, placeCardId } from "../access/place-requests.ts";
import { botOf } from "../core/chat.ts";
import type { Acceptance, InboundJoin, InboundTap } from "../core/inbound.ts";
import { parsePlace, placesOf, type Place } from "../core/places.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import type { PlaceDecision } from "../store/people/place-requests.ts";
import { auditDenied } from "./check-access.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";
import { buttonOf } from "./tap.ts";

/** A crowd that adds the bot to groups must not bury other messages to admins. Milliseconds. */
const maxCards = 20;
const cardsWindowMs = 10 * 60_000;

/**
 * The bot was added to a group or server: at most two lines there, and a card to every admin,
 * unless everyone there may use it anyway. Says nothing where it is banned.
 */
export async function introduce(deps: AcceptDeps, arrived: Arrived<InboundJoin>): Promise<Outcome> {
  const { inbound, chat, isSilent, locale } = arrived;
  const place = placesOf(inbound).at(-1);
  if (place === undefined || isSilent) return { type: "ignored" };
  const { access, people } = deps;
  await people.notePerson({ id: place, name: inbound.title });
  const { contact, ingress } = locale;
  if (access.mode === "open" || (await access.isLetIn(inbound)))
    return said(contact.greeting, contact.seeHelp);
  if (await askAdmins(deps, arrived, place)) return said(contact.hello, contact.askedOwner);
  if (await access.isUnclaimed()) return said(noOwner(chat, locale));
  return said(contact.hello, ingress.notAllowedInGroup);
}

const said = (...lines: readonly string[]): Outcome => ({
  type: "reply",
  text: lines.join("\n"),
  isLowPriority: true,
});

/** @returns whether a card went to anyone. Without an owner the request waits for one. */
async function askAdmins(
  deps: AcceptDeps,
  { inbound, chat }: Arrived<InboundJoin>,
  place: Place,
): Promise<boolean> {
  const { id, title, person } = inbound;
  const by = person.anonymous ? {} : { person };
  const request = { id, place, title, bot: botOf(chat), ...by };
  await deps.people.keepPlaceRequest(request);
  if (!(await mayShowCard(deps, inbound))) return false;
  const asked = await notifyAllAdmins(deps.pairing, chat, (theirs, { chat: shownIn }) =>
    placeCard(request, shownIn, theirs),
  );
  return asked > 0;
}

async function mayShowCard({ people }: AcceptDeps, { id, address }: InboundJoin): Promise<boolean> {
  for (let count = 1; count <= maxCards; count += 1) {
    const by = `${address.chat} ${id}`;
    if (await people.mayNotify(`join-card#${count}`, by, cardsWindowMs)) return true;
  }
  return false;
}

/** A tap on such a card. The first decision counts; who made it may repeat it, e.g. after a crash. */
export async function tapPlace(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Outcome | undefined> {
  const { inbound, role, locale } = arrived;
  const { kind, id } = buttonOf(inbound.data);
  if (kind !== "ga" && kind !== "gl" && kind !== "gq") return undefined;
  const [, requestId = "", name = ""] = /^([^:]*):(.*)$/.exec(id) ?? [];
  const place = parsePlace(name);
  if (place === undefined) return undefined;
  if (!isAtLeast(role, "admin")) {
    await auditDenied(deps, arrived, `button ${kind}`);
    return { type: "refused", text: locale.pairing.adminsDecide };
  }
  const { person, address } = inbound;
  // Cards of earlier versions offer to leave on any platform.
  const decline = kind === "gl" && place.startsWith(`${address.platform}:`) ? "leave" : "quiet";
  const given: PlaceDecision = { kind: kind === "ga" ? "allow" : decline, by: person.id };
  const request = { id: requestId, place };
  const decided = await deps.people.decidePlaceRequest(request, given);
  const title = await placeName(deps.people, place);
  if (decided.kind !== given.kind || decided.by !== given.by) {
    const admin = (await deps.people.knownPerson(decided.by))?.name ?? decided.by;
    const outcome = outcomeIn(locale, decided, { title, admin });
    return { type: "refused", text: locale.contact.alreadyDecided(outcome), isStale: true };
  }
  await deps.people.notePerson(person);
  return await carryOut(deps, arrived, { request, decision: given, title });
}

async function carryOut(
  deps: AcceptDeps,
  { inbound, chat, locale }: Arrived<InboundTap>,
  {
    request,
    decision,
    title,
  }: {
    readonly request: { readonly id: string; readonly place: Place };
    readonly decision: PlaceDecision;
    readonly title: string;
  },
): Promise<Acceptance> {
  const { access, audit } = deps;
  const { place } = request;
  const { kind } = decision;
  const before = await access.ruleOf(place);
  // Write the audit line first, as for /allow.
  await audit.write(inbound.id, {
    action: "role-set",
    by: inbound.person,
    chat,
    target: place,
    outcome: { allow: "allow", leave: "left", quiet: "ban" }[kind],
    details: { before: before ?? "none" },
  });
  if (kind === "allow") await access.setRule(place, "allow");
  else if (kind === "quiet") await access.setRule(place, "ban");
  else if (before === "allow") await access.setRule(place, undefined);
  const said = { title, admin: inbound.person.name };
  const of = placeCardId(request);
  const resolution = { kind: "resolution", v: 1, id: `${of}-decided`, of } as const;
  await notifyAllAdmins(deps.pairing, chat, (theirs) => ({
    ...resolution,
    text: outcomeIn(theirs, decision, said),
  }));
  return {
    type: "answered",
    text: outcomeIn(locale, decision, said),
    isPrivate: true,
    ...(kind === "leave" ? { leaves: place } : {}),
  };
}

/** Who decided what, in a sentence. */
function outcomeIn(
  { contact }: Locale,
  { kind }: PlaceDecision,
  { title, admin }: { readonly title: string; readonly admin: string },
): string {
  const said = {
    allow: contact.placeAllowed,
    leave: contact.placeLeft,
    quiet: contact.placeQuiet,
  };
  return said[kind](title, admin);
}
