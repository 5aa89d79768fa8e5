import { randomInt } from "node:crypto";
import { z } from "zod";
import {
  chatKey,
  parseChatKey,
  personSchema,
  type ChatKey,
  type Person,
} from "../core/chat.ts";
import type { Preference } from "../core/history.ts";
import { configKey } from "./keys.ts";
import type { Store } from "./redis.ts";
import { parseStored } from "./stored.ts";

export const roles = ["admin", "member", "banned"] as const;
export type StoredRole = (typeof roles)[number];

/** How long a pairing code stays valid. */
const pairingTtlMs = 3_600_000;

/** For how long a process takes for stored what it has stored itself: it may have been erased since. Milliseconds. */
const rememberedMs = 5 * 60_000;
const maxRemembered = 1_000;

/** What is stored of a person. */
export interface Profile {
  readonly role: StoredRole | undefined;
  readonly preference: Preference;
  /** The language that they have chosen, by its ISO 639-1 code. */
  readonly language?: string;
  /** BCP 47: what the platform reported of them last, where that was worth keeping. */
  readonly reportedLanguage?: string;
}

/** Sets what it names; what it names as undefined is forgotten. */
export type PreferenceChange = {
  readonly [Field in keyof Preference]?: string | undefined;
};

export interface Pairing {
  readonly code: string;
  readonly person: Person;
  readonly chat: string;
}

/** Who is who, over all platforms of a deployment. */
export interface PeopleStore {
  profile(personId: string): Promise<Profile>;
  setRole(person: Pick<Person, "id" | "name">, role: StoredRole): Promise<void>;
  setPreference(personId: string, change: PreferenceChange): Promise<void>;
  /** @param language undefined: none is chosen any more. */
  setLanguage(personId: string, language: string | undefined): Promise<void>;
  setReportedLanguage(personId: string, language: string): Promise<void>;
  /** Ids of everybody with a role, e.g. all admins. */
  withRole(role: StoredRole): Promise<readonly string[]>;
  /** The person's pairing, made when there is none. `chat` is where they will be told. */
  pair(person: Person, chat: string): Promise<Pairing>;
  /**
   * The pairing, for the first decision about it: `by` names the decision, and the same one gets it again, e.g. after a
   * crash. Undefined when it is unknown, expired or decided otherwise.
   */
  decidePairing(code: string, by: string): Promise<Pairing | undefined>;
  /** A one-time code with which the first admin claims the bot; undefined when there is an admin. */
  claimCode(): Promise<string | undefined>;
  /** True for the first person with the right code, however often they ask. */
  claim(code: string, personId: string): Promise<boolean>;
  /** Remembers where a person can be reached alone; written once in five minutes per process. */
  setDirectChat(bot: string, personId: string, chat: ChatKey): Promise<void>;
  directChat(bot: string, personId: string): Promise<ChatKey | undefined>;
  /** True for the first event of a window, however often it comes: the person may be told. */
  mayTell(what: string, eventId: string, windowMs: number): Promise<boolean>;
}

const storedPairing = z.object({
  /** Absent in what the first version wrote. */
  v: z.literal(1).optional(),
  person: personSchema,
  chat: z.string(),
});
const personKey = (id: string): string => configKey(`person:${id}`);
const roleKey = (role: StoredRole): string => configKey(`role:${role}`);
const pairingKey = (code: string): string => configKey(`pairing:${code}`);
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const newCode = (): string =>
  Array.from(
    { length: 8 },
    () => codeAlphabet[randomInt(codeAlphabet.length)],
  ).join("");

/** Names that were added less than five minutes ago, the newest thousand. */
class Recent {
  /** When each was added, the oldest first. */
  readonly #names = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  has(name: string): boolean {
    const addedAtMs = this.#names.get(name) ?? -Infinity;
    return this.#now() - addedAtMs < rememberedMs;
  }

  add(name: string): void {
    this.#names.delete(name);
    this.#names.set(name, this.#now());
    const [oldest] = this.#names.keys();
    if (this.#names.size > maxRemembered && oldest !== undefined)
      this.#names.delete(oldest);
  }
}

