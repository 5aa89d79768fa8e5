import { randomInt } from "node:crypto";
import { z } from "zod";
import { personSchema, type Person } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored, readable } from "../stored.ts";

/** How long a pairing code stays valid. Milliseconds. */
const pairingTtlMs = 24 * 3_600_000;
/** Of more open requests than this the oldest are no longer listed; their codes still work. */
const maxListed = 50;

export interface Pairing {
  readonly code: string;
  readonly person: Person;
  readonly chat: string;
}

/** How people come in by codes: strangers by an admin, the owner by who can read the log. */
export interface Pairings {
  /** The person's pairing, created if there is none. `chat` is where they will be notified. */
  pair(person: Person, chat: string): Promise<Pairing>;
  /**
   * The pairing, for the first decision about it: `by` names the decision, and the same one gets it
   * again until it is finished, e.g. after a crash. Undefined when it is unknown, expired, finished
   * or decided otherwise.
   */
  decidePairing(code: string, by: string): Promise<Pairing | undefined>;
  /** What was decided is done: the code is unknown from now on. */
  finishPairing(code: string): Promise<void>;
  /** Requests that no one has decided, the newest first; not those of earlier versions. */
  openPairings(): Promise<readonly Pairing[]>;
  /** A one-time code with which the owner claims the bot; undefined when there is an admin. */
  claimCode(): Promise<string | undefined>;
  /** True for the first person with the right code, however often they ask. */
  claim(code: string, personId: string): Promise<boolean>;
}

const storedPairing = z.object({
  /** Absent in what the first version wrote. */
  v: z.literal(1).optional(),
  person: personSchema,
  chat: z.string(),
});
const roleKey = configKey("role:admin");
/** Codes of open requests, the newest first. */
const openKey = configKey("pairings");
const pairingKey = (code: string): string => configKey(`pairing:${code}`);
const codeAlphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const newCode = (): string =>
  Array.from({ length: 8 }, () => codeAlphabet[randomInt(codeAlphabet.length)]).join("");

/**
 * The code that was claimed with last stays where it is until there is a new one, which only the
 * lack of an admin brings.
 */
export async function hasClaimed(redis: Store["redis"], personId: string): Promise<boolean> {
  const code = await redis.get(configKey("claim"));
  if (code === null) return false;
  return (await redis.get(configKey(`claimed:${code}`))) === personId;
}

export function createPairings(redis: Store["redis"]): Pairings {
  return {
    async pair(person, chat) {
      const mine = configKey(`pairing-of:${person.id}`);
      const known = await redis.get(mine);
      if (known !== null && (await redis.exists(pairingKey(known))) === 1)
        return { code: known, person, chat };
      // The code works before it is shown to anyone, even if the process dies in between.
      const code = newCode();
      const stored = JSON.stringify({ v: 1, person, chat });
      await redis.set(pairingKey(code), stored, "PX", pairingTtlMs);
      await redis
        .multi()
        .set(mine, code, "PX", pairingTtlMs)
        .lpush(openKey, code)
        .ltrim(openKey, 0, maxListed - 1)
        .pexpire(openKey, pairingTtlMs)
        .exec();
      return { code, person, chat };
    },
    async decidePairing(code, by) {
      const found = await redis.get(pairingKey(code));
      if (found === null) return undefined;
      const decision = configKey(`pairing-decided:${code}`);
      await redis.set(decision, by, "PX", pairingTtlMs, "NX");
      if ((await redis.get(decision)) !== by) return undefined;
      const { person, chat } = parseStored(storedPairing, "pairing", found);
      await redis
        .multi()
        .del(configKey(`pairing-of:${person.id}`))
        .lrem(openKey, 0, code)
        .exec();
      return { code, person, chat };
    },
    async finishPairing(code) {
      await redis.del(pairingKey(code));
    },
    async openPairings() {
      const codes = await redis.lrange(openKey, 0, -1);
      const found = codes.length === 0 ? [] : await redis.mget(codes.map(pairingKey));
      return codes.flatMap((code, index) => {
        const stored = readable(storedPairing, found[index]);
        return stored === undefined ? [] : [{ code, person: stored.person, chat: stored.chat }];
      });
    },
    async claimCode() {
      if ((await redis.scard(roleKey)) > 0) return undefined;
      // A used code is spent, even if no admin resulted or that admin is gone.
      const known = await redis.get(configKey("claim"));
      const isSpent = known !== null && (await redis.exists(configKey(`claimed:${known}`))) === 1;
      if (isSpent) await redis.set(configKey("claim"), newCode());
      else await redis.set(configKey("claim"), newCode(), "NX");
      return (await redis.get(configKey("claim"))) ?? undefined;
    },
    async claim(code, personId) {
      const key = configKey(`claimed:${code}`);
      // Asked again by the same person, e.g. after a crash, when there may be a newer code already:
      // theirs is the one that made the owner.
      if ((await redis.get(key)) === personId) {
        await redis.set(configKey("claim"), code);
        return true;
      }
      if ((await redis.get(configKey("claim"))) !== code) return false;
      // Kept for ever: a code that was used must never work again.
      await redis.set(key, personId, "NX");
      return (await redis.get(key)) === personId;
    },
  };
}
