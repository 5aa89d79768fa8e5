import type { ChatKey } from "../../src/core/chat.ts";
import { chatKeys, shardCount } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { scanKeys } from "../../src/store/redis/scan-keys.ts";
import { sweep } from "../../src/store/turns/sweep.ts";
import { idleChat } from "./leave-chats.ts";

/** Chats whose keys are looked at one by one. */
const sampleSize = 1_000;
const passes = 20;
/** The kinds of keys that a chat has one of at most. */
const chatKinds = "in seen st log calls out draft notes todos set use traces kept".split(" ");

/** What one kind of key costs a chat. */
export interface KindCost {
  /** As in the key: `log`, `st`, … */
  readonly kind: string;
  readonly keysPerChat: number;
  readonly bytesPerChat: number;
  /** When such a key goes by itself, in ms; undefined: it stays. */
  readonly ttlMs: number | undefined;
}

export interface PassCost {
  /** Commands that Redis carries out for a pass of the sweeper, those within scripts included. */
  readonly commands: number;
  /** What Redis spends on it, in ms. */
  readonly redisMs: number;
}

/** Bytes of all data, with what Redis needs to hold it. */
export async function usedBytes({ redis }: Store): Promise<number> {
  const [, bytes] = /^used_memory:(\d+)/m.exec(await redis.info("memory")) ?? [];
  return Number(bytes);
}

/**
 * Sums up the keys of some chats, evenly spread, by kind; the dearest first.
 * @param others names a chat's keys that its own name does not tell, by what stands behind the
 * prefix.
 */
export async function costByKind(
  store: Store,
  chats: number,
  others: (chat: ChatKey) => Promise<readonly string[]> = () => Promise.resolve([]),
): Promise<readonly KindCost[]> {
  const { redis } = store;
  const sample = Math.min(chats, sampleSize);
  const sums = new Map<string, { keys: number; bytes: number; ttlMs: number }>();
  for (let index = 0; index < sample; index += 1) {
    const chat = idleChat(Math.floor((index * chats) / sample));
    const prefix = chatKeys(chat).wake.slice(0, -"wake".length);
    const also = await others(chat);
    for (const key of await keysOf(
      store,
      [...namesOf(chat), ...also].map((name) => `${prefix}${name}`),
    )) {
      const kind = key.slice(prefix.length).split(":", 1)[0] ?? "";
      const bytes = await redis.call("MEMORY", "USAGE", key, "SAMPLES", "0");
      const sum = sums.get(kind) ?? { keys: 0, bytes: 0, ttlMs: 0 };
      sums.set(kind, {
        keys: sum.keys + 1,
        bytes: sum.bytes + Number(bytes),
        ttlMs: Math.max(sum.ttlMs, await redis.pttl(key)),
      });
    }
  }
  return [...sums]
    .map(([kind, { keys, bytes, ttlMs }]) => ({
      kind,
      keysPerChat: keys / sample,
      bytesPerChat: bytes / sample,
      ttlMs: ttlMs > 0 ? ttlMs : undefined,
    }))
    .sort((one, other) => other.bytesPerChat - one.bytesPerChat);
}

/** What a chat's keys can be called. */
const namesOf = (chat: ChatKey): string[] => [
  ...chatKinds.map((kind) => `${kind}:${chat}`),
  `sent:${chat}:turn-1`,
];

/** Those that exist: looking through all of Redis for each chat would take for ever. */
async function keysOf({ redis }: Store, all: readonly string[]): Promise<string[]> {
  const found = await Promise.all(all.map((key) => redis.exists(key)));
  return all.filter((_, index) => found[index] === 1);
}

/** Kinds of keys that the whole of Redis holds, with how many there are. */
export async function countByKind(store: Store): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const key of scanKeys(store, "*")) {
    const kind = /^parley:\{[^}]*\}:([^:]*)/.exec(key)?.[1] ?? key;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return counts;
}

/** What a pass of the sweeper costs when nothing is due. */
export async function passCost(store: Store): Promise<PassCost> {
  // Loads the script.
  await sweep(store, 0);
  await store.redis.config("RESETSTAT");
  for (let pass = 0; pass < passes; pass += 1) {
    const { due } = await sweep(store, 0);
    if (due.length > 0) throw new Error(`due in idle chats: ${due.length}`);
  }
  let commands = 0;
  let scriptUs = 0;
  for (const [, name, calls, us] of (await store.redis.info("commandstats")).matchAll(
    /^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm,
  )) {
    if (name === "config|resetstat" || name === "info") continue;
    commands += Number(calls);
    // A script's time holds that of the commands within.
    if (name === "evalsha" || name === "eval") scriptUs += Number(us);
  }
  if (commands < passes * shardCount) throw new Error("too few commands");
  return {
    commands: commands / passes,
    redisMs: scriptUs / 1_000 / passes,
  };
}
