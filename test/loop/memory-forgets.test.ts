import { afterAll, expect, it } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Person } from "../../src/core/chat.ts";
import type { Embedder } from "../../src/core/memory.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { createErasures } from "../../src/store/erasure/erasures.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createFacts } from "../../src/store/memory/facts.ts";
import { createPersonFacts } from "../../src/store/memory/person-facts.ts";
import { createSummaries } from "../../src/store/memory/summaries.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore, type IndexChange } from "../../src/store/memory/windows.ts";
import { rememberTool } from "../../src/tools/remember.ts";
import { never, write } from "../memory/support.ts";
import { erasing } from "../jobs/erasing.ts";
import { keysWith } from "../support/erasure/occurrences.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { message, storeOn, uniqueId } from "../store/support.ts";
import { ann, bob, openScene, type Scene } from "./scene.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const facts = createFacts(store, undefined);
const vectors = createVectorStore(store);
const summaries = createSummaries(store, undefined);
const erasures = createErasures(store);
const dataFolder = mkdtempSync(join(tmpdir(), "parley-forgets-"));
afterAll(() => rmSync(dataFolder, { recursive: true, force: true }));
const { carryOut } = erasing({ store, erasures, dataFolder });

const embedder: Embedder = {
  model: "p/m",
  embed: (texts) => Promise.resolve(texts.map((text) => [1, text.length])),
};
const windows = createWindowStore(store);
const memory = createMemory({
  windows,
  meaning: {
    embedder,
    vectors,
    pay: () => Promise.resolve(() => Promise.resolve()),
    monotonic: () => 0,
    report: (cause) => {
      throw new Error(cause);
    },
  },
  report: () => undefined,
});

async function index({ chat }: Scene): Promise<void> {
  while ((await memory.index(chat)) === "more");
  while ((await memory.embed(chat, never)) === "more");
}

/** What of the memory holds the word, by its kind. The history keeps what was taken back. */
async function remembered(word: string): Promise<readonly string[]> {
  const kinds = (await keysWith(store, word)).map((key) => /}:(\w+):/.exec(key)?.[1] ?? "");
  return kinds.filter((kind) => ["mem", "vec", "facts", "sums"].includes(kind)).toSorted();
}

/** The numbers of the windows that have a vector. */
const embedded = async ({ chat }: Scene): Promise<readonly string[]> =>
  (await store.redis.hkeys(chatKeys(chat).vectors)).filter((name) => /^\d+$/.test(name));

/**
 * A chat with a word wherever memory keeps any: in several windows, most of them with vectors, in a
 * summary, and in facts about the person and the chat. The first of the windows holds earlier
 * messages, too.
 */
async function plant(person: Person, word: string, answer: string): Promise<Scene> {
  const scene = await openScene({ redis, tools: [rememberTool(facts)] });
  scene.with({ personFacts: createPersonFacts(store, { facts, now: () => performance.now() }) });
  for (const text of ["tea", "milk"]) {
    await scene.say(`we need ${text}`, { person });
    await scene.settle();
  }
  const toolCalls = ["me", "chat"].map((about) => ({
    name: "remember",
    arguments: { about, fact: `The code is ${word}` },
  }));
  scene.model.reply({ toolCalls }, { text: answer });
  await scene.say(`remember that the code is ${word}`, { person });
  await scene.settle();
  for (const at of [0, 1]) await scene.decide(at, "approved", undefined, person);
  await scene.settle();
  await summarise(scene, `they spoke of ${word}`);
  await index(scene);
  return scene;
}

async function summarise({ chat }: Scene, text: string): Promise<void> {
  const read = await summaries.unsummarised(chat);
  const from = read.entries[0]?.position ?? 0;
  const to = read.entries.at(-1)?.position ?? 0;
  await summaries.add(chat, { v: 1, from, to, atMs: Date.now(), text }, read);
}

interface Forgetting {
  readonly how: string;
  /** What the model answers to it. */
  readonly answer: (word: string) => string;
  readonly forget: (scene: Scene, person: Person) => Promise<unknown>;
  /** What the chat still recalls of before. */
  readonly left: readonly string[];
  readonly said?: RegExp;
}

/** Something else is said, indexed, and its conversation summarised. */
async function goOn(scene: Scene, person: Person): Promise<void> {
  await scene.say("plums are blue", { person });
  await scene.settle();
  await summarise(scene, "they spoke of plums");
  await index(scene);
}

