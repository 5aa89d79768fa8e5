import { beforeEach, expect, test } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore, memoryMember } from "../../src/store/memory/windows.ts";
import { anna, message, newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { never, write } from "./support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
let reports: string[] = [];
beforeEach(() => {
  reports = [];
});

/** The memory of a new process. */
const open = () =>
  createMemory({
    windows: createWindowStore(store),
    meaning: {
      embedder: { model: "p/m", embed: (texts) => Promise.resolve(texts.map(() => [1, 0])) },
      vectors: createVectorStore(store),
      pay: () => Promise.resolve(() => Promise.resolve()),
      monotonic: () => 0,
      report: (cause) => reports.push(cause),
    },
    report: (chat) => reports.push(chat),
  });

async function indexed(chat: ChatKey): Promise<void> {
  const memory = open();
  while ((await memory.index(chat)) === "more");
  while ((await memory.embed(chat, never)) === "more");
}
const find = (chat: ChatKey) =>
  open().recall.find(chat, { words: "plums", limit: 3, by: anna }, never);

const damages: readonly (readonly [
  string,
  (keys: ReturnType<typeof chatKeys>) => Promise<unknown>,
])[] = [
  ["whose head is no JSON", ({ windows }) => redis.hset(windows, "head", "{")],
  ["whose head has another shape", ({ windows }) => redis.hset(windows, "head", '{"v":1}')],
  ["whose windows are no JSON", ({ windows }) => redis.hset(windows, { 0: "{", 1: "{", 2: "" })],
  ["a window of which has another shape", ({ windows }) => redis.hset(windows, "1", '{"v":1}')],
  ["of another type", ({ windows }) => redis.multi().del(windows).set(windows, "x").exec()],
];

test.each(damages)(
  "an index %s is reported once, and made again of the history",
  async (_what, damage) => {
    const chat = newChat();
    const days = Array.from({ length: 4 }, (_, at) =>
      message(`m${at}`, { text: "plums", atMs: (at + 1) * 86_400_000 }),
    );
    await write(store, chat, days);
    await indexed(chat);
    const keys = chatKeys(chat);
    const { head: _head, ...sound } = await redis.hgetall(keys.windows);
    await damage(keys);
    expect(await find(chat)).toEqual({ windows: [], behind: "indexing" });
    await find(chat);
    expect(reports).toEqual([chat]);
    // The sweeper is to take it now.
    expect(Number(await redis.zscore(keys.wake, memoryMember(chat)))).toBeLessThan(
      store.clock.now() + 1_000,
    );
    await indexed(chat);
    expect(await redis.hgetall(keys.windows)).toMatchObject(sound);
    expect((await find(chat)).windows).toHaveLength(3);
    expect(reports).toHaveLength(1);
  },
);

test.each(damages)("an index %s is made again when more is said", async (_what, damage) => {
  const chat = newChat();
  await write(store, chat, [message("m1", { text: "plums" })]);
  await indexed(chat);
  await damage(chatKeys(chat));
  await write(store, chat, [{ kind: "undo", v: 1, id: "u", fromSeq: 0, ran: [], atMs: 1 }]);
  await write(store, chat, [message("m2", { text: "ripe plums" })]);
  await indexed(chat);
  const { windows } = await find(chat);
  expect(windows.flatMap(({ lines }) => lines.map(({ text }) => text))).toEqual(["ripe plums"]);
});

test("vectors of another type are made again, and what a newer version wrote stays", async () => {
  const chat = newChat();
  const { vectors, windows } = chatKeys(chat);
  await write(
    store,
    chat,
    [1, 2].map((at) => message(`m${at}`, { atMs: at * 86_400_000 })),
  );
  await indexed(chat);
  await redis.multi().del(vectors).set(vectors, "x").exec();
  await indexed(chat);
  expect(await redis.hget(vectors, "next")).toBe("1");
  expect(reports).toEqual([chat]);
  await redis.hset(windows, "head", '{"v":2}');
  await expect(find(chat)).rejects.toThrow(/newer/);
  expect(await redis.hget(windows, "head")).toBe('{"v":2}');
});