async function readProfile(
  redis: Store["redis"],
  personId: string,
): Promise<Profile> {
  const [role, tier, model, language, reportedLanguage] = await redis.hmget(
    personKey(personId),
    "role",
    "tier",
    "model",
    "language",
    "reportedLanguage",
  );
  return {
    role: roles.find((each) => each === role),
    preference: { ...(tier ? { tier } : {}), ...(model ? { model } : {}) },
    ...(language ? { language } : {}),
    ...(reportedLanguage ? { reportedLanguage } : {}),
  };
}

/** @param now by a clock that never goes back. Milliseconds. */
export function createPeopleStore(
  { redis }: Store,
  now: () => number = () => performance.now(),
): PeopleStore {
  const written = new Recent(now);
  return {
    profile: (personId) => readProfile(redis, personId),
    async setRole({ id, name }, role) {
      const change = redis.multi().hset(personKey(id), { role, name });
      for (const each of roles) {
        if (each === role) change.sadd(roleKey(each), id);
        else change.srem(roleKey(each), id);
      }
      await change.exec();
    },
    async setPreference(personId, change) {
      const pipeline = redis.multi();
      for (const [field, value] of Object.entries(change)) {
        if (value === undefined) pipeline.hdel(personKey(personId), field);
        else pipeline.hset(personKey(personId), field, value);
      }
      await pipeline.exec();
    },
    async setLanguage(personId, language) {
      if (language === undefined)
        await redis.hdel(personKey(personId), "language");
      else await redis.hset(personKey(personId), { language });
    },
    async setReportedLanguage(personId, reportedLanguage) {
      await redis.hset(personKey(personId), { reportedLanguage });
    },
    withRole: (role) => redis.smembers(roleKey(role)),
    async pair(person, chat) {
      const mine = configKey(`pairing-of:${person.id}`);
      const known = await redis.get(mine);
      if (known !== null && (await redis.exists(pairingKey(known))) === 1)
        return { code: known, person, chat };
      // The code works before anybody can be told it, whatever dies in between.
      const code = newCode();
      const stored = JSON.stringify({ v: 1, person, chat });
      await redis.set(pairingKey(code), stored, "PX", pairingTtlMs);
      await redis.set(mine, code, "PX", pairingTtlMs);
      return { code, person, chat };
    },
    async decidePairing(code, by) {
      const found = await redis.get(pairingKey(code));
      if (found === null) return undefined;
      const decision = configKey(`pairing-decided:${code}`);
      await redis.set(decision, by, "PX", pairingTtlMs, "NX");
      if ((await redis.get(decision)) !== by) return undefined;
      const { person, chat } = parseStored(storedPairing, "pairing", found);
      await redis.del(configKey(`pairing-of:${person.id}`));
      return { code, person, chat };
    },
    async claimCode() {
      if ((await redis.scard(roleKey("admin"))) > 0) return undefined;
      // A code that somebody has used is spent, also when no admin came of it or that one is gone.
      const known = await redis.get(configKey("claim"));
      const isSpent =
        known !== null &&
        (await redis.exists(configKey(`claimed:${known}`))) === 1;
      if (isSpent) await redis.set(configKey("claim"), newCode());
      else await redis.set(configKey("claim"), newCode(), "NX");
      return (await redis.get(configKey("claim"))) ?? undefined;
    },
    async claim(code, personId) {
      const key = configKey(`claimed:${code}`);
      // Asked again by the same person, e.g. after a crash, when there may be a newer code already.
      if ((await redis.get(key)) === personId) return true;
      if ((await redis.get(configKey("claim"))) !== code) return false;
      // Kept for ever: a code that was used must never work again.
      await redis.set(key, personId, "NX");
      return (await redis.get(key)) === personId;
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
    async mayTell(what, eventId, windowMs) {
      const key = configKey(`told:${what}`);
      const isFirst = await redis.set(key, eventId, "PX", windowMs, "NX");
      // Delivered again, or asked again after a lost reply: perhaps nobody was told yet.
      return isFirst === "OK" || (await redis.get(key)) === eventId;
    },
  };
}
