import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { placesOf, type Place } from "../core/places.ts";
import type { PeopleStore } from "../store/people/people.ts";
import { visible } from "../text/visible-text.ts";

/** UTF-16 units of a group's name, which people choose. */
const maxTitleLength = 60;

/** A group's or server's name in a sentence, which it must not move, hide or seem to end. Pure. */
export function quotedTitle(title: string): string {
  const shown = visible(title.replace(/\s+/g, " ").trim()).replaceAll('"', "”");
  const short =
    shown.length > maxTitleLength ? `${shown.slice(0, maxTitleLength)}…`.toWellFormed() : shown;
  return `"${short}"`;
}

/** For operators, whose settings have the id. Pure. @param name the id itself: there is no other. */
export const nameAndId = (name: string, id: string): string =>
  name === id ? id : `${name} (${id})`;

/** What people call a place, if the bot has heard it in the last 30 days; else its id. */
export async function placeName(
  people: Pick<PeopleStore, "knownPerson">,
  place: Place,
): Promise<string> {
  const known = await people.knownPerson(place);
  return known === undefined ? place : quotedTitle(known.name);
}

/** The same for the group or channel of a chat; else the chat itself. */
export async function chatName(
  people: Pick<PeopleStore, "knownPeople">,
  chat: ChatKey,
): Promise<string> {
  const places = placesOf({ address: parseChatKey(chat), direct: false });
  const [known] = await people.knownPeople(places);
  return known === undefined ? chat : quotedTitle(known.name);
}
