import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ChatKey, Person } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import type { Embedder } from "../../src/core/memory.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { likeness, mergeRanks, packVector } from "../../src/memory/vectors.ts";
import { createEmbedder } from "../../src/models/create-embedder.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore, memoryMember } from "../../src/store/memory/windows.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import type { SyntheticEmbeddings } from "../emulators/model/embeddings.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import {
  anna,
  begun,
  ben,
  committed,
  message,
  newChat,
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { memoryOn, never, write } from "./support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;

/** A synthetic model that knows that pets are alike: it tests the plumbing, never quality. */
const petsAreAlike =
  (dimensions: number): SyntheticEmbeddings =>
  (texts) =>
    texts.map((text) => {
      const isPet = /cat|dog|pet/i.test(text);
      return Array.from({ length: dimensions }, (_, index) =>
        index === (isPet ? 0 : 1) ? 1 : 0.01,
      );
    });

const wires = {
  async openai(embeddings: SyntheticEmbeddings) {
    const server = await OpenAiServer.start({ embeddings, apiKey: "sk-embedding-key" });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const { baseUrl } = server;
    return { type: "openai", baseUrl, apiKey: "sk-embedding-key" } as const;
  },
  async ollama(embeddings: SyntheticEmbeddings) {
    const server = await OllamaServer.start({ embeddings });
    onTestFinished(() => server[Symbol.asyncDispose]());
    return { type: "ollama", host: server.baseUrl } as const;
  },
};

function memoryWith(embedder: Embedder, hasRoom: () => boolean = () => true) {
  const reports: string[] = [];
  const paid: (readonly [id: string, isMade: boolean, texts: number])[] = [];
  let nowMs = 0;
  const memory = createMemory({
    windows: createWindowStore(store),
    report: () => undefined,
    meaning: {
      embedder,
      vectors: createVectorStore(store),
      pay: ({ person }, texts) =>
        Promise.resolve(
          hasRoom()
            ? (isMade) => {
                paid.push([person.id, isMade, texts.length]);
                return Promise.resolve();
              }
            : undefined,
        ),
      monotonic: () => nowMs,
      report: (cause) => reports.push(cause),
    },
  });
  return {
    ...memory,
    reports,
    paid,
    passMs: (ms: number) => {
      nowMs += ms;
    },
    async bring(chat: ReturnType<typeof newChat>): Promise<void> {
      while ((await memory.index(chat)) === "more");
      while ((await memory.embed(chat, never)) === "more");
    },
    async texts(chat: ReturnType<typeof newChat>, words: string): Promise<readonly string[]> {
      const { windows } = await memory.recall.find(chat, { words, limit: 3, by: ben }, never);
      return windows.flatMap(({ lines }) => lines.map(({ text }) => text));
    },
  };
}

/** Conversations hours apart, so that each is a window. */
async function talk(texts: readonly string[]) {
  const chat = newChat();
  await write(
    store,
    chat,
    texts.map((text, at) => message(`m${at}`, { text, atMs: (at + 1) * 86_400_000 })),
  );
  return chat;
}
const said = ["My cat is grey.", "The boiler is old.", "Taxes are due.", "The end."];

