import { array, assert, asyncProperty, constant, lorem, oneof } from "fast-check";
import { expect, test } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import { createIndexer } from "../../src/memory/index-chat.ts";
import { createRecall } from "../../src/memory/recall.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { memoryMember } from "../../src/store/memory/windows.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { anna, ben, message, newChat, reset, said, storeOn } from "../store/support.ts";
import { memoryOn, never, write } from "./support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const memory = memoryOn(store);
const hourMs = 3_600_000;

const tells = (id: string, text: string, more = {}): LogEntry =>
  message(id, { text, messageId: id, atMs: hourMs, ...more });
const stored = (chat: ChatKey) => redis.hgetall(chatKeys(chat).windows);

const undo = (fromSeq: number): LogEntry => ({
  kind: "undo",
  v: 1,
  id: `undo ${fromSeq}`,
  fromSeq,
  ran: [],
  atMs: hourMs,
});
const edit = (edits: string, text: string): LogEntry => ({
  kind: "edit",
  v: 2,
  id: `edit of ${edits}`,
  edits,
  person: anna,
  text,
  atMs: hourMs,
});

test("what was said is found by its words, with who said it and its message", async () => {
  const chat = newChat();
  await write(store, chat, [
    tells("m1", "Our cat is called Mimi."),
    said(1, "A lovely name!"),
    tells("m2", "The boiler needs a new valve.", { person: ben }),
  ]);
  await memory.index(chat);
  const { windows, behind } = await memory.recall.find(
    chat,
    { words: "which valves do boilers need", limit: 10, by: anna },
    never,
  );
  expect(behind).toBeUndefined();
  expect(windows).toMatchObject([
    {
      from: 0,
      to: 2,
      atMs: hourMs,
      lines: [
        { position: 0, who: "Anna", text: "Our cat is called Mimi.", messageId: "m1" },
        { position: 1, who: undefined, text: "A lovely name!" },
        { position: 2, who: "Ben", text: "The boiler needs a new valve." },
      ],
    },
  ]);
});

test("after /new it is found, too, and a window never reaches over it or a long silence", async () => {
  const chat = newChat();
  await write(store, chat, [
    tells("m1", "The harbour opens at six."),
    reset("r"),
    tells("m2", "Blue paint."),
    tells("m3", "Green paint.", { atMs: 8 * hourMs }),
  ]);
  await memory.index(chat);
  expect(await memory.texts(chat, "harbour")).toEqual(["The harbour opens at six."]);
  expect(await memory.texts(chat, "blue")).toEqual(["Blue paint."]);
  expect(await memory.texts(chat, "green")).toEqual(["Green paint."]);
});

test("an edit changes the message at its position, or else one of its person", async () => {
  const chat = newChat();
  await write(store, chat, [
    tells("7", "Anna has a harbour."),
    tells("7", "Ben has a harbour.", { person: ben }),
    edit("7", "Anna has a lighthouse."),
    reset("r"),
    tells("8", "Two bridges."),
    tells("8", "Three bridges."),
    { ...edit("8", "Four bridges."), id: "late", of: 4 } as LogEntry,
  ]);
  await memory.index(chat);
  expect(await memory.texts(chat, "harbour lighthouse")).toEqual([
    "Anna has a lighthouse.",
    "Ben has a harbour.",
  ]);
  expect(await memory.texts(chat, "bridges")).toEqual(["Four bridges.", "Three bridges."]);
});

test("dates, speakers and positions narrow it", async () => {
  const chat = newChat();
  const dayMs = 24 * hourMs;
  await write(store, chat, [
    tells("m1", "tea on Monday", { atMs: dayMs }),
    tells("m2", "tea on Friday", { atMs: 5 * dayMs, person: ben }),
  ]);
  await memory.index(chat);
  expect(await memory.texts(chat, "tea")).toHaveLength(2);
  expect(await memory.texts(chat, "tea", { fromMs: 2 * dayMs })).toEqual(["tea on Friday"]);
  expect(await memory.texts(chat, "tea", { toMs: 2 * dayMs })).toEqual(["tea on Monday"]);
  expect(await memory.texts(chat, "tea", { who: "ben" })).toEqual(["tea on Friday"]);
  expect(await memory.texts(chat, "tea", { before: 1 })).toEqual(["tea on Monday"]);
  expect(await memory.texts(chat, "tea in January 1970")).toHaveLength(2);
});

