import type { ChatKey } from "../core/chat.ts";
import { chatOfKey } from "../store/keys.ts";
import { scanPage, type ScannedPage } from "../store/redis/scan-page.ts";
import type { Services } from "../services.ts";

/** About so many chats are on one page. */
const perPage = 100;
/** How long one page looks for them: those of rare names are far apart. Milliseconds. */
const listMs = 25;
const searchMs = 400;

interface Asked {
  readonly wanted: string;
  readonly from: string | undefined;
}

type Found = Promise<ScannedPage<ChatKey>>;

/**
 * All chats, or those whose key has a text in it, followed by the direct chats of people whose name,
 * user name or id has it. No index holds them: each page examines a part of Redis' keys.
 */
export async function findChats(services: Pick<Services, "store" | "people">, asked: Asked): Found {
  const [, namesFrom] = /^names:(.*)$/.exec(asked.from ?? "") ?? [];
  if (namesFrom !== undefined) return await chatsByName(services, { ...asked, from: namesFrom });
  const page = await chatsByKey(services, asked);
  if (page.next !== undefined || asked.wanted === "") return page;
  return page.found.length > 0
    ? { ...page, next: "names:" }
    : await chatsByName(services, { ...asked, from: undefined });
}

async function chatsByKey({ store }: Pick<Services, "store">, { wanted, from }: Asked): Found {
  // No chat's key has another character.
  if (!/^[\w@.:-]*$/.test(wanted)) return { found: [], next: undefined };
  const pattern = `parley:{s*}:st:${wanted === "" ? "" : `*${wanted}`}*`;
  const withinMs = wanted === "" ? listMs : searchMs;
  return await scanPage(store, { pattern, from, count: perPage, withinMs }, (keys) =>
    Promise.resolve(keys.flatMap((key) => chatOfKey(key, "st") ?? [])),
  );
}

async function chatsByName({ people }: Pick<Services, "people">, { wanted, from }: Asked): Found {
  const page = { from, count: perPage };
  const { people: known, next } = await people.searchKnown(wanted.replace(/^@/, ""), page);
  const direct = await Promise.all(known.map(({ id }) => people.directChats(id)));
  return { found: direct.flat(), next: next === undefined ? undefined : `names:${next}` };
}
