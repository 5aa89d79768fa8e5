import { parsePlace, type Place } from "../core/places.ts";
import type { Person } from "../core/chat.ts";
import { givenRoles, type Role } from "../core/roles.ts";
import type { PlaceRule } from "../store/people/place-rules.ts";
import type { ViewDeps } from "./view.ts";

export interface ListedPerson {
  readonly person: Pick<Person, "id" | "name" | "username">;
  readonly role: Role;
  /** The operator's file says so: it can't be changed here. */
  readonly isFromFile: boolean;
}

export interface ListedPlace {
  readonly place: Place;
  /** The place itself where no one has written in the last 30 days. */
  readonly name: string;
  readonly rule: PlaceRule | undefined;
  readonly isFromFile: boolean;
}

/** People on one page, and those after which a page of a search ends. */
const pageSize = 25;
const maxFound = 50;
const personShape = /^(?:(?:telegram|discord):-?[1-9]\d{0,19}|console:[\w.-]{1,64})$/;

/** Ids of everyone with a role of their own, and of those in the operator's file. */
async function idsWithRole({ services }: ViewDeps): Promise<readonly string[]> {
  const { admins, allow, ban } = services.settings.access;
  const given = await Promise.all(givenRoles.map((role) => services.people.withRole(role)));
  const fromFile = [...allow, ...ban].filter((name) => parsePlace(name) === undefined);
  return [
    ...new Set([...admins, ...given.flatMap((ids) => ids.toSorted()), ...fromFile.toSorted()]),
  ];
}

/** One page of everyone with a role; admins first, then members, guests and the banned. */
export async function peopleWithRoles(
  deps: ViewDeps,
  page: number,
): Promise<{ readonly people: readonly ListedPerson[]; readonly isMore: boolean }> {
  const ids = await idsWithRole(deps);
  const people = await listed(deps, ids.slice((page - 1) * pageSize, page * pageSize));
  return { people, isMore: ids.length > page * pageSize };
}

/** Groups and servers with a rule. */
export async function placesWithRules(deps: ViewDeps): Promise<readonly ListedPlace[]> {
  const { allow, ban } = deps.services.settings.access;
  const fromFile = [...ban, ...allow].flatMap((name) => parsePlace(name) ?? []);
  const rules = await deps.services.people.placeRules();
  return await listedPlaces(deps, [...new Set([...fromFile, ...rules.keys()])]);
}

/** People and places that a text names: by their ids also those who have never written. */
export async function search(
  deps: ViewDeps,
  text: string,
  from: string | undefined,
): Promise<{
  readonly people: readonly ListedPerson[];
  readonly places: readonly ListedPlace[];
  /** Where the next page begins; undefined: there is no other one. */
  readonly next: string | undefined;
}> {
  const page = { from, count: maxFound };
  const { people: known, next } = await deps.services.people.searchKnown(text, page);
  const ids = new Set([
    ...(from === undefined && (personShape.test(text) || parsePlace(text) !== undefined)
      ? [text]
      : []),
    ...known.map(({ id }) => id),
  ]);
  const places = [...ids].flatMap((id) => parsePlace(id) ?? []);
  const people = [...ids].filter((id) => parsePlace(id) === undefined);
  return {
    people: await listed(deps, people),
    places: await listedPlaces(deps, [...new Set(places)]),
    next,
  };
}

async function listed(
  { services, commands }: ViewDeps,
  ids: readonly string[],
): Promise<readonly ListedPerson[]> {
  const known = await services.people.knownPeople(ids);
  const names = new Map(known.map((person) => [person.id, person]));
  const { access } = commands;
  return await Promise.all(
    ids.map(async (id) => {
      const person = names.get(id) ?? { id, name: id };
      const isFromFile = access.isListedOwner(id) || access.listed(id) !== undefined;
      return { person, role: await access.roleOf(person), isFromFile };
    }),
  );
}

async function listedPlaces(
  { services, commands: { access } }: ViewDeps,
  places: readonly Place[],
): Promise<readonly ListedPlace[]> {
  const [known, rules] = await Promise.all([
    services.people.knownPeople(places),
    services.people.rulesOf(places),
  ]);
  const names = new Map(known.map(({ id, name }) => [id, name]));
  return places.map((place, index) => {
    const inFile = access.listed(place);
    const name = names.get(place) ?? place;
    return { place, name, rule: inFile ?? rules[index], isFromFile: inFile !== undefined };
  });
}
