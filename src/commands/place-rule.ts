import { changePlaceRule } from "../access/change-place-rule.ts";
import { placeName, quotedTitle } from "../access/place-name.ts";
import { parsePlace, placesOf, type Place } from "../core/places.ts";
import type { PlaceRule } from "../store/people/place-rules.ts";
import { answer, type CommandAnswer, type CommandCall, type CommandDeps } from "./command.ts";

/** The accepted words for a place: the chat of the command, or its whole server. */
export const placeWords = ["here", "server"] as const;

/** Whether it means a place rather than a person. */
export const meansPlace = (text: string): boolean =>
  placeWords.some((word) => word === text.toLowerCase()) || parsePlace(text) !== undefined;

/**
 * `/allow here`, `/ban server`, `/unban discord:channel:1`: for everyone there. `rule` undefined:
 * nothing is said of it.
 */
export async function setPlaceRule(
  call: CommandCall,
  { access, audit, pairing }: CommandDeps,
  { text, rule }: { readonly text: string; readonly rule?: PlaceRule },
): Promise<CommandAnswer> {
  const { person, chat, eventId } = call;
  const { people } = call.locale;
  const place = placeOf(call, text);
  if (place === undefined)
    return answer(text.toLowerCase() === "server" ? people.noServer : people.noPlace);
  const name =
    parsePlace(text) === undefined ? nameOf(call, text) : await placeName(pairing.people, place);
  const { locale } = call;
  const by = { by: person, chat, eventId };
  const outcome = await changePlaceRule(
    { access, audit, people: pairing.people },
    { ...by, place, name, rule, locale },
  );
  return answer(outcome.text);
}

/** What people call it, where it is the place that they are in. */
function nameOf({ chatTitle, locale }: CommandCall, text: string): string {
  const { thisChat, thisServer } = locale.people;
  if (text.toLowerCase() === "server") return thisServer;
  return chatTitle === undefined ? thisChat : quotedTitle(chatTitle);
}

/** Undefined: there is no such place here. */
function placeOf(call: CommandCall, text: string): Place | undefined {
  const named = parsePlace(text);
  if (named !== undefined) return named;
  const here = placesOf(call);
  return text.toLowerCase() === "server"
    ? here.find((place) => place.startsWith("discord:guild:"))
    : here[0];
}
