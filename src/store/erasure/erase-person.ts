import { givenRoles } from "../../core/roles.ts";
import { auditNamesKey } from "../operations/audit.ts";
import { broadcastConfirmedKey, broadcastOfferKey } from "../operations/broadcasts.ts";
import { erasePageSessions } from "../operations/page-sessions.ts";
import { configKey } from "../keys.ts";
import { factsVersionKey, personFactsKey } from "../memory/facts.ts";
import { knownKey, usernameKey } from "../people/known-people.ts";
import { createPersonaStore, personasKey, personasVersionKey } from "../personas/personas.ts";
import { placeRequestsKey } from "../people/place-requests.ts";
import { eraseSkillDeciders } from "../operations/skill-reviews.ts";
import { draftKey, sampleKey } from "../personas/persona-drafts.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";

/** Replaces a person's id where the entry itself has to remain. */
const erasedId = "erased";

/**
 * Erases what is stored about a person outside their chats. A ban stays,
 * without a name; any other role is removed.
 */
export async function erasePerson(store: Store, personId: string): Promise<void> {
  const { redis } = store;
  const profile = configKey(`person:${personId}`);
  const pairingOf = configKey(`pairing-of:${personId}`);
  const [role, code] = await Promise.all([redis.hget(profile, "role"), redis.get(pairingOf)]);
  const change = redis
    .multi()
    .del(profile, pairingOf, knownKey(personId), personasKey(`person:${personId}`))
    .incr(personasVersionKey)
    .del(personFactsKey(personId))
    .incr(factsVersionKey)
    // The last one is of versions that counted a person's schedules there.
    .del(draftKey(personId), sampleKey(personId), configKey(`schedules-of:${personId}`))
    .del(broadcastOfferKey(personId), broadcastConfirmedKey(personId))
    // Audit lines keep the id: the log must still show that the action
    // happened.
    .hdel(auditNamesKey, personId);
  for (const each of givenRoles)
    if (each !== "banned") change.srem(configKey(`role:${each}`), personId);
  if (role === "banned") change.hset(profile, { role });
  if (code !== null) change.del(configKey(`pairing:${code}`));
  for (const [error] of (await change.exec()) ?? []) if (error) throw error;
  // All names that they ever wrote under.
  const [platform = ""] = personId.split(":");
  for await (const key of scanKeys(store, usernameKey(platform, "*")))
    if ((await redis.get(key)) === personId) await redis.del(key);
  // A request that was decided keeps their name under its code until it expires, and nothing leads
  // there.
  for await (const key of scanKeys(store, configKey("pairing:*")))
    if ((await redis.get(key))?.includes(JSON.stringify(personId))) await redis.del(key);
  // Groups that they added the bot to, or that they decided about as an admin.
  for (const stored of await redis.lrange(placeRequestsKey, 0, -1))
    if (stored.includes(JSON.stringify(personId))) await redis.lrem(placeRequestsKey, 0, stored);
  for await (const key of scanKeys(store, configKey("place-decided:*")))
    if ((await redis.get(key))?.includes(JSON.stringify(personId))) await redis.del(key);
  await erasePageSessions(redis, personId);
  await eraseSkillDeciders(redis, personId, erasedId);
  await createPersonaStore(store).forget("everyone", personId);
  // A used code must never work again, no matter who used it.
  for await (const key of scanKeys(store, configKey("claimed:*")))
    if ((await redis.get(key)) === personId) await redis.set(key, erasedId);
}
