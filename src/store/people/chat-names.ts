import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import { namedBy } from "../../core/places.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import type { PeopleStore } from "./people.ts";

/** The newest entries of a chat, among which one of a person is looked for. */
const window = 4;
/** Of a message, the little that is needed. */
const writtenSchema = z.object({
  person: z.object({ name: z.string() }),
  group: z.boolean().optional(),
});

export interface ChatName {
  /** Of the chat's person, or of the group; else of who wrote last. */
  readonly name: string;
  /** It's a group whose own name isn't known. */
  readonly isWriter: boolean;
}

/** What chats can be called; those of which nothing is known are left out. Two round trips. */
export async function chatNames(
  { redis }: Pick<Store, "redis">,
  people: Pick<PeopleStore, "knownPeople">,
  chats: readonly ChatKey[],
): Promise<ReadonlyMap<ChatKey, ChatName>> {
  const kept = new Map(chats.map((chat) => [chat, namedBy(chat)]));
  const known = new Map(
    (await people.knownPeople([...kept.values()])).map(({ id, name }) => [id, name]),
  );
  const named = await Promise.all(
    chats.map(async (chat): Promise<readonly (readonly [ChatKey, ChatName])[]> => {
      const name = known.get(kept.get(chat) ?? "");
      if (name !== undefined) return [[chat, { name, isWriter: false }]];
      const newest = await redis.lrange(chatKeys(chat).log, -window, -1);
      const written = newest.findLast((json) => json.startsWith('{"kind":"message"'));
      const message = readable(writtenSchema, written);
      if (message === undefined) return [];
      return [[chat, { name: message.person.name, isWriter: message.group === true }]];
    }),
  );
  return new Map(named.flat());
}
