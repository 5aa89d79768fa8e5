import type { Place } from "../core/places.ts";
import type { PeopleStore } from "../store/people/people.ts";

/** Characters of a group's name, which people choose. */
const maxTitleLength = 60;

/** A group's or server's name in a sentence. Pure. */
export const quotedTitle = (title: string): string =>
  `"${title.replace(/\s+/g, " ").trim().slice(0, maxTitleLength).toWellFormed()}"`;

/** What people call a place, if the bot has heard it in the last 30 days; else its id. */
export async function placeName(
  people: Pick<PeopleStore, "knownPerson">,
  place: Place,
): Promise<string> {
  const known = await people.knownPerson(place);
  return known === undefined ? place : quotedTitle(known.name);
}
