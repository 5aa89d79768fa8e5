import { z } from "zod";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/**
 * An interaction's token is valid for 15 minutes; the rest is for messages in transit.
 * Milliseconds.
 */
const ttlMs = 14.5 * 60_000;

const handleSchema = z.object({
  v: z.literal(1),
  applicationId: z.string(),
  token: z.string(),
  endsAtMs: z.number(),
});

interface Handle {
  readonly applicationId: string;
  readonly token: string;
  readonly endsAtMs?: number | undefined;
}

/** As it is kept, and for how long. */
const stored = (
  { applicationId, token, endsAtMs: end }: Handle,
  nowMs: number,
): readonly [value: string, leftMs: number] => {
  const endsAtMs = end ?? nowMs + ttlMs;
  return [
    JSON.stringify({ v: 1, applicationId, token, endsAtMs }),
    Math.min(ttlMs, Math.max(1, Math.ceil(endsAtMs - nowMs))),
  ];
};

/**
 * The interactions by which a user-installed app can send messages: by a message's id, and by the
 * chat's name.
 */
export function createUserInstalls(
  { redis, clock }: Pick<Store, "redis" | "clock">,
  botId: string,
) {
  const key = (name: string): string => configKey(`discord:visit:${botId}:${name}`);
  return {
    async remember(names: readonly string[], handle: Handle): Promise<void> {
      const [value, leftMs] = stored(handle, clock.now());
      await Promise.all(names.map((name) => redis.set(key(name), value, "PX", leftMs, "NX")));
    },
    /** Undefined: it has expired. */
    async find(name: string): Promise<Handle | undefined> {
      const json = await redis.get(key(name));
      return json === null ? undefined : parseStored(handleSchema, key(name), json);
    },
    /** The newest question of a chat is what its next words go by. */
    async begin(chat: string, handle: Handle): Promise<void> {
      const [value, leftMs] = stored(handle, clock.now());
      await redis.set(key(chat), value, "PX", leftMs);
    },
  };
}
