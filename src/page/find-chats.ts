import type { ChatKey } from "../core/chat.ts";
import { chatOfKey } from "../store/keys.ts";
import { scanPage } from "../store/redis/scan-page.ts";
import { knownPattern, personOfKnownKey } from "../store/people/known-people.ts";
import type { Services } from "../services.ts";

/** Chats of one page. */
const perPage = 100;
/** How long one page looks for them: rare names are far apart. Milliseconds. */
const listMs = 25;
const searchMs = 400;

export interface FoundChats {
  readonly chats: readonly ChatKey[];
  /** Where the next page begins; undefined: there is no other one. */
  readonly next: string | undefined;
}

/**
 * All chats, or those whose key has a text in it, followed by the direct chats of people whose name,
 * user name or id has it. No index holds them: each page examines a part of Redis' keys.
 */
export async function findChats(
  { store, people }: Pick<Services, "store" | "people">,
  { wanted, from }: { readonly wanted: string; readonly from: string | undefined },
): Promise<FoundChats> {
  const names = /^names:(.*)$/.exec(from ?? "");
  if (names === null) {
    const page = await chatsByKey({ store }, wanted, from);
    if (page.next !== undefined || wanted === "") return page;
    return page.chats.length > 0
      ? { ...page, next: "names:" }
      : await chatsByName({ store, people }, wanted, "");
  }
  return await chatsByName({ store, people }, wanted, names[1] ?? "");
}

async function chatsByKey(
  { store }: Pick<Services, "store">,
  wanted: string,
  from: string | undefined,
): Promise<FoundChats> {
  // No chat's key has another character.
  if (!/^[\w@.:-]*$/.test(wanted)) return { chats: [], next: undefined };
  const { keys, next } = await scanPage(store, {
    pattern: `parley:{s*}:st:${wanted === "" ? "" : `*${wanted}`}*`,
    from,
    atMost: perPage,
    withinMs: wanted === "" ? listMs : searchMs,
  });
  return { chats: unique(keys.map((key) => chatOfKey(key, "st"))), next };
}

async function chatsByName(
  { store, people }: Pick<Services, "store" | "people">,
  wanted: string,
  from: string,
): Promise<FoundChats> {
  const name = wanted.toLowerCase().replace(/^@/, "");
  const found: ChatKey[] = [];
  const untilMs = performance.now() + searchMs;
  let next: string | undefined = from;
  do {
    const page = await scanPage(store, {
      pattern: knownPattern,
      from: next,
      atMost: 1_000,
      withinMs: searchMs,
    });
    next = page.next;
    const known = await people.knownPeople(page.keys.map(personOfKnownKey));
    const named = known.filter((person) =>
      [person.id, person.name, person.username ?? ""].some((text) =>
        text.toLowerCase().includes(name),
      ),
    );
    const direct = await Promise.all(named.map(({ id }) => people.directChats(id)));
    found.push(...direct.flat());
  } while (next !== undefined && found.length < perPage && performance.now() < untilMs);
  return { chats: unique(found), next: next === undefined ? undefined : `names:${next}` };
}

const unique = (chats: readonly (ChatKey | undefined)[]): readonly ChatKey[] => [
  ...new Set(chats.filter((chat) => chat !== undefined)),
];
