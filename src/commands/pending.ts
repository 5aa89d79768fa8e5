import { describePerson } from "../access/describe-person.ts";
import { openRequests, pairingButtons } from "../access/pairing.ts";
import { quotedTitle } from "../access/place-name.ts";
import { openPlaces, placeButtons } from "../access/place-requests.ts";
import type { ChatKey } from "../core/chat.ts";
import type { AnswerButton } from "../core/inbound.ts";
import type { Button } from "../core/outbox.ts";
import type { Locale } from "../locales/locale.ts";
import type { PlaceRequest } from "../store/people/place-requests.ts";
import type { Pairing } from "../store/people/pairings.ts";
import { answer, type Command } from "./command.ts";
import { described } from "./menu.ts";

/** Each has two buttons, of which an answer takes 25. */
const maxShown = { people: 10, groups: 4, together: 12 };
/** UTF-16 units of a name on a button. */
const maxLabel = 24;

/** `/pending`: who asks to be let in, and which groups the bot was added to, the newest first. */
export const pendingCommand: Command = {
  spec: { ...described("pending", ({ pending }) => pending.description), adminOnly: true },
  role: "admin",
  isPrivate: true,
  async run({ locale, chat }, { pairing }) {
    const { contact } = locale;
    const [people, groups] = await Promise.all([openRequests(pairing), openPlaces(pairing)]);
    if (people.length === 0 && groups.length === 0) return answer(contact.nobodyWaits);
    const shownGroups = groups.slice(0, maxShown.groups);
    const room = Math.min(maxShown.people, maxShown.together - shownGroups.length);
    const shownPeople = people.slice(0, room);
    const more = (all: readonly unknown[], some: readonly unknown[]): readonly string[] =>
      all.length > some.length ? [contact.more(all.length - some.length)] : [];
    return {
      ...answer(
        ...(people.length === 0 ? [] : [contact.waiting]),
        ...shownPeople.map(({ person, code }) => `• ${describePerson(person)}: ${code}`),
        ...more(people, shownPeople),
        ...(people.length === 0 ? [] : [contact.howToAllow]),
        ...(groups.length === 0 ? [] : [contact.groupsWait]),
        ...shownGroups.map(({ title }) => `• ${quotedTitle(title)}`),
        ...more(groups, shownGroups),
      ),
      buttons: [
        ...shownPeople.flatMap((request) => personButtons(request, locale)),
        ...shownGroups.flatMap((request) => groupButtons(request, chat, locale)),
      ],
    };
  },
};

const personButtons = ({ code, person }: Pairing, { pairing }: Locale) =>
  named(pairingButtons(code, pairing), person.name, [`/allow ${code}`, `/ban ${person.id}`]);

/** Where there are no buttons the bot can't leave either. */
const groupButtons = (request: PlaceRequest, shownIn: ChatKey, locale: Locale) =>
  named(placeButtons(request, shownIn, locale), request.title, [
    `/allow ${request.place}`,
    `/ban ${request.place}`,
  ]);

const named = (
  buttons: readonly Button[],
  name: string,
  typed: readonly string[],
): readonly AnswerButton[] =>
  buttons.map(({ label, data }, index) => ({
    label: `${label}: ${name.slice(0, maxLabel).toWellFormed()}`,
    data,
    typed: typed[index] ?? "",
  }));
