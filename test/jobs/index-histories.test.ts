import { pino } from "pino";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import {
  embedHistories,
  indexHistories,
  type IndexingDeps,
} from "../../src/jobs/index-histories.ts";
import { createMemory, type Memory } from "../../src/memory/memory.ts";
import { createEmbedder } from "../../src/models/create-embedder.ts";
import { startSweeper } from "../../src/queue/sweeper.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore, memoryMember } from "../../src/store/memory/windows.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import type { SyntheticEmbeddings } from "../emulators/model/embeddings.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { never, write } from "../memory/support.ts";
import { anna, message, newChat, storeOn } from "../store/support.ts";
import { emptyDatabases, testDatabase } from "../support/redis/test-redis.ts";

const [url = ""] = await emptyDatabases(await testDatabase(), 1);
const store = storeOn({ url });
const { redis } = store;
const windows = createWindowStore(store);
const log = pino({ level: "silent" });

beforeEach(() => redis.flushdb());

const depsOf = (memory: Partial<Memory>): IndexingDeps =>
  ({
    memory,
    log,
    deadChats: createDeadChats(store),
    settings: { memory: { recall: "auto" } },
  }) as IndexingDeps;
const dueAtMs = async (chat: ChatKey): Promise<number | undefined> => {
  const score = await redis.zscore(chatKeys(chat).wake, memoryMember(chat));
  return score === null ? undefined : Number(score);
};

test.each([
  ["more", 0],
  ["later", 60_000],
  ["done", undefined],
] as const)("a chat whose vectors end with %s is due again after %s ms", async (end, afterMs) => {
  const chat = newChat();
  const deps = depsOf({
    index: () => Promise.resolve("done"),
    embed: () => Promise.resolve(end),
    embeddings: () => "used",
    lookAgain: (...given) => windows.lookAgain(...given),
  });
  const beforeMs = Math.floor(store.clock.now());
  await embedHistories(deps, await indexHistories(deps, [chat], never), never);
  if (afterMs === undefined) expect(await dueAtMs(chat)).toBeUndefined();
  else expect(await dueAtMs(chat)).toBeGreaterThanOrEqual(beforeMs + afterMs);
});

/** The memory of a process whose embeddings come from a server. */
async function memoryAsking(embeddings: SyntheticEmbeddings): Promise<Memory> {
  const server = await OllamaServer.start({ embeddings });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return createMemory({
    windows,
    report: () => undefined,
    meaning: {
      embedder: createEmbedder({
        provider: "p",
        model: "m",
        endpoint: { type: "ollama", host: server.baseUrl },
      }),
      vectors: createVectorStore(store),
      pay: () => Promise.resolve(() => Promise.resolve()),
      monotonic: () => performance.now(),
      report: () => undefined,
    },
  });
}

const dayLater = (id: number) => message(`${id}`, { text: "boiler", atMs: id * 86_400_000 });
async function found(chat: ChatKey): Promise<number> {
  const { recall } = createMemory({ windows, meaning: undefined, report: () => undefined });
  return (await recall.find(chat, { words: "boiler", limit: 3, by: anna }, never)).windows.length;
}

test("vectors of a process that dies before it makes them are still due", async () => {
  const chat = newChat();
  await write(store, chat, [1, 2].map(dayLater));
  const memory = await memoryAsking((texts) => texts.map(() => [1, 0]));
  await memory.index(chat);
  expect(await dueAtMs(chat)).toBeGreaterThan(store.clock.now());
  const deps = depsOf(memory);
  await embedHistories(deps, await indexHistories(deps, [chat], never), never);
  expect(await indexHistories(deps, [chat], never)).toEqual([chat]);
  expect(await dueAtMs(chat)).toBeUndefined();
});

/** The sweeper, with the indexing of such a memory alone. */
function sweeping(memory: Memory): AsyncDisposable {
  const sweeper = startSweeper({
    store,
    waker: { wakeAgain: () => Promise.resolve() },
    expire: () => Promise.resolve(),
    onForgotten: () => Promise.resolve(),
    spread: (due) => Promise.resolve(due),
    fire: () => Promise.resolve(),
    index: (names, ending) => indexHistories(depsOf(memory), names, ending),
    embed: (names, ending) => embedHistories(depsOf(memory), names, ending),
    log,
  });
  onTestFinished(() => sweeper[Symbol.asyncDispose]());
  return sweeper;
}
const makeDue = (chat: ChatKey) => redis.zadd(chatKeys(chat).wake, 1, memoryMember(chat));
const nextVector = (chat: ChatKey) => redis.hget(chatKeys(chat).vectors, "next");

