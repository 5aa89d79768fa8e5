import { configKey } from "./keys.ts";
import type { Store } from "./redis.ts";
import { scanKeys } from "./scan-keys.ts";

/** What is left where a person's id stood that must stay taken. */
const erasedId = "erased";

/** Erases what is stored of a person beside their chats. A ban stays, without a name; every other role goes. */
export async function erasePerson(
  store: Store,
  personId: string,
): Promise<void> {
  const { redis } = store;
  const profile = configKey(`person:${personId}`);
  const pairingOf = configKey(`pairing-of:${personId}`);
  const [role, code] = await Promise.all([
    redis.hget(profile, "role"),
    redis.get(pairingOf),
  ]);
  const change = redis
    .multi()
    .del(profile, pairingOf)
    .srem(configKey("role:admin"), personId)
    .srem(configKey("role:member"), personId);
  if (role === "banned") change.hset(profile, { role });
  if (code !== null) change.del(configKey(`pairing:${code}`));
  for (const [error] of (await change.exec()) ?? []) if (error) throw error;
  // A code that was used must never work again, whoever used it.
  for await (const key of scanKeys(store, configKey("claimed:*")))
    if ((await redis.get(key)) === personId) await redis.set(key, erasedId);
}