const atLength = (word: string): string => `${word} it is. `.repeat(300);

const forgettings: readonly Forgetting[] = [
  {
    how: "/undo",
    answer: atLength,
    forget: (scene, person) => scene.control("undo", { person }),
    left: ["we need tea", "we need milk"],
    said: /^Undone\./,
  },
  {
    how: "/retry",
    answer: atLength,
    forget: async (scene, person) => {
      scene.model.reply({ text: "Hm." });
      await scene.control("retry", { person });
    },
    left: ["we need tea", "we need milk"],
  },
  {
    how: "an edit",
    answer: () => "Kept.",
    forget: (scene, person) => scene.edit("3", "remember nothing", { person }),
    left: ["we need tea", "we need milk", "remember nothing"],
  },
  {
    how: "an edit after /new",
    answer: () => "Kept.",
    forget: async (scene, person) => {
      await scene.reset();
      await goOn(scene, person);
      await scene.edit("3", "remember nothing", { person });
    },
    left: ["we need tea", "we need milk", "remember nothing", "plums are blue"],
  },
  {
    how: "an edit after another person's /retry",
    answer: () => "Kept.",
    forget: async (scene, person) => {
      scene.model.reply({ text: "Hm." });
      await scene.control("retry", { person: bob });
      await scene.settle();
      await index(scene);
      await scene.edit("3", "remember nothing", { person });
    },
    left: ["we need tea", "we need milk", "remember nothing"],
  },
  {
    how: "an edit of what a compaction left out",
    answer: () => "Kept.",
    forget: async (scene, person) => {
      await goOn(scene, person);
      const { state, log } = chatKeys(scene.chat);
      await store.redis.hset(state, "viewStart", await store.redis.llen(log));
      await scene.edit("3", "remember nothing", { person });
    },
    left: ["we need tea", "we need milk", "remember nothing", "plums are blue"],
  },
  {
    how: "/forget chat",
    answer: atLength,
    forget: async (scene) => {
      const { chat } = scene;
      await erasures.ask({ id: uniqueId(), of: { what: "chat", chat }, by: "person" });
      await carryOut(scene);
    },
    left: [],
  },
  {
    how: "/forget me",
    answer: atLength,
    forget: async (scene, { id: personId, name }) => {
      const of = { what: "person", personId, name } as const;
      await erasures.ask({ id: uniqueId(), of, by: "person" });
      await carryOut(scene);
    },
    left: [],
  },
];

it.each(forgettings)(
  "$how reaches windows, vectors, summaries and facts at once",
  async ({ how, answer, forget, left, said }) => {
    const word = `w${uniqueId().replaceAll("-", "")}0`;
    const person: Person = { id: `telegram:${word.slice(1, 9)}`, name: "Ann" };
    await using scene = await plant(person, word, answer(word));
    const find = () =>
      memory.recall.find(
        scene.chat,
        { words: `${word} tea milk plums`, limit: 10, by: person },
        never,
      );
    expect(await remembered(word)).toEqual(["facts", "facts", "mem", "sums"]);
    expect(await embedded(scene)).toContain("0");
    expect(JSON.stringify(await find())).toContain(word);

    await forget(scene, person);
    await scene.settle();
    if (said !== undefined) expect((await scene.notices()).at(-1)).toMatch(said);
    expect(await remembered(word)).toEqual([]);
    expect(await embedded(scene)).toEqual([]);
    expect(JSON.stringify(await find())).not.toContain(word);

    await index(scene);
    const lines = (await find()).windows.flatMap((window) => window.lines.map(({ text }) => text));
    expect(lines).toEqual(expect.arrayContaining([...left]));
    // Asked again, the question is in the history again.
    if (how !== "/retry") expect(await remembered(word)).toEqual([]);
  },
);

it("an edit of an earlier conversation leaves the summaries of others as they are", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  const person: Person = { id: `telegram:${word.slice(1, 9)}`, name: "Ann" };
  await using scene = await plant(person, word, "Kept.");
  await scene.reset();
  await goOn(scene, person);
  await scene.edit("3", "remember nothing", { person });
  await scene.settle();
  const left = await summaries.list(scene.chat);
  expect(left.map(({ text }) => text)).toEqual(["they spoke of plums"]);
  // What the edit changed is no part of the conversation that it came in.
  const { entries } = await summaries.unsummarised(scene.chat);
  expect(entries).toMatchObject([{ entry: { kind: "edit", of: 4, past: true } }]);
});