describe.each(Object.entries(wires))("embeddings over the wire of %s", (_, start) => {
  test("find what has none of the words, are paid for, and are erased with the history", async () => {
    const asked: string[] = [];
    const alike = petsAreAlike(768);
    const endpoint = await start((texts) => (asked.push(...texts), alike(texts)));
    const memory = memoryWith(createEmbedder({ provider: "p", model: "m", endpoint }));
    const chat = await talk(said);
    await memory.bring(chat);
    expect(await memory.texts(chat, "pets")).toContain("My cat is grey.");
    expect(asked).toEqual([
      "Anna: My cat is grey.",
      "Anna: The boiler is old.",
      "Anna: Taxes are due.",
      "pets",
    ]);
    // The windows by the person who wrote the last of them, the question by who asks.
    expect(memory.paid).toEqual([
      [anna.id, true, 3],
      [ben.id, true, 1],
    ]);
    const { vectors } = chatKeys(chat);
    expect(await redis.hget(vectors, "model")).toBe("p/m 768");
    expect((await redis.hgetBuffer(vectors, "0"))?.length).toBe(772);
    expect(memory.embeddings()).toBe("used");
    await redis.hset(chatKeys(chat).state, "epoch", "after an erasure");
    await memory.bring(chat);
    expect(asked).toHaveLength(7);
  });

  test("another dimension or another model makes them again", async () => {
    const first = memoryWith(
      createEmbedder({ provider: "p", model: "m", endpoint: await start(petsAreAlike(4)) }),
    );
    const chat = await talk(said);
    await first.bring(chat);
    const endpoint = await start(petsAreAlike(8));
    const second = memoryWith(createEmbedder({ provider: "p", model: "m", endpoint }));
    // Of another dimension than what is stored: as if there were none.
    expect(await second.texts(chat, "pets")).toEqual([]);
    await write(store, chat, [message("new", { text: "More.", atMs: 9 * 86_400_000 })]);
    await second.bring(chat);
    expect(await redis.hget(chatKeys(chat).vectors, "model")).toBe("p/m 8");
    expect(await second.texts(chat, "pets")).toContain("My cat is grey.");
  });

  test.each([
    ["refuses", () => 500],
    ["answers with too few", () => [[1, 2]]],
    [
      "answers with two dimensions",
      (texts: readonly string[]) => texts.map((_, at) => Array.from({ length: at + 1 }, () => 1)),
    ],
  ] satisfies [string, SyntheticEmbeddings][])(
    "an endpoint that %s leaves keywords, is said, and is asked again later",
    async (_what, embeddings) => {
      let isWell = false;
      const well = petsAreAlike(4);
      const endpoint = await start((texts) => (isWell ? well(texts) : embeddings(texts)));
      const memory = memoryWith(createEmbedder({ provider: "p", model: "m", endpoint }));
      const chat = await talk(said);
      await memory.bring(chat);
      expect(await memory.texts(chat, "boiler")).toEqual(["The boiler is old."]);
      expect([memory.embeddings(), memory.reports.length]).toEqual(["failing", 1]);
      expect(memory.reports.join()).not.toContain("sk-embedding-key");
      expect(memory.paid).toEqual([[anna.id, false, 3]]);
      isWell = true;
      memory.passMs(60_000);
      await memory.bring(chat);
      expect(await memory.texts(chat, "pets")).toContain("My cat is grey.");
      expect(memory.embeddings()).toBe("used");
    },
  );
});

