import { namedBy, parsePlace } from "../core/places.ts";
import type { PeopleStore } from "../store/people/people.ts";

/** Undefined: the bot has not heard it for 30 days. */
export type NameOf = (id: string) => string | undefined;

/**
 * Names that people and groups have now, by their ids; of chats, by their keys; of limits, by their
 * chats'.
 * @param people whose private chats are named, too, by their ids.
 */
export async function knownNames(
  store: Pick<PeopleStore, "knownPeople" | "directChats">,
  {
    ids,
    people,
  }: { readonly ids: readonly string[]; readonly people: ReadonlyMap<string, string> },
): Promise<NameOf> {
  const [known, ...own] = await Promise.all([
    store.knownPeople([...new Set(ids.map(idIn))]),
    ...[...people].map(async ([id, name]) =>
      (await store.directChats(id)).map((chat) => [chat, name] as const),
    ),
  ]);
  const names = new Map<string, string>([
    ...own.flat(),
    ...people,
    ...known.map(({ id, name }) => [id, name] as const),
  ]);
  return (id) => names.get(id) ?? names.get(idIn(id));
}

/** What a fact is kept as where it is a chat, or a limit's; else the fact itself. */
function idIn(fact: string): string {
  const [, chat] = /^(?:chat:)?((?:telegram|discord|console)(?::[^:]+){2,3})$/.exec(fact) ?? [];
  return chat === undefined || parsePlace(fact) === fact ? fact : namedBy(chat);
}