test("an endpoint that hangs doesn't hold up the end, and vectors are still due after it", async () => {
  const chats = Array.from({ length: 3 }, () => newChat());
  for (const chat of chats) await write(store, chat, [1, 2].map(dayLater));
  const hangs = Promise.withResolvers<void>();
  const hanging = await memoryAsking(() => (hangs.resolve(), new Promise(() => undefined)));
  const indexed = await indexHistories(depsOf(hanging), chats, never);
  expect(indexed).toEqual(chats);
  expect(await Promise.all(chats.map(found))).toEqual([2, 2, 2]);
  const ending = new AbortController();
  const ended = embedHistories(depsOf(hanging), indexed, ending.signal);
  await hangs.promise;
  ending.abort();
  await ended;
  expect(hanging.embeddings()).toBe("used");
  // The store's clock is an estimate of Redis'.
  for (const chat of chats) expect(await dueAtMs(chat)).toBeLessThan(store.clock.now() + 1_000);
  const well = await memoryAsking((texts) => texts.map(() => [1, 0]));
  await embedHistories(depsOf(well), chats, never);
  expect(await Promise.all(chats.map(nextVector))).toEqual(["1", "1", "1"]);
});

test("an endpoint that hangs doesn't hold up the sweeper's end", async () => {
  const chat = newChat();
  await write(store, chat, [1, 2].map(dayLater));
  await makeDue(chat);
  let asked = 0;
  const hanging = await memoryAsking(() => ((asked += 1), new Promise(() => undefined)));
  const sweeper = sweeping(hanging);
  await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
  await sweeper[Symbol.asyncDispose]();
  expect(asked).toBe(1);
  expect(hanging.embeddings()).toBe("used");
});

test("a slow endpoint delays no keywords of chats that become due, and serves the chats in turn", async () => {
  const chats = Array.from({ length: 3 }, () => newChat());
  const [long, ...others] = chats as [ChatKey, ChatKey, ChatKey];
  // More than one batch.
  const days = Array.from({ length: 70 }, (_, index) => index + 1);
  for (const [index, chat] of chats.entries())
    await write(
      store,
      chat,
      days.map((day) => ({ ...dayLater(day), text: `boiler of ${index}` })),
    );
  const asked: string[] = [];
  const slow = Promise.withResolvers<void>();
  const memory = await memoryAsking(async (texts) => {
    asked.push(/boiler of \d/.exec(texts[0] ?? "")?.[0] ?? "");
    await slow.promise;
    return texts.map(() => [1, 0]);
  });
  sweeping(memory);
  await makeDue(long);
  await expect.poll(() => asked, { timeout: 10_000 }).toEqual(["boiler of 0"]);
  for (const chat of others) await makeDue(chat);
  await expect.poll(() => Promise.all(others.map(found)), { timeout: 10_000 }).toEqual([3, 3]);
  slow.resolve();
  await expect
    .poll(() => Promise.all(chats.map(nextVector)), { timeout: 10_000 })
    .toEqual(["69", "69", "69"]);
  expect(asked.slice(0, 3).sort()).toEqual(["boiler of 0", "boiler of 1", "boiler of 2"]);
});

test("of a dead chat no vectors are made, until it is alive again", async () => {
  const chat = newChat();
  await write(store, chat, [message("m1")]);
  const embedded: ChatKey[] = [];
  const deps = depsOf({
    embed: (each) => {
      embedded.push(each);
      return Promise.resolve("done");
    },
  });
  await deps.deadChats.mark(chat, { isDead: true });
  await embedHistories(deps, [chat], never);
  expect(embedded).toEqual([]);
  await deps.deadChats.mark(chat, { isDead: false });
  await embedHistories(deps, [chat], never);
  expect(embedded).toEqual([chat]);
});
