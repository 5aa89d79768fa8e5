import { botOf, type ChatKey } from "../core/chat.ts";
import type { Button, OutboxEntry } from "../core/outbox.ts";
import type { Locale } from "../locales/locale.ts";
import type { PeopleStore } from "../store/people/people.ts";
import type { PlaceRequest } from "../store/people/place-requests.ts";
import type { Access } from "./access.ts";
import { describePerson } from "./describe-person.ts";
import { quotedTitle } from "./place-name.ts";

/** The entry of the card; a place that the bot is added to again gets another one. */
export const placeCardId = ({ id, place }: Pick<PlaceRequest, "id" | "place">): string =>
  `join-${id}-${place}`;

/**
 * Buttons: `ga:<request>:<place>` lets it in, `gl:…` leaves, `gq:…` makes the bot quiet there. Only
 * the bot that was added can leave, so another one's chat doesn't offer that. At most 64 bytes.
 */
export function placeButtons(
  { id, place, bot }: PlaceRequest,
  shownIn: ChatKey,
  { contact, pairing }: Locale,
): readonly [allow: Button, decline: Button] {
  const isHere = botOf(shownIn) === bot;
  return [
    { label: pairing.allow, data: `ga:${id}:${place}` },
    isHere
      ? { label: contact.leave, data: `gl:${id}:${place}` }
      : { label: contact.stayQuiet, data: `gq:${id}:${place}` },
  ];
}

/** What an admin is asked. */
export function placeCard(request: PlaceRequest, shownIn: ChatKey, locale: Locale): OutboxEntry {
  const { person, title } = request;
  const { addedBy, letIn } = locale.contact;
  const by = person === undefined ? [] : [addedBy(describePerson(person))];
  return {
    kind: "notice",
    v: 1,
    id: placeCardId(request),
    text: [...by, letIn(quotedTitle(title))].join("\n"),
    buttons: [...placeButtons(request, shownIn, locale)],
  };
}

/** Groups and servers that wait for a decision, the newest first. */
export async function openPlaces({
  access,
  people,
}: {
  readonly access: Pick<Access, "listed" | "ruleOf">;
  readonly people: Pick<PeopleStore, "openPlaceRequests">;
}): Promise<readonly PlaceRequest[]> {
  const open = await people.openPlaceRequests();
  // A command, or the operator's file, may have decided since.
  const rules = await Promise.all(
    open.map(async ({ place }) => access.listed(place) ?? (await access.ruleOf(place))),
  );
  return open.filter((_, index) => rules[index] === undefined);
}