describe("vectors that an edit makes necessary again", () => {
  const inbox = createInbox(store);
  const turns = turnStoreOn(store);
  const dayMs = 86_400_000;
  const embedder: Embedder = {
    model: "p/m",
    embed: (texts) => Promise.resolve(texts.map(() => [1])),
  };
  /** Days apart, so that each is a window. */
  const written = (at: number, person = anna): LogEntry =>
    message(`m${at}`, { messageId: `${at}`, person, atMs: (at + 1) * dayMs });

  async function editIn(chat: ChatKey, { at, person }: { at: number; person: Person }) {
    const text = `other ${at}`;
    const of = { edits: `${at}`, of: at, past: true } as const;
    const edit: LogEntry = { kind: "edit", v: 2, id: `e${at}`, person, text, atMs: 1, ...of };
    await inbox.append(chat, { kind: "reset", v: 1, id: `r${at}`, atMs: 1 });
    const changed = [{ from: at, to: at, person }];
    const end = { state: undefined, turn: 1, take: 1, append: [edit], changed, release: {} };
    await committed(turns, await begun(turns, chat), end);
  }

  test("are paid by the person who edits, up to there", async () => {
    const chat = newChat();
    const memory = memoryWith(embedder);
    await write(store, chat, [written(0, ben), ...[1, 2, 3].map((at) => written(at))]);
    await memory.bring(chat);
    expect(memory.paid).toEqual([[anna.id, true, 3]]);
    await editIn(chat, { at: 0, person: ben });
    await write(store, chat, [written(5), written(6)]);
    memory.paid.length = 0;
    await memory.bring(chat);
    expect(memory.paid).toEqual([
      [ben.id, true, 4],
      [anna.id, true, 1],
    ]);
    // Those of another model are no consequence of it.
    const other = memoryWith({ ...embedder, model: "p/other" });
    await other.bring(chat);
    expect(other.paid).toEqual([[anna.id, true, 5]]);
  });

  test("name no one any more once all are paid", async () => {
    const chat = newChat();
    const memory = memoryWith(embedder);
    const payer = () => redis.hget(chatKeys(chat).vectors, "payer");
    await write(store, chat, [written(0, ben), ...[1, 2, 3].map((at) => written(at))]);
    await memory.bring(chat);
    await editIn(chat, { at: 0, person: ben });
    await memory.bring(chat);
    expect(await payer()).toContain(ben.id);
    await write(
      store,
      chat,
      Array.from({ length: 12 }, (_, index) => written(4 + index)),
    );
    await memory.bring(chat);
    expect(await payer()).toBeNull();
  });

  test("are paid by the first of several, as far as they aren't made yet", async () => {
    const chat = newChat();
    let hasRoom = true;
    const memory = memoryWith(embedder, () => hasRoom);
    await write(store, chat, [written(0, ben), ...[1, 2, 3].map((at) => written(at))]);
    await memory.bring(chat);
    hasRoom = false;
    await editIn(chat, { at: 0, person: ben });
    await memory.bring(chat);
    await editIn(chat, { at: 2, person: anna });
    hasRoom = true;
    memory.paid.length = 0;
    await memory.bring(chat);
    expect(memory.paid).toEqual([[ben.id, true, 3]]);
    await editIn(chat, { at: 1, person: anna });
    memory.paid.length = 0;
    await memory.bring(chat);
    expect(memory.paid).toEqual([[anna.id, true, 2]]);
  });
});

test("a slow endpoint and a spent limit leave keywords", async () => {
  const slow: Embedder = {
    model: "p/slow",
    embed: (_texts, signal) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason as Error)),
      ),
  };
  const chat = await talk(said);
  const keywords = memoryWith(slow, () => false);
  await keywords.bring(chat);
  expect(keywords.reports).toEqual(["a limit leaves no room for embeddings"]);
  expect(keywords.paid).toEqual([]);
  // The endpoint is left alone for no one else.
  expect(keywords.embeddings()).toBe("used");
  const late = memoryWith(slow);
  expect(await late.texts(chat, "boiler")).toEqual(["The boiler is old."]);
  // It may have been made: it is charged, and nothing stays reserved.
  expect(late.paid).toEqual([[ben.id, true, 1]]);
  expect(late.embeddings()).toBe("failing");
});

