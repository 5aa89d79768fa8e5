import { afterAll, describe, expect, it } from "vitest";
import { chainOf, currentFacts, maxFacts, type FactOwner } from "../../../src/core/facts.ts";
import { createFacts, personFactsKey, trimPersonFacts } from "../../../src/store/memory/facts.ts";
import { createPersonFacts } from "../../../src/store/memory/person-facts.ts";
import { chatKeys, configKey } from "../../../src/store/keys.ts";
import { factOf } from "../../support/kept-memory.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
afterAll(() => store.redis.disconnect());
const facts = createFacts(store, 86_400_000);
const by = { id: "telegram:1", name: "Ann" };
let people = 0;
const owners: readonly (readonly [string, () => FactOwner])[] = [
  ["a chat", () => ({ chat: newChat() })],
  ["a person", () => ({ person: `telegram:${(people += 1)}` })],
];

describe.each(owners)("the facts of %s", (_name, newOwner) => {
  const chat = newChat();
  const keep = (owner: FactOwner, text: string, key: string, supersedes?: string) =>
    facts.keep(owner, { text, by, chat, messageId: "7", supersedes }, key);

  it("say who said what, when and where, and are kept once per call", async () => {
    const owner = newOwner();
    const before = store.clock.now() - 1;
    expect(await keep(owner, "Ann drinks tea", "k1")).toBe("kept");
    expect(await keep(owner, "Ann drinks tea", "k1")).toBe("kept");
    const [fact, ...more] = await facts.list(owner);
    expect(more).toEqual([]);
    expect(fact).toMatchObject({ text: "Ann drinks tea", by, chat, messageId: "7" });
    expect(fact?.id).toMatch(/^[0-9a-f]{8}$/);
    expect(fact?.atMs).toBeGreaterThanOrEqual(Math.floor(before));
  });

  it("are superseded, not overwritten, and deleted with what they supersede", async () => {
    const owner = newOwner();
    await keep(owner, "lives in Rome", "k1");
    const [old] = await facts.list(owner);
    expect(await keep(owner, "lives in Oslo", "k2", "00000000")).toBe("unknown");
    expect(await keep(owner, "lives in Oslo", "k2", old?.id)).toBe("kept");
    const all = await facts.list(owner);
    expect(all.map(({ text }) => text).toSorted()).toEqual(["lives in Oslo", "lives in Rome"]);
    const [current, ...others] = currentFacts(all);
    expect([current?.text, others]).toEqual(["lives in Oslo", []]);
    expect(await facts.remove(owner, "00000000")).toBe(false);
    expect(await facts.remove(owner, current?.id ?? "")).toBe(true);
    expect(await facts.list(owner)).toEqual([]);
  });

  it("are refused where there are too many, and none is dropped for a new one", async () => {
    const owner = newOwner();
    for (let count = 0; count < maxFacts; count += 1) await keep(owner, "x", `k${count}`);
    expect(await keep(owner, "one more", "more")).toBe("full");
    expect(await facts.list(owner)).toHaveLength(maxFacts);
  });

  it("end with the retention", async () => {
    const owner = newOwner();
    await keep(owner, "x", "k1");
    const key = "chat" in owner ? chatKeys(owner.chat).facts : personFactsKey(owner.person);
    const lives = await store.redis.pttl(key);
    expect(lives).toBeGreaterThan(80_000_000);
    expect(lives).toBeLessThanOrEqual(86_400_000);
    const old = factOf("old", { id: "0ld00000", atMs: store.clock.now() - 86_500_000 });
    await store.redis.hset(key, old.id, JSON.stringify(old));
    expect((await facts.list(owner)).map(({ text }) => text)).toEqual(["x"]);
    expect(await store.redis.hexists(key, old.id)).toBe(0);
    await store.redis.hset(key, old.id, JSON.stringify(old));
    await keep(owner, "y", "k2");
    expect(await store.redis.hexists(key, old.id)).toBe(0);
    await createFacts(store, undefined).keep(owner, { text: "z", by, chat }, "k3");
    expect(await facts.list(owner)).toHaveLength(3);
  });

  it("that are broken, or of a newer version, hide no others", async () => {
    const owner = newOwner();
    const key = "chat" in owner ? chatKeys(owner.chat).facts : personFactsKey(owner.person);
    await store.redis.hset(key, { a: "{", b: JSON.stringify({ ...factOf("new"), v: 2 }) });
    await keep(owner, "x", "k1");
    expect((await facts.list(owner)).map(({ text }) => text)).toEqual(["x"]);
  });
});

it("a chat's facts are not kept by a turn that was erased", async () => {
  const chat = newChat();
  await store.redis.hset(chatKeys(chat).state, "erased", "3");
  const fact = { text: "x", by, chat };
  await facts.keep({ chat }, fact, `${chat}/3.1.0`);
  expect(await facts.list({ chat })).toEqual([]);
  await facts.keep({ chat }, fact, `${chat}/4.1.0`);
  expect(await facts.list({ chat })).toHaveLength(1);
});

