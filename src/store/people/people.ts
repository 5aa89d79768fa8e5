import { erasePageSessions } from "../operations/page-sessions.ts";
import { chatKey, parseChatKey, type ChatKey, type Person } from "../../core/chat.ts";
import type { Preference } from "../../core/history.ts";
import { givenRoles, type GivenRole } from "../../core/roles.ts";
import { configKey } from "../keys.ts";
import { createKnownPeople, type KnownPeople } from "./known-people.ts";
import { createPairings, hasClaimed, type Pairings } from "./pairings.ts";
import { createPlaceRequests, type PlaceRequests } from "./place-requests.ts";
import type { Part, PartOfAll } from "./part.ts";
import { bansKey, createPlaceRules, type PlaceRules } from "./place-rules.ts";
import { parseDrafting, type Drafting } from "../personas/persona-drafts.ts";
import { Recent } from "../turns/recent.ts";
import type { Store } from "../redis/redis.ts";

/** The stored data of a person. */
export interface Profile {
  readonly role: GivenRole | undefined;
  /** They are the admin who claimed the bot. */
  readonly isClaimer?: true;
  readonly preference: Preference;
  /** The language that they have chosen, by its ISO 639-1 code. */
  readonly language?: string;
  /** BCP 47: what the platform reported of them last, where that was worth keeping. */
  readonly reportedLanguage?: string;
  /** Where their next message answers a question about a persona that they are making. */
  readonly drafting?: Drafting;
}

/** Sets the given fields; removes those given as undefined. */
export type PreferenceChange = {
  readonly [Field in keyof Preference]?: string | undefined;
};

/** Who is who, over all platforms of a deployment. */
export interface PeopleStore extends KnownPeople, Pairings, PlaceRequests, PlaceRules {
  profile(personId: string): Promise<Profile>;
  /** @param role undefined: they have none any more. */
  setRole(person: Pick<Person, "id" | "name">, role: GivenRole | undefined): Promise<void>;
  setPreference(personId: string, change: PreferenceChange): Promise<void>;
  /** Sets the time zone of a person who has none; whether it did. */
  keepZone(personId: string, zone: string): Promise<boolean>;
  /** @param language undefined: none is chosen any more. */
  setLanguage(personId: string, language: string | undefined): Promise<void>;
  setReportedLanguage(personId: string, language: string): Promise<void>;
  /** @param drafting undefined: no question is open any more. */
  setDrafting(personId: string, drafting: string | undefined): Promise<void>;
  /** Ids of everybody with a role, e.g. all admins. */
  withRole(role: GivenRole): Promise<readonly string[]>;
  /** A part of them, in no order, for lists that people page through. */
  somePeople(role: GivenRole, part: PartOfAll): Promise<Part<string>>;
  /** Remembers where a person can be reached alone; written once in five minutes per process. */
  setDirectChat(bot: string, personId: string, chat: ChatKey): Promise<void>;
  directChat(bot: string, personId: string): Promise<ChatKey | undefined>;
  /** The same with every bot that they have written to, by the bots' names. */
  directChats(personId: string): Promise<readonly ChatKey[]>;
  /** True for the first event of a window, also when it is repeated: the person may be notified. */
  mayNotify(what: string, eventId: string, windowMs: number): Promise<boolean>;
}

/** The hash of what is stored of a person; `schedule-count.ts` has fields there, too. */
export const personKey = (id: string): string => configKey(`person:${id}`);
const roleKey = (role: GivenRole): string => configKey(`role:${role}`);
async function readProfile(redis: Store["redis"], personId: string): Promise<Profile> {
  const [role, tier, model, zone, language, reportedLanguage, asked] = await redis.hmget(
    personKey(personId),
    "role",
    "tier",
    "model",
    "zone",
    "language",
    "reportedLanguage",
    "drafting",
  );
  const drafting = parseDrafting(asked);
  const isClaimer = role === "admin" && (await hasClaimed(redis, personId));
  return {
    role: givenRoles.find((each) => each === role),
    ...(isClaimer ? { isClaimer } : {}),
    preference: {
      ...(tier ? { tier } : {}),
      ...(model ? { model } : {}),
      ...(zone ? { zone } : {}),
    },
    ...(language ? { language } : {}),
    ...(reportedLanguage ? { reportedLanguage } : {}),
    ...(drafting === undefined ? {} : { drafting }),
  };
}

/** @param now by a clock that never goes back. Milliseconds. */
export function createPeopleStore(
  { redis }: Store,
  now: () => number = () => performance.now(),
): PeopleStore {
  const written = new Recent(now);
  return {
    ...createKnownPeople(redis, written),
    ...createPairings(redis),
    ...createPlaceRequests(redis),
    ...createPlaceRules(redis),
    profile: (personId) => readProfile(redis, personId),
    async setRole({ id, name }, role) {
      // Whatever it was before: who watches for bans looks again.
      const change = redis.multi().incr(bansKey);
      if (role === undefined) change.hdel(personKey(id), "role", "name");
      else change.hset(personKey(id), { role, name });
      for (const each of givenRoles) {
        if (each === role) change.sadd(roleKey(each), id);
        else change.srem(roleKey(each), id);
      }
      await change.exec();
      // They end for good: an admin who gets the role back logs in again.
      if (role !== "admin") await erasePageSessions(redis, id);
    },
    async setPreference(personId, change) {
      const pipeline = redis.multi();
      for (const [field, value] of Object.entries(change)) {
        if (value === undefined) pipeline.hdel(personKey(personId), field);
        else pipeline.hset(personKey(personId), field, value);
      }
      await pipeline.exec();
    },
    keepZone: async (personId, zone) =>
      (await redis.hsetnx(personKey(personId), "zone", zone)) === 1,
    async setLanguage(personId, language) {
      if (language === undefined) await redis.hdel(personKey(personId), "language");
      else await redis.hset(personKey(personId), { language });
    },
    async setReportedLanguage(personId, reportedLanguage) {
      await redis.hset(personKey(personId), { reportedLanguage });
    },
    async setDrafting(personId, drafting) {
      if (drafting === undefined) await redis.hdel(personKey(personId), "drafting");
      else await redis.hset(personKey(personId), { drafting });
    },
    withRole: (role) => redis.smembers(roleKey(role)),
    async somePeople(role, { cursor, count }) {
      const [next, found] = await redis.sscan(roleKey(role), cursor, "COUNT", count);
      return { found, next };
    },
    async setDirectChat(bot, personId, chat) {
      const name = `${personId} ${chat}`;
      if (written.has(name)) return;
      await redis.hset(personKey(personId), `direct:${bot}`, chat);
      written.add(name);
    },
    async directChat(bot, personId) {
      const chat = await redis.hget(personKey(personId), `direct:${bot}`);
      return chat ? chatKey(parseChatKey(chat)) : undefined;
    },
    async directChats(personId) {
      const fields = Object.entries(await redis.hgetall(personKey(personId)));
      return fields
        .filter(([field]) => field.startsWith("direct:"))
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([, chat]) => chatKey(parseChatKey(chat)));
    },
    async mayNotify(what, eventId, windowMs) {
      const key = configKey(`told:${what}`);
      const isFirst = await redis.set(key, eventId, "PX", windowMs, "NX");
      // Delivered again, or repeated after a lost reply: the notice may not
      // have been sent yet.
      return isFirst === "OK" || (await redis.get(key)) === eventId;
    },
  };
}
