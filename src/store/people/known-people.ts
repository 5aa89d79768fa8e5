import { z } from "zod";
import type { Person, Platform } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanPage } from "../redis/scan-page.ts";
import { readable } from "../stored.ts";

/** How long a person who doesn't write is remembered. Milliseconds. */
const knownForMs = 30 * 86_400_000;

/** A person as others see them. */
type KnownPerson = Pick<Person, "id" | "name" | "username">;

/** Who has written lately, so that admins can name people. */
export interface KnownPeople {
  /** Written once in five minutes per process. */
  notePerson(person: Person): Promise<void>;
  /**
   * The last person who wrote under this name, if they still have it.
   * Case-insensitive.
   */
  findByUsername(platform: Platform, username: string): Promise<KnownPerson | undefined>;
  /** The person's name when they last wrote. */
  knownPerson(personId: string): Promise<KnownPerson | undefined>;
  /** The same for many people, in their order; unknown ones are left out. */
  knownPeople(personIds: readonly string[]): Promise<readonly KnownPerson[]>;
  /**
   * Some people, and groups, whose name, user name or id contains the text, in no order. Each page
   * examines a part of all keys, and ends after about `count` people. @param from `next` of the page
   * before.
   */
  searchKnown(
    text: string,
    page: { readonly from: string | undefined; readonly count: number },
  ): Promise<{ readonly people: readonly KnownPerson[]; readonly next: string | undefined }>;
}

const storedPerson = z.object({
  v: z.literal(1),
  name: z.string(),
  username: z.string().optional(),
});

/** How long one page of a search looks. Milliseconds. */
const searchMs = 400;
/** Characters of a name that are kept. */
const maxNameLength = 100;

export const knownKey = (personId: string): string => configKey(`known:${personId}`);

/** Names are compared as on the platforms: case-insensitively. */
export const usernameKey = (platform: string, username: string): string =>
  configKey(`username:${platform}:${username.toLowerCase()}`);

export function createKnownPeople(
  redis: Store["redis"],
  written: {
    readonly has: (name: string) => boolean;
    readonly add: (name: string) => void;
  },
): KnownPeople {
  async function knownPeople(ids: readonly string[]): Promise<readonly KnownPerson[]> {
    if (ids.length === 0) return [];
    const found = await redis.mget(ids.map(knownKey));
    return ids.flatMap((id, index) => {
      const person = readable(storedPerson, found[index]);
      if (person === undefined) return [];
      const { name, username } = person;
      return [{ id, name, ...(username === undefined ? {} : { username }) }];
    });
  }
  const knownPerson = async (id: string): Promise<KnownPerson | undefined> =>
    (await knownPeople([id]))[0];
  return {
    async notePerson({ id, name, username }) {
      const short = name.slice(0, maxNameLength).toWellFormed();
      const stored = JSON.stringify({ v: 1, name: short, username });
      const mark = `${id} ${stored}`;
      if (written.has(mark)) return;
      const [platform = ""] = id.split(":");
      await Promise.all([
        redis.set(knownKey(id), stored, "PX", knownForMs),
        username === undefined
          ? undefined
          : redis.set(usernameKey(platform, username), id, "PX", knownForMs),
      ]);
      written.add(mark);
    },
    async findByUsername(platform, username) {
      const id = await redis.get(usernameKey(platform, username));
      if (id === null) return undefined;
      // They may have given up the name since; its new owner hasn't written
      // yet.
      const person = await knownPerson(id);
      const isTheirs = person?.username?.toLowerCase() === username.toLowerCase();
      return isTheirs ? person : undefined;
    },
    knownPerson,
    knownPeople,
    async searchKnown(text, page) {
      const wanted = text.toLowerCase();
      const { found, next } = await scanPage(
        { redis },
        { ...page, pattern: knownKey("*"), withinMs: searchMs },
        async (keys) => {
          const known = await knownPeople(keys.map((key) => key.slice(knownKey("").length)));
          return known.filter(({ id, name, username = "" }) =>
            [id, name, `@${username}`].some((each) => each.toLowerCase().includes(wanted)),
          );
        },
      );
      return { people: found, next };
    },
  };
}
