import type { ChatKey } from "../../core/chat.ts";
import {
  chainOf,
  factIdOf,
  factSchema,
  maxFacts,
  type Fact,
  type FactOwner,
  type Facts,
  type Kept,
} from "../../core/facts.ts";
import { turnOfKey } from "../../core/turn.ts";
import { chatKeys, configKey } from "../keys.ts";
import { text, type Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { readKept, type Age } from "./read-kept.ts";

/** Grows with every change of any person's facts. */
export const factsVersionKey = configKey("facts-version");

export const personFactsKey = (personId: string): string => configKey(`facts:${personId}`);

/** A chat's newest turn that was erased, for people's own facts: they are not in the chat's slot. */
const erasedTurnKey = (chat: ChatKey): string => configKey(`facts-erased:${chat}`);
/**
 * A worker that was paused may write so late. Shorter than a chat is remembered: after that its turn
 * numbers begin again. Milliseconds.
 */
const lateMs = 48 * 3_600_000;
const dayMs = 24 * 3_600_000;
/** A process that drops old facts says so often enough, or another one may. Milliseconds. */
const trimmingMs = 600_000;

const keyOf = (owner: FactOwner): string =>
  "chat" in owner ? chatKeys(owner.chat).facts : personFactsKey(owner.person);

/** @param retentionMs undefined: kept until someone deletes them. */
export function createFacts(store: Store, retentionMs: number | undefined): Facts {
  const { redis, clock } = store;
  const list: Facts["list"] = async (owner) => {
    const nowMs = clock.now();
    const all = readFacts(await redis.hvals(keyOf(owner)), { nowMs });
    const isOld = ({ atMs }: Fact): boolean => nowMs - atMs > (retentionMs ?? Infinity);
    // Each new fact renews the time for which all are kept.
    const old = all.filter(isOld).map(({ id }) => id);
    if (old.length > 0) await redis.hdel(keyOf(owner), ...old);
    return all.filter((fact) => !isOld(fact));
  };
  /**
   * A process that dies must not leave others with what is gone: both are sent at once. No transaction,
   * which full memory refuses as a whole: facts must go even then, and others learn of it some minutes later.
   */
  const drop = async (owner: FactOwner, ids: readonly string[]): Promise<void> => {
    const change = redis.pipeline().hdel(keyOf(owner), ...ids);
    if ("person" in owner) change.incr(factsVersionKey);
    const [error] = (await change.exec())?.[0] ?? [];
    if (error) throw error;
  };
  return {
    list,
    async keep(owner, given, key) {
      const id = factIdOf(key);
      const fact: Fact = { v: 1, id, ...given, atMs: Math.floor(clock.now()) };
      const isChat = "chat" in owner;
      const guards = isChat
        ? [chatKeys(owner.chat).state]
        : [factsVersionKey, erasedTurnKey(given.chat)];
      const values = [id, JSON.stringify(fact), maxFacts, retentionMs ?? 0, turnOfKey(key) ?? ""];
      const reply = await store.run(
        "fact",
        [keyOf(owner), ...guards],
        [...values, given.supersedes ?? "", isChat ? "chat" : "person"],
      );
      return text(reply) as Kept;
    },
    async removeWhere(owners, isGone) {
      const removed = owners.map(async (owner) => {
        const ids = (await list(owner)).filter(isGone).map(({ id }) => id);
        if (ids.length > 0) await drop(owner, ids);
      });
      await Promise.all(removed);
    },
    async remove(owner, id) {
      const chain = chainOf(await list(owner), id);
      if (chain.length === 0) return false;
      await drop(owner, chain);
      return true;
    },
  };
}

/** Oldest first. */
export const readFacts = (stored: readonly string[], age: Age): readonly Fact[] =>
  readKept(factSchema, stored, age).toSorted(
    (one, other) => one.atMs - other.atMs || (one.id < other.id ? -1 : 1),
  );

/**
 * Drops what is too old of all people's own facts; nothing, if another process does, or has done it
 * today. One that dies has not: another one begins again. Looks through all keys. @throws when the
 * store cannot be reached.
 */
export async function trimPersonFacts(
  store: Store,
  retentionMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { redis, clock } = store;
  const mark = configKey("facts-trimmed");
  if ((await redis.set(mark, 1, "PX", trimmingMs, "NX")) === null) return;
  let renewedAtMs = clock.now();
  const facts = createFacts(store, retentionMs);
  for await (const key of scanKeys(store, personFactsKey("*"))) {
    if (signal.aborted) return;
    // It drops what it doesn't list.
    await facts.list({ person: key.slice(personFactsKey("").length) });
    if (clock.now() - renewedAtMs < trimmingMs / 2) continue;
    await redis.pexpire(mark, trimmingMs);
    renewedAtMs = clock.now();
  }
  await redis.set(mark, 1, "PX", dayMs);
}

/** From now on, calls of turns up to these keep no fact about a person. */
export async function refuseFactsOf(
  { redis }: Pick<Store, "redis">,
  erasedTurns: ReadonlyMap<ChatKey, number>,
): Promise<void> {
  for (const [chat, turn] of erasedTurns) await redis.set(erasedTurnKey(chat), turn, "PX", lateMs);
}

/** People's own facts that were said in these chats. Scans the names of all people's facts. */
export async function eraseFactsFrom(store: Store, chats: ReadonlySet<ChatKey>): Promise<void> {
  if (chats.size === 0) return;
  const { redis } = store;
  for await (const key of scanKeys(store, personFactsKey("*")))
    for (const [id, json] of Object.entries(await redis.hgetall(key)))
      if ([...chats].some((chat) => json.includes(JSON.stringify(chat)))) await redis.hdel(key, id);
  await redis.incr(factsVersionKey);
}
