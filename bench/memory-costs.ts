/**
 * What memory costs: `npm run bench:memory-costs`. The p50 of a turn with `recall: off`, `tool` and
 * `auto` (keywords, warm index), asked in alternation, each of its own processes and Redis; recall
 * over 10,000 windows; and bytes for each window in Redis. Vectors are random: they say nothing of
 * quality, and no endpoint's time is in the figures. Leaves nothing behind.
 *
 * `-- --rounds 40` blocks of ten turns for each · `--windows 10000`
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { chatKey, type ChatKey } from "../src/core/chat.ts";
import type { LogEntry } from "../src/core/history.ts";
import { createIndexer } from "../src/memory/index-chat.ts";
import { createMemory, type Memory } from "../src/memory/memory.ts";
import { chatKeys } from "../src/store/keys.ts";
import { createVectorStore } from "../src/store/memory/vectors.ts";
import { createWindowStore } from "../src/store/memory/windows.ts";
import { openStore, type Store } from "../src/store/redis/redis.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { usedBytes } from "./idle-chats/measure.ts";
import { fullSizes, freshChats, quantile, withSystem, type Scene } from "./support/measure.ts";
import { seedParley } from "./support/seed-parley.ts";
import { startStubs } from "./support/stubs.ts";
import { parleyRecalling, type RecallMode } from "./systems.ts";

const modes: readonly RecallMode[] = ["off", "tool", "auto"];
const turnsOfBlock = 10;
const chatsOfMode = 5;
/** Of each chat, before the conversation that is measured. */
const historyLength = 400;
const limitMs = 30_000;
/**
 * The model's time for each answer. At once, the "typing" of the draft would overtake some answers
 * and not others, and that would be measured.
 */
const modelMs = 150;
const dimensions = 768;
const recalls = 100;
const never = new AbortController().signal;

/** The same numbers in every run: a linear congruential generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const random = randomFrom(7);
const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ");
const wordOf = (rank: number): string => {
  const [one, two, three] = [rank % 20, Math.floor(rank / 20) % 20, Math.floor(rank / 400) % 20];
  return `${syllables[one] ?? ""}${syllables[two] ?? ""}${syllables[three] ?? ""}`;
};
/** As rare as words are: one of 8,000, the lower ranks far more often. */
const anyWord = (): string => wordOf(Math.floor(8_000 ** random()));
const sentence = (words: number): string => Array.from({ length: words }, anyWord).join(" ");

/** Messages of about 20 words, as in LoCoMo's conversations; one of eight says hello. */
const entriesOf = (count: number): readonly LogEntry[] =>
  Array.from({ length: count }, (_, index): LogEntry => {
    const text = `${index % 8 === 0 ? "hello " : ""}${sentence(12 + (index % 16))}`;
    return index % 2 === 0
      ? {
          kind: "message",
          v: 1,
          id: `m${index}`,
          person: { id: "telegram:1", name: "Ann" },
          text,
          atMs: 1_790_000_000_000 + index * 60_000,
        }
      : { kind: "assistant", v: 1, turn: index, round: 1, model: "openai/stub", text, calls: [] };
  });

async function append(store: Store, chat: ChatKey, entries: readonly LogEntry[]): Promise<void> {
  const { log } = chatKeys(chat);
  for (let from = 0; from < entries.length; from += 1_000) {
    const part = entries.slice(from, from + 1_000);
    await store.redis.rpush(log, ...part.map((entry) => JSON.stringify(entry)));
  }
}

/** Conversations that are over and indexed. */
async function leaveConversations(redisUrl: string, chats: readonly number[]): Promise<void> {
  await seedParley({ redisUrl, chats, history: 2 });
  const store = openStore(redisUrl, () => undefined);
  try {
    for (const number of chats) {
      const chat = chatKey({ platform: "telegram", bot: "100000001", chat: String(number) });
      await append(store, chat, [
        ...entriesOf(historyLength),
        { kind: "reset", v: 1, id: "reset", atMs: 1_790_100_000_000 },
      ]);
      const step = createIndexer(createWindowStore(store));
      while ((await step(chat, { vectorsAgainMs: undefined })) === "more");
    }
  } finally {
    store.redis.disconnect();
  }
}

/** Runs `use` while all the systems run. */
async function withScenes(
  left: readonly RecallMode[],
  use: (scenes: readonly Scene[]) => Promise<void>,
  scenes: readonly Scene[] = [],
): Promise<void> {
  const [mode, ...others] = left;
  if (mode === undefined) return await use(scenes);
  await using stubs = await startStubs();
  await stubs.modelDelay(modelMs);
  const asked = { stubs, system: parleyRecalling(mode), sizes: fullSizes };
  await withSystem(asked, { chats: freshChats(chatsOfMode) }, (scene) =>
    withScenes(others, use, [...scenes, scene]),
  );
}

