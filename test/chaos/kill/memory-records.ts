import { setTimeout as sleep } from "node:timers/promises";
import { chatKey, parseChatKey, type ChatKey } from "../../../src/core/chat.ts";
import type { LogEntry } from "../../../src/core/history.ts";
import { createMemory } from "../../../src/memory/memory.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createFacts } from "../../../src/store/memory/facts.ts";
import { createSummaries } from "../../../src/store/memory/summaries.ts";
import { createVectorStore } from "../../../src/store/memory/vectors.ts";
import { createWindowStore, memoryMember } from "../../../src/store/memory/windows.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { timeoutMs } from "../../support/parley/stage.ts";

const model = "openai/text-embedding-3-small";
export const memoryConfig = `memory: { embeddings: ${model} }`;
/** Entries of the history that is indexed: more than one step reads. */
const entryCount = 1_200;
const lookMs = 50;

/** Any vector that tells texts from each other: about meanings it says nothing. */
export const vectorOf = (text: string): readonly number[] =>
  Array.from({ length: 4 }, (_, index) => 1 + (text.charCodeAt(index * 7) || index));

/** Other chats next to a person's: one with a long history, and a copy of that. */
const nextTo = (chat: ChatKey, end: "0001" | "0002"): ChatKey => {
  const address = parseChatKey(chat);
  return chatKey({ ...address, chat: `${address.chat}${end}` });
};

/** A chat's index without what differs each time. */
async function indexOf({ redis }: Store, { windows, vectors }: ReturnType<typeof chatKeys>) {
  const { head: _, ...rest } = await redis.hgetall(windows);
  return { windows: rest, vectors: await redis.hgetallBuffer(vectors) };
}

/** What Parley remembers of chats, from outside. */
export function memoryRecords(store: Store) {
  const { redis } = store;
  const windows = createWindowStore(store);
  const summaries = createSummaries(store, undefined);
  const facts = createFacts(store, undefined);
  const memory = createMemory({
    windows,
    meaning: {
      embedder: { model, embed: (texts) => Promise.resolve(texts.map(vectorOf)) },
      vectors: createVectorStore(store),
      pay: () => Promise.resolve(() => Promise.resolve()),
      monotonic: () => performance.now(),
      report: () => undefined,
    },
    report: () => undefined,
  });
  return {
    /** Fulfils when a long history is indexed, however often its processes die. */
    async index(own: ChatKey): Promise<void> {
      const chat = nextTo(own, "0001");
      const { log, state, wake } = chatKeys(chat);
      await redis.hset(state, "epoch", "long");
      await redis.rpush(log, ...Array.from({ length: entryCount }, (_, at) => entryOf(at)));
      const member = memoryMember(chat);
      await redis.zadd(wake, 1, member);
      // What is due later is due now, so that no one waits for it.
      await until(async () => {
        await redis.zadd(wake, "XX", "LT", 1, member);
        return (await redis.zscore(wake, member)) === null;
      });
    },
    /** Empty: it is as one that was made without a death. */
    async indexProblems(own: ChatKey): Promise<readonly string[]> {
      const chat = nextTo(own, "0001");
      const again = nextTo(own, "0002");
      const [keys, copies] = [chatKeys(chat), chatKeys(again)];
      await redis.hset(copies.state, "epoch", "copy");
      await redis.rpush(copies.log, ...(await redis.lrange(keys.log, 0, -1)));
      while ((await memory.index(again)) === "more");
      while ((await memory.embed(again, new AbortController().signal)) === "more");
      const [made, wanted] = [await indexOf(store, keys), await indexOf(store, copies)];
      const count = Object.keys(wanted.windows).length;
      await redis.del(...Object.values(copies));
      await redis.zrem(copies.wake, memoryMember(again));
      return [
        ...(count > entryCount / 5 ? [] : [`only ${count} windows`]),
        ...(["windows", "vectors"] as const)
          .filter((of) => JSON.stringify(made[of]) !== JSON.stringify(wanted[of]))
          .map((of) => `other ${of}`),
      ];
    },
    /** Fulfils when the conversation that is over has a summary, and was looked at once more. */
    async summarise(chat: ChatKey): Promise<void> {
      const { idle } = chatKeys(chat);
      await until(async () => {
        await redis.zadd(idle, "XX", "LT", 1, chat);
        return (await summaries.list(chat)).length > 0;
      });
      await redis.zadd(idle, "XX", 1, chat);
      await until(async () => (await redis.zscore(idle, chat)) !== "1");
    },
    async summaryProblems(chat: ChatKey): Promise<readonly string[]> {
      const { length } = await summaries.list(chat);
      return length === 1 ? [] : [`${length} summaries`];
    },
    async factProblems(person: string, words: string): Promise<readonly string[]> {
      const { length } = (await facts.list({ person })).filter(({ text }) => text.includes(words));
      return length === 1 ? [] : [`the fact is there ${length} times`];
    },
  };
}
export type MemoryRecords = ReturnType<typeof memoryRecords>;

function entryOf(at: number): string {
  const text = `message ${at} about ${(at * 7_919) % 1_000}`;
  const entry: LogEntry = {
    kind: "message",
    v: 1,
    id: `m${at}`,
    person: { id: "telegram:9", name: "Nine" },
    text,
    atMs: 1_790_000_000_000 + at * 60_000,
  };
  return JSON.stringify(entry);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const endMs = Date.now() + 3 * timeoutMs;
  while (!(await holds())) {
    if (Date.now() > endMs) throw new Error("it took too long");
    await sleep(lookMs);
  }
}
