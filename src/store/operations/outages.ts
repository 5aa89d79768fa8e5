import { randomBytes } from "node:crypto";
import { z } from "zod";
import { modelFailureKinds, storedFailureKind, type ModelFailureKind } from "../../core/model.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** A cause that hasn't met anyone for so long is forgotten: its next failure is news again. */
const keptMs = 24 * 3_600_000;
/** A cause that comes and goes is told once in this time. Milliseconds. */
const quietMs = 3_600_000;

const storedOutage = z.object({
  id: z.string(),
  model: z.string(),
  /** One that earlier versions can read; `exactKind` is meant. */
  kind: z.enum(modelFailureKinds),
  exactKind: z.enum(modelFailureKinds).optional().catch(undefined),
  sinceMs: z.coerce.number(),
  lastMs: z.coerce.number(),
  unanswered: z.coerce.number(),
  /** The id of the outage that owners know of. */
  told: z.string().optional(),
});

/** Why a model answers no one, since when. `open → told → ended → forgotten`. */
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
  /** Ends it, unless it has met someone since it was read. */
  end(outage: Outage): Promise<void>;
  /** Those that have ended, until `forget`: owners may have to hear of it. */
  ended(): Promise<readonly Outage[]>;
  forget(outage: Outage): Promise<void>;
}

const listKey = configKey("outages");
const toldKey = (name: string): string => configKey(`told:outage:${name}`);
const endedListKey = configKey("outages-ended");
const endedKey = (name: string): string => configKey(`outage-ended:${name}`);
const keyOf = (name: string): string => configKey(`outage:${name}`);

export function createOutages(store: Pick<Store, "redis" | "clock" | "run">): Outages {
  const { redis, clock } = store;
  const read = async (name: string): Promise<Outage | undefined> =>
    parse(name, await redis.hgetall(keyOf(name)));
  const named = async (list: string, key: (name: string) => string): Promise<Outage[]> => {
    const names = (await redis.smembers(list)).toSorted();
    const found = await Promise.all(
      names.map(async (name) => parse(name, await redis.hgetall(key(name)))),
    );
    return found.filter((outage) => outage !== undefined);
  };
  return {
    async note(name, { model, kind, unanswered }) {
      const key = keyOf(name);
      const nowMs = clock.now();
      const id = randomBytes(9).toString("base64url");
      await redis
        .multi()
        .hsetnx(key, "id", id)
        .hsetnx(key, "model", model)
        .hsetnx(key, "kind", storedFailureKind(kind))
        .hsetnx(key, "exactKind", kind)
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
    list: () => named(listKey, keyOf),
    async end({ name, id, lastMs }) {
      const keys = [keyOf(name), listKey, endedKey(name), endedListKey];
      await store.run("outage", keys, [name, id, lastMs]);
    },
    ended: () => named(endedListKey, endedKey),
    async forget({ name }) {
      await redis.multi().del(endedKey(name)).srem(endedListKey, name).exec();
    },
  };
}

function parse(name: string, fields: Readonly<Record<string, string>>): Outage | undefined {
  const { success, data } = storedOutage.safeParse(fields);
  if (!success) return undefined;
  const { told, kind, exactKind = kind, ...outage } = data;
  return { name, ...outage, kind: exactKind, isTold: told === outage.id };
}