async function benchTurns(rounds: number): Promise<void> {
  await withScenes(modes, async (scenes) => {
    const latencies = scenes.map((): number[] => []);
    let lost = 0;
    const ask = async ({ stubs, setting }: Scene, turns: number) => {
      const loaded = await stubs.load({
        chats: setting.chats,
        turns,
        concurrency: 1,
        pauseMs: 0,
        limitMs,
      });
      lost += loaded.lost;
      return loaded.latenciesMs;
    };
    for (const scene of scenes) {
      await leaveConversations(scene.setting.redisUrl, scene.setting.chats);
      await ask(scene, 50);
    }
    for (let round = 0; round < rounds; round += 1) {
      const order = [...scenes.keys()];
      for (const index of round % 2 === 0 ? order : order.toReversed()) {
        const scene = scenes[index];
        if (scene !== undefined) latencies[index]?.push(...(await ask(scene, turnsOfBlock)));
      }
    }
    const p50s = latencies.map((each) =>
      quantile(
        each.toSorted((one, other) => one - other),
        0.5,
      ),
    );
    const bytes = await Promise.all(
      scenes.map(async ({ stubs }) => {
        const { requestBytes, requests } = await stubs.modelStats();
        return requestBytes / requests / 1_024;
      }),
    );
    for (const [index, mode] of modes.entries())
      console.log(
        `turn, recall ${mode}: p50 ${ms(p50s[index])} (${signed((p50s[index] ?? NaN) - (p50s[0] ?? NaN))}), ${latencies[index]?.length} turns, ${bytes[index]?.toFixed(1)} KiB a request`,
      );
    console.log(`lost: ${lost}`);
  });
}

const ms = (value: number | undefined): string => `${value?.toFixed(2)} ms`;
const signed = (value: number): string => `${value < 0 ? "" : "+"}${value.toFixed(2)} ms`;

const vectorOf = () => Array.from({ length: dimensions }, () => random() - 0.5);

function memoryOn(store: Store, hasVectors: boolean): Memory {
  return createMemory({
    windows: createWindowStore(store),
    report: () => undefined,
    meaning: hasVectors
      ? {
          embedder: {
            model: "bench/random",
            embed: (texts) => Promise.resolve(texts.map(vectorOf)),
          },
          vectors: createVectorStore(store),
          pay: () => Promise.resolve(() => Promise.resolve()),
          monotonic: () => performance.now(),
          report: (cause) => console.error(cause),
        }
      : undefined,
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Five messages a window, of which two share one. */
async function benchRecall(windows: number): Promise<void> {
  for (const hasVectors of [false, true]) {
    await using server = await startTestRedis();
    const store = openStore(server.url, (error) => console.error(error.message));
    try {
      const chat = chatKey({ platform: "console", bot: "local", chat: "bench" });
      await store.redis.hset(chatKeys(chat).state, "epoch", "bench");
      await append(store, chat, entriesOf(windows * 4));
      const before = await usedBytes(store);
      const indexing = memoryOn(store, hasVectors);
      while ((await indexing.index(chat)) === "more");
      while ((await indexing.embed(chat, never)) === "more");
      const bytes = (await usedBytes(store)) - before;
      const count = (await createWindowStore(store).open(chat)).head?.count ?? NaN;
      const cold: number[] = [];
      const warm: number[] = [];
      for (let process = 0; process < 5; process += 1) {
        const { recall } = memoryOn(store, hasVectors);
        const find = () =>
          recall.find(
            chat,
            { words: sentence(8), limit: 10, by: { id: "telegram:1", name: "Ann" } },
            never,
          );
        cold.push(await timed(find));
        for (let each = 0; each < recalls; each += 1) warm.push(await timed(find));
      }
      const sorted = warm.toSorted((one, other) => one - other);
      const name = hasVectors ? `keywords and ${dimensions} dimensions` : "keywords";
      console.log(
        `recall, ${count} windows, ${name}: warm p50 ${ms(quantile(sorted, 0.5))}, p99 ${ms(quantile(sorted, 0.99))}, cold ${ms(Math.min(...cold))} to ${ms(Math.max(...cold))}; ${(bytes / count).toFixed(0)} bytes a window in Redis`,
      );
    } finally {
      store.redis.disconnect();
    }
  }
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "40" },
    windows: { type: "string", default: "10000" },
  },
});
const load = (): string =>
  loadavg()
    .map((each) => each.toFixed(2))
    .join(" ");
console.log(`${cpus().length} cores; load ${load()} before`);
await benchRecall(Number(values.windows));
await benchTurns(Number(values.rounds));
console.log(`load ${load()} after`);
