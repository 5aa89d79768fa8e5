import { notifyAllAdmins } from "../access/notify-admins.ts";
import { describePerson } from "../access/describe-person.ts";
import { placeName, quotedTitle } from "../access/place-name.ts";
import type { InboundJoin, InboundTap } from "../core/inbound.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import { parsePlace, placesOf, type Place } from "../core/places.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import { auditDenied } from "./check-access.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";
import { buttonOf } from "./tap.ts";

/** A crowd that adds the bot to groups must not bury other messages to admins. Milliseconds. */
const maxCards = 20;
const cardsWindowMs = 10 * 60_000;

/** The entry of the card; a place that the bot is added to again gets another one. */
const cardId = (joinId: string, place: Place): string => `join-${joinId}-${place}`;

/**
 * The bot was added to a group or server: two lines there, and a card to every admin, unless
 * everyone there may use it anyway. Says nothing where it is banned.
 */
export async function introduce(
  deps: AcceptDeps,
  { inbound, chat, isSilent, locale }: Arrived<InboundJoin>,
): Promise<Outcome> {
  const place = placesOf(inbound).at(-1);
  if (place === undefined || isSilent) return { type: "ignored" };
  const { access, people } = deps;
  await people.notePerson({ id: place, name: inbound.title });
  const { contact } = locale;
  const isOpen = access.mode === "open" || (await access.isLetIn(inbound));
  if (!isOpen && (await mayShowCard(deps, inbound)))
    await notifyAllAdmins(deps.pairing, chat, (theirs) => cardOf(inbound, place, theirs));
  const second = isOpen
    ? contact.seeHelp
    : (await access.isUnclaimed())
      ? contact.noOwner
      : contact.askedOwner;
  return { type: "reply", text: `${contact.greeting}\n${second}`, isLowPriority: true };
}

async function mayShowCard({ people }: AcceptDeps, { id, address }: InboundJoin): Promise<boolean> {
  for (let count = 1; count <= maxCards; count += 1) {
    const by = `${address.chat} ${id}`;
    if (await people.mayNotify(`join-card#${count}`, by, cardsWindowMs)) return true;
  }
  return false;
}

/** Buttons: `ga:<join>:<place>` lets it in, `gl:…` leaves. At most 64 bytes. */
function cardOf(
  { id, title, person }: InboundJoin,
  place: Place,
  { contact, pairing }: Locale,
): OutboxEntry {
  const by = person.anonymous ? [] : [contact.addedBy(describePerson(person))];
  return {
    kind: "notice",
    v: 1,
    id: cardId(id, place),
    text: [...by, contact.letIn(quotedTitle(title))].join("\n"),
    buttons: [
      { label: pairing.allow, data: `ga:${id}:${place}` },
      { label: contact.leave, data: `gl:${id}:${place}` },
    ],
  };
}

/** A tap on such a card. */
export async function tapPlace(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Outcome | undefined> {
  const { inbound, chat, role, locale } = arrived;
  const { kind, id } = buttonOf(inbound.data);
  if (kind !== "ga" && kind !== "gl") return undefined;
  const [, joinId = "", name = ""] = /^([^:]*):(.*)$/.exec(id) ?? [];
  const place = parsePlace(name);
  if (place === undefined) return undefined;
  if (!isAtLeast(role, "admin")) {
    await auditDenied(deps, arrived, `button ${kind}`);
    return { type: "refused", text: locale.pairing.adminsDecide };
  }
  const isAllowed = kind === "ga";
  const { access, audit } = deps;
  // Write the audit line first, as for /allow.
  await audit.write(inbound.id, {
    action: "role-set",
    by: inbound.person,
    chat,
    target: place,
    outcome: isAllowed ? "allow" : "left",
    details: { before: (await access.ruleOf(place)) ?? "none" },
  });
  if (isAllowed) await access.setRule(place, "allow");
  const title = await placeName(deps.people, place);
  const outcomeIn = ({ contact }: Locale): string =>
    (isAllowed ? contact.placeAllowed : contact.placeLeft)(title, inbound.person.name);
  const of = cardId(joinId, place);
  const resolution = { kind: "resolution", v: 1, id: `${of}-decided`, of } as const;
  await notifyAllAdmins(deps.pairing, chat, (theirs) => ({
    ...resolution,
    text: outcomeIn(theirs),
  }));
  return {
    type: "answered",
    text: outcomeIn(locale),
    isPrivate: true,
    ...(isAllowed ? {} : { leaves: place }),
  };
}