it("a person's facts can be taken back with a full memory, too", async () => {
  const owner = { person: "telegram:full" };
  const chat = newChat();
  await facts.keep(
    owner,
    { text: "I drink tea", by, chat, messageId: "7", supersedes: undefined },
    "k1",
  );
  await store.redis.config("SET", "maxmemory", "1");
  try {
    await facts.removeWhere([owner], () => true);
  } finally {
    await store.redis.config("SET", "maxmemory", "0");
  }
  expect(await facts.list(owner)).toEqual([]);
});

it("a chain of facts that supersede each other in a circle ends", () => {
  const ring = [
    factOf("a", { id: "a", supersedes: "b" }),
    factOf("b", { id: "b", supersedes: "a" }),
  ];
  expect(chainOf(ring, "a")).toEqual(["a", "b"]);
});

it("the old facts of people who no longer write are dropped once a day, and no others", async () => {
  const dayMs = 86_400_000;
  const never = new AbortController().signal;
  const names = ["telegram:gone", "discord:gone"].map(personFactsKey);
  const facts = ["old", "young"].map((text, at) =>
    factOf(text, { id: `${at}0000000`, atMs: store.clock.now() - (at === 0 ? 2 : 0.5) * dayMs }),
  );
  const keepAll = async () => {
    for (const key of names)
      for (const fact of facts) await store.redis.hset(key, fact.id, JSON.stringify(fact));
  };
  const left = async () =>
    (await Promise.all(names.map((key) => store.redis.hkeys(key)))).flat().toSorted();
  await keepAll();
  await trimPersonFacts(store, dayMs, never);
  expect(await left()).toEqual(["10000000", "10000000"]);
  // Another process, on the same day.
  await keepAll();
  await trimPersonFacts(store, dayMs, never);
  expect(await left()).toHaveLength(4);
  const mark = configKey("facts-trimmed");
  expect(await store.redis.pttl(mark)).toBeGreaterThan(dayMs / 2);
  await store.redis.del(mark);
  await trimPersonFacts(store, dayMs, never);
  expect(await left()).toEqual(["10000000", "10000000"]);
  // One that dies among them has done nothing for the day.
  await keepAll();
  await store.redis.del(mark);
  const stopping = new AbortController();
  // At the first of these two: other tests leave people of their own.
  const hvals = (key: string) => {
    if (names.includes(key)) stopping.abort();
    return store.redis.hvals(key);
  };
  const redis = Object.create(store.redis, { hvals: { value: hvals } }) as typeof store.redis;
  await trimPersonFacts({ ...store, redis }, dayMs, stopping.signal);
  expect(await left()).toHaveLength(3);
  expect(await store.redis.pttl(mark)).toBeLessThanOrEqual(600_000);
  await store.redis.del(mark);
  await trimPersonFacts(store, dayMs, never);
  expect(await left()).toEqual(["10000000", "10000000"]);
});

it("a worker remembers a person's facts until another process changes some", async () => {
  let nowMs = 0;
  let reads = 0;
  const counted = { ...facts, list: (owner: FactOwner) => ((reads += 1), facts.list(owner)) };
  const cache = createPersonFacts(store, { facts: counted, now: () => nowMs });
  const owner = { person: "telegram:900" };
  await cache.refresh();
  expect(await cache.of(owner.person)).toEqual([]);
  expect(await cache.of(owner.person)).toEqual([]);
  expect(reads).toBe(1);
  await facts.keep(owner, { text: "x", by, chat: newChat() }, "k1");
  nowMs += 1_001;
  await cache.refresh();
  expect(await cache.of(owner.person)).toMatchObject([{ text: "x" }]);
  await facts.remove(owner, (await facts.list(owner))[0]?.id ?? "");
  nowMs += 1_001;
  await cache.refresh();
  expect(await cache.of(owner.person)).toEqual([]);
});

it("a person's facts are gone with the news of it, though the process dies right after", async () => {
  const { redis } = store;
  const owner = { person: "telegram:901" };
  const atMs = Math.floor(store.clock.now());
  await redis.hset(
    personFactsKey(owner.person),
    "a",
    JSON.stringify(factOf("x", { id: "a", atMs })),
  );
  let nowMs = 1;
  const cache = createPersonFacts(store, { facts, now: () => nowMs });
  await cache.refresh();
  expect(await cache.of(owner.person)).toHaveLength(1);
  const dying = Object.create(redis, {
    incr: { value: () => Promise.reject(new Error("killed")) },
  }) as typeof redis;
  await createFacts({ ...store, redis: dying }, undefined)
    .removeWhere([owner], () => true)
    .catch(() => undefined);
  expect(await facts.list(owner)).toEqual([]);
  nowMs += 1_001;
  await cache.refresh();
  expect(await cache.of(owner.person)).toEqual([]);
});
