import { parsePlace, type Place } from "../core/places.ts";
import type { Person } from "../core/chat.ts";
import { givenRoles, type Role } from "../core/roles.ts";
import type { Part, PartOfAll } from "../store/people/part.ts";
import type { PlaceRule } from "../store/people/place-rules.ts";
import { placeOf, type ScannedPage } from "../store/redis/scan-page.ts";
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

/** People or places on one page, and those after which a page of a search ends. */
const pageSize = 25;
const maxFound = 50;
const personShape = /^(?:(?:telegram|discord):-?[1-9]\d{0,19}|console:[\w.-]{1,64})$/;

/** A part of a list, from its cursor on. */
type Source<Id> = (cursor: string) => Promise<Part<Id>>;

/** Ids of a page that begins at `<number of the source>.<cursor>`. One that is none is the first. */
async function idsFrom<Id extends string>(
  sources: readonly Source<Id>[],
  from: string | undefined,
): Promise<ScannedPage<Id>> {
  let { at, cursor } = placeOf(from, sources.length);
  const ids = new Set<Id>();
  for (let source = sources[at]; source !== undefined; source = sources[at]) {
    const { found, next } = await source(cursor);
    // Only what the next page would show proves that there is one.
    if (ids.size >= pageSize && found.length > 0)
      return { found: [...ids], next: `${at}.${cursor}` };
    for (const id of found.toSorted()) ids.add(id);
    [at, cursor] = [next === "0" ? at + 1 : at, next];
  }
  return { found: [...ids], next: undefined };
}

/** Of the operator's file, which is in memory. */
const fromFile =
  <Id extends string>(names: readonly Id[]): Source<Id> =>
  (cursor) => {
    const end = Number(cursor) + pageSize;
    const found = names.slice(Number(cursor), end);
    return Promise.resolve({ found, next: end < names.length ? String(end) : "0" });
  };

/** What Redis has, without what the operator's file names. */
const stored =
  <Id extends string>(
    listed: readonly Id[],
    read: (part: PartOfAll) => Promise<Part<Id>>,
  ): Source<Id> =>
  async (cursor) => {
    const { found, next } = await read({ cursor, count: pageSize });
    return { found: found.filter((id) => !listed.includes(id)), next };
  };

/** One page of each: of those that a text names, or of all with a role or a rule, each on its own. */
export async function readLists(
  deps: ViewDeps,
  { text, from, placesFrom }: Readonly<Record<"text" | "from" | "placesFrom", string | undefined>>,
): Promise<{
  readonly people: ScannedPage<ListedPerson>;
  readonly places: ScannedPage<ListedPlace>;
}> {
  const [people, places] = await (text
    ? search(deps, text, from)
    : Promise.all([withRoles(deps, from), withRules(deps, placesFrom)]));
  return {
    people: { ...people, found: await listed(deps, people.found) },
    places: { ...places, found: await listedPlaces(deps, places.found) },
  };
}

/** Admins first, then members, guests and the banned. */
function withRoles({ services }: ViewDeps, from: string | undefined): Promise<ScannedPage<string>> {
  const { people, settings } = services;
  const { admins, allow, ban } = settings.access;
  const others = [...allow, ...ban].filter((name) => parsePlace(name) === undefined);
  const inFile = [...admins, ...others];
  const given = givenRoles.map((role) => stored(inFile, (part) => people.somePeople(role, part)));
  return idsFrom([fromFile(admins), ...given, fromFile(others)], from);
}

function withRules({ services }: ViewDeps, from: string | undefined): Promise<ScannedPage<Place>> {
  const { people, settings } = services;
  const { allow, ban } = settings.access;
  const inFile = [...ban, ...allow].flatMap((name) => parsePlace(name) ?? []);
  const given = stored(inFile, (part) => people.somePlaces(part));
  return idsFrom([fromFile(inFile), given], from);
}

/** By their ids also people and places that have never written. */
async function search(
  { services }: ViewDeps,
  text: string,
  from: string | undefined,
): Promise<readonly [ScannedPage<string>, ScannedPage<Place>]> {
  const { people, next } = await services.people.searchKnown(text, { from, count: maxFound });
  const isId = personShape.test(text) || parsePlace(text) !== undefined;
  const ids = new Set([
    ...(from === undefined && isId ? [text] : []),
    ...people.map(({ id }) => id),
  ]);
  const places = new Set([...ids].flatMap((id) => parsePlace(id) ?? []));
  const others = [...ids].filter((id) => parsePlace(id) === undefined);
  return [
    { found: others, next },
    { found: [...places], next: undefined },
  ];
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
