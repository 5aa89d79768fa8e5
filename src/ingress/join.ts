import { decidePlace } from "../access/decide-place.ts";
import { notifyAllAdmins } from "../access/notify-admins.ts";
import { noOwner } from "../access/pairing.ts";
import { placeCard } from "../access/place-requests.ts";
import { botOf } from "../core/chat.ts";
import type { InboundJoin, InboundTap } from "../core/inbound.ts";
import { parsePlace, placesOf, type Place } from "../core/places.ts";
import { isAtLeast } from "../core/roles.ts";
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
  const request = { id, place, title, bot: botOf(chat), chat, ...by };
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

/** A tap on such a card. The first decision counts; who made it may repeat it until it's done. */
export async function tapPlace(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Outcome | undefined> {
  const { inbound, chat, role, locale } = arrived;
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
  const given = kind === "ga" ? "allow" : decline;
  // Other admins read their name as soon as it is decided.
  await deps.people.notePerson(person);
  const { isDone, text } = await decidePlace(deps.pairing, {
    request: { id: requestId, place },
    kind: given,
    admin: person,
    chat,
    eventId: inbound.id,
    locale,
  });
  if (!isDone) return { type: "refused", text, isStale: true };
  return {
    type: "answered",
    text,
    isPrivate: true,
    ...(given === "leave" ? { leaves: place } : {}),
  };
}
