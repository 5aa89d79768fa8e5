import { expect, it } from "vitest";
import { createFacts, personFactsKey } from "../../src/store/memory/facts.ts";
import { createSummaries } from "../../src/store/memory/summaries.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { memoryOn, write } from "../memory/support.ts";
import { message, newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;

/** As this version stores them, word for word. */
const fact = `{"v":1,"id":"0a1b2c3d","text":"drinks tea","by":{"id":"telegram:1","name":"Ann"},"chat":"telegram:1:-5","messageId":"7","guild":"8","supersedes":"0a1b2c3e","atMs":1790000000000}`;
const summary = `{"v":1,"from":0,"to":3,"atMs":1790000000000,"text":"Ann drinks tea.","model":"a/m"}`;
const windows = {
  head: `{"v":1,"built":"AbCdEfGh","epoch":"an epoch","count":2,"id":1,"from":1,"part":0,"next":2,"sinceMs":1790000000000}`,
  first: "0",
  "0": `{"v":1,"f":0,"p":0,"t":0,"q":0,"u":0,"at":1790000000000,"w":"plum*2 jam"}`,
  "1": `{"v":1,"f":1,"p":0,"t":1,"q":0,"u":1,"at":1790000000000,"w":"pear"}`,
};

const said = (id: string) => message(id, { text: id, atMs: 1_790_000_000_000 });

it("facts load as they were stored, of a chat and of a person", async () => {
  const chat = newChat();
  const person = "telegram:801";
  const facts = createFacts(store, undefined);
  for (const [key, owner] of [
    [chatKeys(chat).facts, { chat }],
    [personFactsKey(person), { person }],
  ] as const) {
    await redis.hset(key, "0a1b2c3d", fact);
    expect(await facts.list(owner)).toEqual([JSON.parse(fact)]);
    const by = { id: "telegram:1", name: "Ann" };
    const more = { text: "x", by, chat, messageId: "7", guild: "8", supersedes: "0a1b2c3d" };
    expect(await facts.keep(owner, more, "a key")).toBe("kept");
    const written = Object.values(await redis.hgetall(key)).find((json) => json !== fact) ?? "{}";
    expect(Object.keys(JSON.parse(written)).toSorted()).toEqual(
      Object.keys(JSON.parse(fact)).toSorted(),
    );
    expect(await facts.remove(owner, "0a1b2c3d")).toBe(true);
  }
});

it("summaries load as they were stored, and are stored as they were", async () => {
  const chat = newChat();
  const key = chatKeys(chat).summaries;
  await redis.rpush(key, summary);
  const summaries = createSummaries(store, undefined);
  const [read] = await summaries.list(chat);
  expect(read).toEqual(JSON.parse(summary));
  await redis.del(key);
  if (read !== undefined) await summaries.add(chat, read, await summaries.unsummarised(chat));
  expect(await redis.lrange(key, 0, -1)).toEqual([summary]);
});

it("an index is read and goes on as it was stored, with its vectors", async () => {
  const chat = newChat();
  const keys = chatKeys(chat);
  await write(store, chat, [said("plum jam"), said("pear")]);
  await redis.hset(keys.state, "epoch", "an epoch");
  await redis.hset(keys.windows, windows);
  await redis.hset(keys.vectors, { model: "p/m 4", next: "1", "0": "12345678" });
  const memory = memoryOn(store);
  expect(await memory.texts(chat, "plums")).toEqual(["plum jam"]);
  const vectors = createVectorStore(store);
  expect(await vectors.open(chat)).toEqual({ model: "p/m 4", next: 1 });
  expect(await vectors.read(chat, 0, 2)).toEqual([Buffer.from("12345678"), null]);
  await write(store, chat, [said("cherry")]);
  await memory.index(chat);
  // What was finished stays; what grew is written again.
  expect(await redis.hget(keys.windows, "0")).toBe(windows["0"]);
  expect(JSON.parse((await redis.hget(keys.windows, "head")) ?? "")).toMatchObject({
    built: "AbCdEfGh",
    next: 3,
  });
  expect(await memory.texts(chat, "cherries")).toEqual(["pear", "cherry"]);
  expect(await redis.hget(keys.vectors, "0")).toBe("12345678");
});
