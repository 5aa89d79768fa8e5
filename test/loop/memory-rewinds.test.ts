/** How an undo or an edit far back is indexed: step by step, and never as it was. */
import { expect, it } from "vitest";
import type { LogEntry } from "../../src/core/history.ts";
import { createIndexer } from "../../src/memory/index-chat.ts";
import { createRecall } from "../../src/memory/recall.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createWindowStore, type WindowStore } from "../../src/store/memory/windows.ts";
import { write, never } from "../memory/support.ts";
import { message, newChat, said, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ann, openScene, type Scene } from "./scene.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const hourMs = 3_600_000;
const keepMs = 720 * hourMs;

/** Messages a second apart, numbered; the last one is as old as that. */
const messages = (from: number, count: number, ageMs: number): readonly LogEntry[] =>
  Array.from({ length: count }, (_, at) =>
    message(`m${from + at}`, {
      messageId: `${from + at}`,
      text: `word${from + at} said`,
      person: ann,
      atMs: Math.floor(store.clock.now()) - ageMs - (count - at) * 1_000,
    }),
  );

/** Counts what a step reads and writes. */
function counted(windows: WindowStore) {
  const read: number[] = [];
  const written: number[] = [];
  const counting: WindowStore = {
    ...windows,
    entries: async (chat, base, ranges) => {
      const found = await windows.entries(chat, base, ranges);
      read.push(
        ...(found ?? [])
          .filter((_, at) => ranges[at]?.[0]?.[2] === undefined)
          .map((each) => each.length),
      );
      return found;
    },
    write: (chat, change) => {
      written.push(change.windows.length);
      return windows.write(chat, change);
    },
  };
  return { windows: counting, read, written };
}

const windowsOf = async ({ chat }: Pick<Scene, "chat">) => {
  const { head, first, ...windows } = await store.redis.hgetall(chatKeys(chat).windows);
  return { windows, head: JSON.parse(head ?? "{}") as { id: number; from: number }, first };
};

/** Windows from that position on, by what they hold. */
const heldFrom = async (scene: Pick<Scene, "chat">, position: number) =>
  Object.values((await windowsOf(scene)).windows)
    .map((json) => JSON.parse(json) as { f: number; u: number; w: string })
    .filter(({ f }) => f >= position)
    .toSorted((one, other) => one.f - other.f);

const termsFrom = async (scene: Pick<Scene, "chat">, position: number) =>
  (await heldFrom(scene, position)).map(({ f, w }) => [f, w]);

async function index(scene: Pick<Scene, "chat">, windows: WindowStore, neverHolds?: string) {
  const step = createIndexer(windows);
  let next: "done" | "more";
  do {
    next = await step(scene.chat, { vectorsAgainMs: undefined });
    if (neverHolds !== undefined)
      expect(JSON.stringify(await windowsOf(scene))).not.toContain(neverHolds);
  } while (next === "more");
}

const changes: readonly (readonly [string, (scene: Scene, at: number) => Promise<unknown>])[] = [
  ["an edit", (scene, at) => scene.edit(`${at}`, "another thing")],
  ["an undo", (scene) => scene.control("undo")],
];
/** As a worker of an earlier version writes them: without removing windows. */
const earlier: readonly (readonly [string, (at: number) => LogEntry])[] = [
  ["an edit", (at) => edit(at)],
  ["an undo", (at) => undo(at)],
];
const undo = (fromSeq: number): LogEntry => ({
  kind: "undo",
  v: 1,
  id: "u",
  fromSeq,
  ran: [],
  atMs: 1,
});
const edit = (at: number): LogEntry => ({
  kind: "edit",
  v: 2,
  id: "e",
  edits: `${at}`,
  person: ann,
  text: "another thing",
  atMs: 1,
});

it.each(changes)(
  "%s of the only window that isn't too old reads no more than a step, of a long history",
  async (_, change) => {
    await using scene = await openScene({ redis });
    const { windows, read, written } = counted(createWindowStore(store, keepMs));
    await write(store, scene.chat, messages(0, 1_999, 900 * hourMs));
    await write(store, scene.chat, [said(1), ...messages(2_000, 3, 1_000)]);
    await index(scene, windows);
    const { head, first } = await windowsOf(scene);
    expect([first, head.from]).toEqual([`${head.id}`, 2_000]);
    read.length = written.length = 0;
    await change(scene, 2_000);
    await scene.settle();
    await index(scene, windows, "word2000");
    expect(Math.max(...read)).toBeLessThanOrEqual(500);
    expect(Math.max(...written)).toBeLessThanOrEqual(500);
    expect(read.reduce((sum, each) => sum + each, 0)).toBeLessThan(600);
  },
);

it.each(earlier)("%s of an earlier version makes all windows again", async (_, change) => {
  await using scene = await openScene({ redis });
  const { windows, read } = counted(createWindowStore(store));
  await write(store, scene.chat, messages(0, 1_200, 1_000));
  await index(scene, windows);
  await write(store, scene.chat, [change(10)]);
  await index(scene, windows);
  expect(JSON.stringify(await windowsOf(scene))).not.toMatch(/word10\b/);
  expect(Math.max(...read)).toBeLessThanOrEqual(500);
  const fresh = { chat: newChat() };
  await write(store, fresh.chat, [...messages(0, 1_200, 1_000), change(10)]);
  await index(fresh, windows);
  expect(await termsFrom(scene, 0)).toEqual(await termsFrom(fresh, 0));
});