it("a second edit of an earlier message deletes the facts of the first one", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  const person: Person = { id: `telegram:${word.slice(1, 9)}`, name: "Ann" };
  await using scene = await plant(person, "older", "Kept.");
  await scene.reset();
  await scene.edit("3", `remember that the code is ${word}, not older`, { person });
  await scene.settle();
  const fact = { text: `${word} it is`, by: person, chat: scene.chat, messageId: "3" };
  await facts.keep({ chat: scene.chat }, fact, "a key");
  expect(await remembered(word)).toEqual(["facts"]);
  await scene.edit("3", "remember older", { person });
  await scene.settle();
  expect(await remembered(word)).toEqual([]);
});

it("a fact of an edited message stays where the message still says it", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  const person: Person = { id: `telegram:${word.slice(1, 9)}`, name: "Ann" };
  await using scene = await plant(person, word, "Kept.");
  await scene.edit("3", `please remember: the code is ${word}!`, { person });
  await scene.settle();
  expect(await remembered(word)).toEqual(["facts", "facts"]);
});

it("an index that was read before an undo is not written after it, and neither are vectors", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  const person: Person = { id: `telegram:${word.slice(1, 9)}`, name: "Ann" };
  await using scene = await plant(person, word, atLength(word));
  const open = await windows.open(scene.chat);
  await scene.control("undo", { person });
  await scene.settle();
  const late = { open, model: "p/m 2", from: 0, vectors: [Buffer.from(word)] };
  expect(await vectors.write(scene.chat, late)).toBe(false);
  const head = { ...open.head, count: 1, id: 0 };
  const window = { f: 0, p: 0, t: 9, q: 0, u: 9, at: 1, w: word };
  const change = { open, head, isNew: false, first: 0, windows: [[0, window]], seenEnd: 0 };
  expect(await windows.write(scene.chat, change as unknown as IndexChange)).toBe(false);
  expect(await remembered(word)).toEqual([]);
});

it("an edit of a message far back is recalled as it is now, with what came after it", async () => {
  const word = `w${uniqueId().replaceAll("-", "")}0`;
  await using scene = await openScene({ redis });
  const { chat } = scene;
  const many = Array.from({ length: 600 }, (_, at) =>
    message(`m${at}`, { messageId: `${at}`, text: at === 20 ? word : `word${at}`, person: ann }),
  );
  await write(store, chat, many);
  await index(scene);
  expect(await remembered(word)).toEqual(["mem"]);
  await scene.edit("20", "another");
  await scene.settle();
  expect(await remembered(word)).toEqual([]);
  await index(scene);
  const find = async (words: string) => {
    const found = await memory.recall.find(chat, { words, limit: 10, by: ann }, never);
    return found.windows.flatMap(({ lines }) => lines.map(({ text }) => text));
  };
  expect(await find(word)).not.toContain(word);
  for (const text of ["another", "word18", "word23", "word300", "word599"])
    expect(await find(text)).toContain(text);
});

it.each(forgettings.slice(0, 4))(
  "$how deletes facts before it is written, and again where that failed",
  async ({ forget }) => {
    const word = `w${uniqueId().replaceAll("-", "")}0`;
    const person: Person = { id: `telegram:${word.slice(1, 9)}`, name: "Ann" };
    await using scene = await plant(person, word, "Kept.");
    const { personFacts, store: turns } = scene.deps;
    const left = async () =>
      [...(await facts.list({ chat: scene.chat })), ...(await facts.list({ person: person.id }))]
        .length;
    scene.with({
      personFacts: { ...personFacts, removeWhere: () => Promise.reject(new Error("down")) },
    });
    const leaseEnds = () => store.redis.hset(chatKeys(scene.chat).state, "lease", "1");
    await expect(forget(scene, person).then(() => scene.settle())).rejects.toThrow("down");
    await leaseEnds();
    expect((await scene.story()).join()).not.toMatch(/undo|edit/);
    // It dies before it is written.
    scene.with({
      personFacts,
      store: { ...turns, commit: () => Promise.reject(new Error("killed")) },
    });
    expect(await left()).toBe(2);
    await expect(scene.settle()).rejects.toThrow("killed");
    expect(await left()).toBe(0);
    expect((await scene.story()).join()).not.toMatch(/undo|edit/);
    await leaseEnds();
    scene.with({ store: turns });
    await scene.settle();
    expect((await scene.story()).join()).toMatch(/undo|edit/);
  },
);