test("a chat for whose vectors a limit leaves no room is looked at again after hours, or when there is news", async () => {
  const chat = await talk(said);
  const { wake, vectors } = chatKeys(chat);
  const dueAtMs = async () => Number(await redis.zscore(wake, memoryMember(chat)));
  const hourMs = 3_600_000;
  let hasRoom = false;
  const embedder: Embedder = {
    model: "p/m",
    embed: (texts) => Promise.resolve(texts.map(() => [1, 0])),
  };
  const memory = memoryWith(embedder, () => hasRoom);
  await memory.index(chat);
  // The process may die before it makes them.
  expect(await dueAtMs()).toBeLessThan(store.clock.now() + hourMs);
  expect(await memory.embed(chat, never)).toBe("done");
  expect(await dueAtMs()).toBeGreaterThan(store.clock.now() + hourMs);
  await write(store, chat, [message("m9", { text: "The roof leaks.", atMs: 9 * 86_400_000 })]);
  await memory.lookAgain(chat, 60_000);
  expect(await dueAtMs()).toBeLessThan(store.clock.now() + hourMs);
  // What came before it was put off is not put off with it.
  expect(await memory.embed(chat, never)).toBe("done");
  expect(await memory.texts(chat, "roof")).toEqual(["The roof leaks."]);
  expect(await dueAtMs()).toBeGreaterThan(store.clock.now() + hourMs);
  hasRoom = true;
  await memory.bring(chat);
  expect(await redis.hget(vectors, "next")).toBe("4");
  await memory.index(chat);
  expect(await redis.zscore(wake, memoryMember(chat))).toBeNull();
});

test("an endpoint that hangs is left alone after a time limit, and may have made what it was asked for", async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms / 500));
  onTestFinished(() => void vi.restoreAllMocks());
  const endpoint = await wires.ollama(() => new Promise(() => undefined));
  const memory = memoryWith(createEmbedder({ provider: "p", model: "m", endpoint }));
  const chat = await talk(said);
  await memory.index(chat);
  expect(await memory.embed(chat, never)).toBe("later");
  expect(memory.paid).toEqual([[anna.id, true, 3]]);
  expect(memory.embeddings()).toBe("failing");
  // It waits no second time.
  expect(await memory.embed(chat, never)).toBe("later");
  expect(memory.paid).toHaveLength(1);
});

test("windows that were removed since are made no vectors of, and what is there is read once", async () => {
  const asked: string[] = [];
  const embedder: Embedder = {
    model: "p/m",
    embed: (texts) => (asked.push(...texts), Promise.resolve(texts.map(() => [1, 0]))),
  };
  const chat = await talk(said);
  const memory = memoryWith(embedder);
  await memory.index(chat);
  await redis.hdel(chatKeys(chat).windows, "1");
  expect(await memory.embed(chat, never)).toBe("done");
  expect(asked).toEqual([]);
  expect(memory.paid).toEqual([]);
});

test("a range that ends before it begins has no entries, also where the history was trimmed", async () => {
  const chat = await talk(said);
  const { log, state } = chatKeys(chat);
  const windows = createWindowStore(store);
  await redis.ltrim(log, 1, -1);
  await redis.hset(state, "logBase", 1);
  expect(await windows.entries(chat, 1, [[[0, -1]], [[3, 2]], [[0, 0]], [[2, 2]]])).toMatchObject([
    [],
    [],
    [],
    [{ position: 2 }],
  ]);
});

test("what one person stops switches embeddings off for no one", async () => {
  const stop = new AbortController();
  const stopped: Embedder = {
    model: "p/stopped",
    embed: (_texts, signal) => {
      stop.abort();
      return Promise.reject(signal.reason as Error);
    },
  };
  const chat = await talk(said);
  const memory = memoryWith(stopped);
  await memoryOn(store).index(chat);
  const query = { words: "boiler", limit: 3, by: ben };
  expect((await memory.recall.find(chat, query, stop.signal)).windows).toHaveLength(1);
  expect(memory.embeddings()).toBe("used");
});

test("packed vectors are about as alike as they were, and ranks merge", () => {
  const one = packVector([3, 4, 0]);
  expect(likeness(one, packVector([3, 4, 0]))).toBeCloseTo(1, 1);
  expect(likeness(one, packVector([-4, 3, 0]))).toBeCloseTo(0, 1);
  expect(likeness(one, packVector([1, 2]))).toBe(0);
  const ranks = [
    [1, 2, 3],
    [3, 2],
  ];
  expect(mergeRanks(ranks)).toEqual([3, 2, 1]);
  expect(mergeRanks([[1, 2, 3], []])).toEqual([1, 2, 3]);
});