test("a long message is found by who said it, too, though its last words may not be kept", async () => {
  const chat = newChat();
  const words = Array.from({ length: 250 }, (_, index) => `pebble${index}`).join(" ");
  await write(store, chat, [
    tells("m1", words),
    said(1, "Many!"),
    tells("m2", "ok", { person: ben }),
  ]);
  await memory.index(chat);
  expect(await memory.texts(chat, "pebble0", { who: "Anna" })).not.toEqual([]);
  expect(await memory.texts(chat, "pebble0", { who: "Carla" })).toEqual([]);
});

test("what was undone or edited is recalled as it is now, before and after it is indexed", async () => {
  const chat = newChat();
  await write(store, chat, [
    tells("m1", "The key is under the mat."),
    said(1, "Noted."),
    tells("m2", "The safe's code is 4711."),
    said(2, "I won't say."),
  ]);
  await memory.index(chat);
  await write(store, chat, [edit("m1", "The key is with Ben."), undo(2)]);
  const expected = async () => {
    const found = await memory.texts(chat, "key mat safe code");
    expect(found).toContain("The key is with Ben.");
    expect(found.join("\n")).not.toMatch(/mat|4711|won't/);
  };
  await expected();
  await memory.index(chat);
  await expected();
  expect(JSON.stringify(await stored(chat))).not.toMatch(/mat|4711/);
  expect(await memory.texts(chat, "code 4711")).toEqual([]);
});

/** Counts entries that are read, and how often. */
function counted() {
  const { windows } = memory;
  const read = { changes: 0, others: 0, widest: 0 };
  const entries: typeof windows.entries = (chat, base, groups) => {
    for (const [from, to, only] of groups.flat()) {
      read[only ?? "others"] += Math.max(0, to - from + 1);
      if (only === undefined) read.widest = Math.max(read.widest, to - from + 1);
    }
    return windows.entries(chat, base, groups);
  };
  return { windows: { ...windows, entries }, read };
}

test("a long history is read once to be indexed, and once more for what changes it far ahead", async () => {
  const chat = newChat();
  const many = Array.from({ length: 6_000 }, (_, at) => tells(`m${at}`, `word${at} said`));
  await write(store, chat, [...many, edit("m100", "a zebra"), undo(5_990)]);
  const { windows, read } = counted();
  const step = createIndexer(windows);
  while ((await step(chat, { vectorsAgainMs: undefined })) === "more");
  // Each step begins with the last window of the one before.
  expect(read.others).toBeLessThan(6_100);
  expect(read.changes).toBeLessThan(6_100);
  const held = JSON.stringify(await stored(chat));
  expect(held).toContain("zebra");
  expect(held).not.toMatch(/word(100|5995)\b/);
  // What it reads now is far away, and read by its place.
  read.widest = 0;
  const recall = createRecall({ windows });
  const found = await recall.find(chat, { words: "zebra", limit: 3, by: anna }, never);
  expect(found.windows[0]?.lines.map(({ text }) => text)).toContain("a zebra");
  expect(read.widest).toBeLessThan(10);
});

const sampleOf = { owner: "sample:x", name: "chef", hash: "h" };

test("a sample of a persona isn't recalled, neither its question nor its answer", async () => {
  const chat = newChat();
  await write(store, chat, [
    tells("m1", "The key is under the mat."),
    said(1, "Noted."),
    tells("m2", "Who has the key?", { sampleOf }),
    said(2, "A chef has the key."),
    tells("m3", "Where's the key?"),
    said(3, "Under the mat is the key."),
  ]);
  await memory.index(chat);
  const found = await memory.texts(chat, "key");
  expect(found).toEqual(expect.arrayContaining(["Noted.", "Where's the key?"]));
  expect(found.join("\n")).not.toMatch(/Who has|A chef/);
});

const asked = tells("m1", "Who has the key?", { sampleOf });
const ended: LogEntry = { kind: "end", v: 1, turn: 1, reason: "answered" };

test.each<[string, readonly (readonly LogEntry[])[]]>([
  ["its answer", [[asked], [said(1, "A chef has the key."), ended]]],
  [
    "each of its answer's rounds",
    [[asked], [said(1, "The key? One moment.")], [said(1, "A chef has the key."), ended]],
  ],
  [
    "its answer, at the end of what a step reads",
    [
      [
        ...Array.from({ length: 499 }, (_, at) => reset(`r${at}`)),
        asked,
        said(1, "A chef has the key."),
        ended,
      ],
    ],
  ],
])("a sample isn't recalled, where the chat is indexed before %s", async (_, parts) => {
  const chat = newChat();
  for (const part of parts) {
    await write(store, chat, part);
    await memory.index(chat);
  }
  expect(await memory.texts(chat, "key chef")).toEqual([]);
  await write(store, chat, [tells("m2", "The key is under the mat."), said(2, "Noted.")]);
  await memory.index(chat);
  expect(await memory.texts(chat, "key chef")).toEqual(["The key is under the mat.", "Noted."]);
});

test("a sample that nothing follows but many entries holds up no later one", async () => {
  const chat = newChat();
  const many = Array.from({ length: 1_200 }, (_, at) => reset(`r${at}`));
  await write(store, chat, [asked, ...many, tells("m2", "The key is under the mat.")]);
  await memory.index(chat);
  expect(await memory.texts(chat, "key")).toEqual(["The key is under the mat."]);
});

test.each([4, 5, 6, 7, 8])(
  "what was undone at the beginning of the last window (%i messages) is gone from the one before",
  async (count) => {
    const chat = newChat();
    const many = Array.from({ length: count }, (_, at) => tells(`m${at}`, `word${at} said`));
    await write(store, chat, many);
    await memory.index(chat);
    for (let from = count - 1; from > 0; from -= 1) {
      await write(store, chat, [undo(from)]);
      await memory.index(chat);
      expect(await memory.texts(chat, `word${from}`)).not.toContain(`word${from} said`);
      expect(JSON.stringify(await stored(chat))).not.toContain(`word${from}`);
    }
    expect(await memory.texts(chat, "word0")).toEqual(["word0 said"]);
  },
);

test("an undo that reaches far back makes the windows from there on again", async () => {
  const chat = newChat();
  const many = Array.from({ length: 200 }, (_, at) => tells(`m${at}`, `word${at} said`));
  await write(store, chat, many);
  await memory.index(chat);
  await write(store, chat, [undo(20), tells("m", "fresh")]);
  await memory.index(chat);
  expect(await memory.texts(chat, "word150")).toEqual([]);
  expect(await memory.texts(chat, "word10")).toContain("word10 said");
  expect(await memory.texts(chat, "fresh")).toContain("fresh");
  expect(JSON.stringify(await stored(chat))).not.toContain("word150");
});

/** A history in pieces: how its windows come out must not depend on when it was indexed. */
const piece = array(
  oneof(
    { weight: 6, arbitrary: lorem({ maxCount: 30 }).map((text) => ["message", text] as const) },
    { weight: 4, arbitrary: lorem({ maxCount: 300 }).map((text) => ["answer", text] as const) },
    { weight: 1, arbitrary: constant(["reset", ""] as const) },
    { weight: 1, arbitrary: constant(["silence", ""] as const) },
  ),
  { maxLength: 40 },
);

test("windows are the same however often and by how many a history is indexed, and hold all of it", async () => {
  await assert(
    asyncProperty(array(piece, { minLength: 1, maxLength: 5 }), async (pieces) => {
      const [whole, stepwise] = [newChat(), newChat()];
      let atMs = hourMs;
      let count = 0;
      const entries = pieces.map((each) =>
        each.map(([kind, text]): LogEntry => {
          count += 1;
          if (kind === "silence") atMs += 7 * hourMs;
          if (kind === "reset") return reset(`${count}`);
          return kind === "answer" ? said(1, text) : tells(`m${count}`, text, { atMs });
        }),
      );
      for (const each of entries) {
        if (each.length > 0) await write(store, stepwise, each);
        // Two sweepers at once, and a repetition.
        await Promise.all([memory.index(stepwise), memoryOn(store).index(stepwise)]);
        await memory.index(stepwise);
      }
      if (entries.flat().length > 0) await write(store, whole, entries.flat());
      await memory.index(whole);
      const [{ head: one, ...first }, { head: other, ...second }] = [
        await stored(whole),
        await stored(stepwise),
      ];
      expect(second).toEqual(first);
      expect(one === undefined).toBe(other === undefined);
      const covered = new Set(
        Object.entries(first).flatMap(([id, json]) => {
          if (id === "first") return [];
          const { f, t } = JSON.parse(json) as { f: number; t: number };
          return Array.from({ length: t - f + 1 }, (_, index) => f + index);
        }),
      );
      const spoken = entries
        .flat()
        .flatMap((entry, position) =>
          (entry.kind === "message" || entry.kind === "assistant") && entry.text.trim() !== ""
            ? [position]
            : [],
        );
      expect(spoken.filter((position) => !covered.has(position))).toEqual([]);
    }),
    { numRuns: 40 },
  );
}, 60_000);

test("an answer has the time of a message without text that was indexed before it", async () => {
  const chat = newChat();
  await write(store, chat, [tells("photo", "")]);
  await memory.index(chat);
  await write(store, chat, [said(1, "A grey cat.")]);
  await memory.index(chat);
  const { windows } = await memory.recall.find(chat, { words: "cat", limit: 1, by: anna }, never);
  expect(windows[0]?.atMs).toBe(hourMs);
});

test("an answer without a time gets none from a later message without text", async () => {
  const chat = newChat();
  await write(store, chat, [said(1, "nulla"), tells("m1", "")]);
  for (let times = 0; times < 2; times += 1) {
    await memory.index(chat);
    expect(JSON.parse((await stored(chat))["0"] ?? "")).toMatchObject({ at: 0 });
  }
});

test("an index of an erased history is made again, and one of another is never read", async () => {
  const chat = newChat();
  await write(store, chat, [tells("m1", "plums")]);
  await memory.index(chat);
  await redis.hset(chatKeys(chat).state, "epoch", "another");
  expect(await memory.texts(chat, "plums")).toEqual([]);
  await redis.del(chatKeys(chat).log);
  await write(store, chat, [tells("m2", "pears")]);
  await memory.index(chat);
  expect(await memory.texts(chat, "plums pears")).toEqual(["pears"]);
});

test("windows older than memory is kept are neither recalled nor stored, though the history is", async () => {
  const chat = newChat();
  const { windows: stored, vectors, wake } = chatKeys(chat);
  const dayMs = 24 * hourMs;
  const nowMs = Math.floor(store.clock.now());
  // Silence of a day separates them.
  const atMs = [40, 31, 20, 1].map((days) => nowMs - days * dayMs);
  const entries = ["plums", "pears", "figs", "dates"].map((text, at) =>
    tells(`m${at}`, text, { atMs: atMs[at] }),
  );
  await write(store, chat, entries);
  await memory.index(chat);
  await redis.hset(vectors, "0", "v", "1", "v", "2", "v");
  const kept = memoryOn(store, 30 * dayMs);
  // Before the index is gone through, too.
  expect(await kept.texts(chat, "plums pears figs dates")).toEqual(["dates", "figs"]);
  expect(await memory.texts(chat, "plums")).toEqual(["plums"]);
  await kept.index(chat);
  expect((await redis.hkeys(stored)).toSorted()).toEqual(["2", "3", "first", "head"]);
  expect(await redis.hkeys(vectors)).toEqual(["2"]);
  expect(await kept.texts(chat, "plums pears figs dates")).toEqual(["dates", "figs"]);
  expect(await redis.llen(chatKeys(chat).log)).toBe(4);
  // It is looked at again when the next one is too old, without a turn.
  const [figsMs = NaN, datesMs = NaN] = atMs.slice(2);
  expect(await redis.zscore(wake, memoryMember(chat))).toBe(`${figsMs + 30 * dayMs + 1}`);
  await memoryOn(store, 5 * dayMs).index(chat);
  expect((await redis.hkeys(stored)).toSorted()).toEqual(["3", "first", "head"]);
  expect(await redis.zscore(wake, memoryMember(chat))).toBe(`${datesMs + 5 * dayMs + 1}`);
  // A new message follows those that are gone; and at last nothing is left.
  await write(store, chat, [tells("m4", "grapes", { atMs: nowMs - hourMs })]);
  await memoryOn(store, 5 * dayMs).index(chat);
  expect(await memory.texts(chat, "grapes dates")).toEqual(["grapes", "dates"]);
  await memoryOn(store, 1).index(chat);
  expect((await redis.hkeys(stored)).toSorted()).toEqual(["first", "head"]);
  expect(await redis.zscore(wake, memoryMember(chat))).toBeNull();
  // An index that is made again has no older ones either.
  await redis.del(stored);
  await kept.index(chat);
  expect(await memory.texts(chat, "plums pears figs dates grapes")).toEqual(
    expect.not.arrayContaining(["plums", "pears"]),
  );
});

test("a hundred thousand windows are too many: the newest are found, and it is said", async () => {
  const chat = newChat();
  const many = Array.from({ length: 4_000 }, (_, at) => tells(`m${at}`, `word${at} `.repeat(60)));
  for (let round = 0; round < 30; round += 1) await write(store, chat, many);
  await write(store, chat, [tells("last", "the very last")]);
  expect(await memory.recall.find(chat, { words: "last", limit: 1, by: anna }, never)).toEqual({
    windows: [],
    behind: "indexing",
  });
  await memory.index(chat);
  expect(await redis.hlen(chatKeys(chat).windows)).toBeLessThanOrEqual(20_002);
  const found = await memory.recall.find(
    chat,
    { words: "the very last", limit: 3, by: anna },
    never,
  );
  expect(found.behind).toBe("too-long");
  expect(found.windows[0]?.lines.at(-1)?.text).toBe("the very last");
}, 240_000);
