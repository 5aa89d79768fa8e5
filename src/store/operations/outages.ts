import { randomBytes } from "node:crypto";
import { z } from "zod";
import { modelFailureKinds, type ModelFailureKind } from "../../core/model.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** A cause that hasn't met anyone for so long is forgotten: its next failure is news again. */
const keptMs = 24 * 3_600_000;
/** A cause that comes and goes is told once in this time. Milliseconds. */
const quietMs = 3_600_000;

const storedOutage = z.object({
  id: z.string(),
  model: z.string(),
  kind: z.enum(modelFailureKinds),
  sinceMs: z.coerce.number(),
  lastMs: z.coerce.number(),
  unanswered: z.coerce.number(),
  /** The id of the outage that owners know of. */
  told: z.string().optional(),
});

/** Why a model answers no one, since when. `open → told → closed`. */
export interface Outage {
  /** See `outageName`. */
  readonly name: string;
  /** Of this occurrence. */
  readonly id: string;
  /** The model that failed first: when it answers, the outage is over. */
  readonly model: string;
  readonly kind: ModelFailureKind;
  readonly sinceMs: number;
  readonly lastMs: number;
  /** Turns that ended without an answer. */
  readonly unanswered: number;
  readonly isTold: boolean;
}

export interface Outages {
  /** Counts one more failure; the first one opens the outage, for all processes. */
  note(
    name: string,
    failed: { readonly model: string; readonly kind: ModelFailureKind; readonly unanswered: 0 | 1 },
  ): Promise<Outage>;
  /** Whether owners may hear of it: of the same cause they have heard nothing else within the hour. */
  mayTell(outage: Outage): Promise<boolean>;
  /** Owners know of it. */
  markTold(outage: Outage): Promise<void>;
  list(): Promise<readonly Outage[]>;
  close(outage: Outage): Promise<void>;
}

const listKey = configKey("outages");
const toldKey = (name: string): string => configKey(`told:outage:${name}`);
const keyOf = (name: string): string => configKey(`outage:${name}`);

export function createOutages({ redis, clock }: Pick<Store, "redis" | "clock">): Outages {
  const read = async (name: string): Promise<Outage | undefined> =>
    parse(name, await redis.hgetall(keyOf(name)));
  return {
    async note(name, { model, kind, unanswered }) {
      const key = keyOf(name);
      const nowMs = clock.now();
      const id = randomBytes(9).toString("base64url");
      await redis
        .multi()
        .hsetnx(key, "id", id)
        .hsetnx(key, "model", model)
        .hsetnx(key, "kind", kind)
        .hsetnx(key, "sinceMs", nowMs)
        .hset(key, "lastMs", nowMs)
        .hincrby(key, "unanswered", unanswered)
        .pexpire(key, keptMs)
        .sadd(listKey, name)
        .pexpire(listKey, keptMs)
        .exec();
      const first = { id, model, kind, sinceMs: nowMs, lastMs: nowMs, unanswered };
      return (await read(name)) ?? { name, ...first, isTold: false };
    },
    async mayTell({ name, id }) {
      const last = await redis.get(toldKey(name));
      return last === null || last === id;
    },
    async markTold({ name, id }) {
      const key = keyOf(name);
      await redis
        .multi()
        .hset(key, "told", id)
        .pexpire(key, keptMs)
        .set(toldKey(name), id, "PX", quietMs)
        .exec();
    },
    async list() {
      const names = (await redis.smembers(listKey)).toSorted();
      const found = await Promise.all(names.map(read));
      return found.filter((outage) => outage !== undefined);
    },
    async close({ name, id }) {
      // A new one may have begun since.
      if ((await redis.hget(keyOf(name), "id")) !== id) return;
      await redis.multi().del(keyOf(name)).srem(listKey, name).exec();
    },
  };
}

function parse(name: string, fields: Readonly<Record<string, string>>): Outage | undefined {
  const { success, data } = storedOutage.safeParse(fields);
  if (!success) return undefined;
  const { told, ...outage } = data;
  return { name, ...outage, isTold: told === outage.id };
}