it.each(
  changes.flatMap(([how, change]) =>
    (["first", "again"] as const).map((when) => [how, when, change] as const),
  ),
)("%s while a chat is indexed, %s, leaves nothing of what it was", async (_, when, change) => {
  await using scene = await openScene({ redis });
  const windows = createWindowStore(store);
  await write(store, scene.chat, messages(0, 60, 1_000));
  if (when === "again") {
    await index(scene, windows);
    await windows.drop(scene.chat);
  }
  let isChanged = false;
  const late: WindowStore = {
    ...windows,
    write: async (chat, written) => {
      if (!isChanged) {
        isChanged = true;
        await change(scene, 10);
        await scene.settle();
      }
      return await windows.write(chat, written);
    },
  };
  await index(scene, late, "word10");
  expect(isChanged).toBe(true);
  const recall = createRecall({ windows });
  const found = await recall.find(scene.chat, { words: "word10", limit: 3, by: ann }, never);
  expect(JSON.stringify(found)).not.toContain("word10");
});

it("an edit of what is too old to be recalled leaves the windows as they are", async () => {
  await using scene = await openScene({ redis });
  const { windows, read } = counted(createWindowStore(store, keepMs));
  await write(store, scene.chat, messages(0, 1_000, 900 * hourMs));
  await write(store, scene.chat, messages(1_000, 1_000, 1_000));
  await index(scene, windows);
  const before = await windowsOf(scene);
  read.length = 0;
  await scene.edit("5", "another thing");
  await scene.settle();
  expect((await scene.story()).at(-1)).toBe("edit another thing");
  expect((await windowsOf(scene)).windows).toEqual(before.windows);
  await index(scene, windows);
  expect((await windowsOf(scene)).head).toMatchObject({ id: before.head.id });
  expect(read.reduce((sum, each) => sum + each, 0)).toBeLessThan(10);
});

it("an edit far back is indexed step by step, as if it had always been so", async () => {
  await using scene = await openScene({ redis });
  const { windows, read } = counted(createWindowStore(store, keepMs));
  const all = [...messages(0, 1_000, 900 * hourMs), ...messages(1_000, 4_500, 1_000)];
  await write(store, scene.chat, all);
  await index(scene, windows);
  read.length = 0;
  await scene.edit("1001", "another thing");
  await scene.settle();
  await index(scene, windows, "word1001");
  // The messages that are too old are not read again.
  expect(Math.max(...read)).toBeLessThanOrEqual(500);
  expect(read.reduce((sum, each) => sum + each, 0)).toBeLessThan(5_000);
  const fresh = { chat: newChat() };
  const edited = all.map((each, at) =>
    at === 1_001 && each.kind === "message" ? { ...each, text: "another thing" } : each,
  );
  await write(store, fresh.chat, edited);
  await index(fresh, windows);
  expect(await termsFrom(scene, 1_000)).toEqual(await termsFrom(fresh, 1_000));
  const recall = createRecall({ windows });
  const found = await recall.find(scene.chat, { words: "another thing", limit: 3, by: ann }, never);
  expect(JSON.stringify(found)).toContain("another thing");
});

it("an undo over more than a step leaves nothing of what it takes back", async () => {
  await using scene = await openScene({ redis });
  const { windows, read } = counted(createWindowStore(store));
  await write(store, scene.chat, messages(0, 1_500, 1_000));
  await index(scene, windows);
  read.length = 0;
  await write(store, scene.chat, [undo(300), ...messages(1_600, 3, 0)]);
  await index(scene, windows, "word777");
  expect(Math.max(...read)).toBeLessThanOrEqual(500);
  const held = JSON.stringify(await windowsOf(scene));
  for (const word of ["word299", "word1600", "word1602"]) expect(held).toContain(word);
  for (const word of ["word300", "word900", "word1499"]) expect(held).not.toContain(word);
});

it("an edit that gives the first message a text is indexed", async () => {
  await using scene = await openScene({ redis });
  const windows = createWindowStore(store);
  const [photo, ...others] = messages(0, 4, 1_000);
  await write(store, scene.chat, [{ ...photo, text: "" } as LogEntry, ...others]);
  await index(scene, windows);
  await scene.edit("0", "my zebra");
  await scene.settle();
  await index(scene, windows);
  expect(JSON.stringify(await windowsOf(scene))).toContain("zebra");
});

it("an edit of what no window holds yet lets processes keep the windows that they have read", async () => {
  await using scene = await openScene({ redis });
  const windows = createWindowStore(store);
  await write(store, scene.chat, messages(0, 200, 1_000));
  await index(scene, windows);
  let read = 0;
  const recall = createRecall({
    windows: {
      ...windows,
      windows: (chat, from, to) => {
        read += to - from;
        return windows.windows(chat, from, to);
      },
    },
  });
  const find = async (words: string) => {
    read = 0;
    const found = await recall.find(scene.chat, { words, limit: 3, by: ann }, never);
    return JSON.stringify(found.windows);
  };
  expect(await find("word7")).toContain("word7 said");
  const all = read;
  await scene.say("news", { messageId: "n" });
  await scene.settle();
  const late = await windows.open(scene.chat);
  await scene.edit("n", "other news");
  await scene.settle();
  expect(await find("word7")).toContain("word7 said");
  expect(read).toBe(1);
  // What was read before the edit is not written after it, though.
  const { head } = late;
  if (head === undefined) throw new TypeError("nothing is indexed");
  const change = { open: late, head, isNew: false, first: 0, windows: [], seenEnd: late.end };
  expect(await windows.write(scene.chat, change)).toBe(false);
  await scene.edit("100", "another thing");
  await scene.settle();
  expect(await find("word7")).toContain("word7 said");
  expect(read).toBeGreaterThan(20);
  expect(read).toBeLessThan(all);
});
