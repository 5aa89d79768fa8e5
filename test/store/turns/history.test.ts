import { describe, expect, it } from "vitest";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { historyLength, readHistory, type HistoryEntry } from "../../../src/store/turns/history.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  committed,
  compaction,
  finishing,
  message,
  newChat,
  reset,
  said,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const turns = turnStoreOn(store);

const answers = (count: number) => Array.from({ length: count }, (_, n) => said(1, `${n}`));

async function all(chat: ReturnType<typeof newChat>, from: Store = store): Promise<HistoryEntry[]> {
  const found: HistoryEntry[] = [];
  for await (const each of readHistory(from, chat)) found.push(each);
  return found;
}

/** A chat with `count` answers behind its first message. */
async function aChat(count: number) {
  const chat = newChat();
  await inbox.append(chat, message("m1"));
  const append = answers(count);
  await committed(turns, await begun(turns, chat), finishing(1, { append }));
  return chat;
}

describe("the history", () => {
  it("of a chat that never was is empty", async () => {
    expect(await all(newChat())).toEqual([]);
    expect(await historyLength(store, newChat())).toBe(0);
  });

  it("holds every word, whatever was reset or compacted, at the positions that the view counts in", async () => {
    const chat = await aChat(3);
    await inbox.append(chat, message("m2"));
    await committed(
      turns,
      await begun(turns, chat),
      finishing(2, {
        append: [reset("r"), said(2), compaction(5)],
        viewStart: 6,
      }),
    );
    await inbox.append(chat, message("m3"));
    const { transcript, viewStart } = await begun(turns, chat);
    const entries = await all(chat);
    expect(entries.map(({ entry }) => entry)).toEqual([
      message("m1"),
      ...answers(3),
      message("m2"),
      reset("r"),
      said(2),
      compaction(5),
      message("m3"),
    ]);
    expect(entries.map(({ position }) => position)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(transcript).toEqual(
      entries.filter(({ position }) => position >= viewStart).map(({ entry }) => entry),
    );
    expect(await historyLength(store, chat)).toBe(9);
  });

  it.each([98, 99, 100, 230])("of %i answers comes whole, a page at a time", async (count) => {
    const chat = await aChat(count);
    const pages: number[] = [];
    const counting: Store = {
      ...store,
      async run(...asked) {
        const reply = await store.run(...asked);
        pages.push((reply as readonly string[][])[3]?.length ?? 0);
        return reply;
      },
    };
    const found = await all(chat, counting);
    expect(found.map(({ entry }) => entry)).toEqual([message("m1"), ...answers(count)]);
    expect(Math.max(...pages)).toBeLessThanOrEqual(100);
    expect(pages).toHaveLength(Math.ceil((count + 1) / 100));
  });

  it("is as it was when the reading began", async () => {
    const chat = await aChat(150);
    const reading = readHistory(store, chat);
    expect((await reading.next()).value).toEqual({
      position: 0,
      entry: message("m1"),
    });
    await inbox.append(chat, message("m2"));
    await committed(turns, await begun(turns, chat), finishing(2));
    let last: HistoryEntry | undefined;
    for await (const each of reading) last = each;
    expect(last).toEqual({ position: 150, entry: said(1, "149") });
  });

  it("that is erased meanwhile ends, and takes in nothing of a new one", async () => {
    const chat = await aChat(150);
    const reading = readHistory(store, chat);
    await reading.next();
    const { state, log, seen } = chatKeys(chat);
    await redis.del(state, log, seen);
    await inbox.append(chat, message("n1"));
    const append = answers(150).map(() => said(1, "new"));
    await committed(turns, await begun(turns, chat), finishing(1, { append }));
    const rest: HistoryEntry[] = [];
    for await (const each of reading) rest.push(each);
    // The rest of the page that was read before.
    expect(rest).toHaveLength(99);
    expect(JSON.stringify(rest)).not.toContain("new");
  });
});
