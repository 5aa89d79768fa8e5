import type { ChatKey } from "../core/chat.ts";
import { chatOfKey } from "../store/keys.ts";
import { scanPage } from "../store/redis/scan-page.ts";
import type { Services } from "../services.ts";

/** About so many chats are on one page. */
const perPage = 100;
/** How long one page looks for them: those of rare names are far apart. Milliseconds. */
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
  const [, namesFrom] = /^names:(.*)$/.exec(from ?? "") ?? [];
  if (namesFrom !== undefined) return await chatsByName(people, wanted, namesFrom);
  const page = await chatsByKey(store, wanted, from);
  if (page.next !== undefined || wanted === "") return page;
  return page.chats.length > 0
    ? { ...page, next: "names:" }
    : await chatsByName(people, wanted, undefined);
}

async function chatsByKey(
  store: Services["store"],
  wanted: string,
  from: string | undefined,
): Promise<FoundChats> {
  // No chat's key has another character.
  if (!/^[\w@.:-]*$/.test(wanted)) return { chats: [], next: undefined };
  const { found, next } = await scanPage(
    store,
    {
      pattern: `parley:{s*}:st:${wanted === "" ? "" : `*${wanted}`}*`,
      from,
      count: perPage,
      withinMs: wanted === "" ? listMs : searchMs,
    },
    (keys) => Promise.resolve(keys.flatMap((key) => chatOfKey(key, "st") ?? [])),
  );
  return { chats: found, next };
}

async function chatsByName(
  people: Services["people"],
  wanted: string,
  from: string | undefined,
): Promise<FoundChats> {
  const page = { from, count: perPage };
  const found = await people.searchKnown(wanted.replace(/^@/, ""), page);
  const direct = await Promise.all(found.people.map(({ id }) => people.directChats(id)));
  const { next } = found;
  return { chats: direct.flat(), next: next === undefined ? undefined : `names:${next}` };
}
