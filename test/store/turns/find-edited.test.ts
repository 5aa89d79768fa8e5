import { expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import type { EditEntry, LogEntry } from "../../../src/core/history.ts";
import { EditSearch } from "../../../src/core/open-messages.ts";
import { findEdited } from "../../../src/store/turns/find-edited.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { write } from "../../memory/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { anna, ben, message, newChat, reset, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());

const said = (id: number, more = {}): LogEntry =>
  message(`m${id}`, { messageId: `${id}`, text: `old ${id}`, ...more });
const numbered = (from: number, count: number): readonly LogEntry[] =>
  Array.from({ length: count }, (_, index) => said(from + index));
const edit = (id: number, more: Partial<EditEntry> = {}): EditEntry => ({
  kind: "edit",
  v: 2,
  id: `e${id}`,
  edits: `${id}`,
  person: anna,
  text: "new",
  atMs: 1,
  ...more,
});

async function find(chat: ChatKey, given: EditEntry, before?: number) {
  let reads = 0;
  const run: Store["run"] = (...asked) => {
    reads += 1;
    return store.run(...asked);
  };
  const found = await findEdited({ run }, chat, new EditSearch(given), before);
  return { found, reads };
}

it("finds what an edit changes, however far back, with how it reads now", async () => {
  const chat = newChat();
  await write(store, chat, [
    ...numbered(1, 2_500),
    edit(3, { text: "newer" }),
    reset("r"),
    said(9_000),
  ]);
  expect((await find(chat, edit(3, { id: "other" }))).found).toEqual({
    position: 2,
    text: "newer",
    isPast: true,
  });
  expect((await find(chat, edit(9_000))).found).toMatchObject({ position: 2_502, isPast: false });
  expect((await find(chat, edit(9_000), 2_502)).found).toBeUndefined();
});

it.each<[string, EditEntry]>([
  ["is known", edit(3)],
  ["changes nothing", edit(4, { text: "old 4" })],
  ["is another person's", edit(4, { person: ben })],
  ["is of what was taken back", edit(6)],
  ["is of what was never kept", edit(60)],
])("finds nothing for an edit that %s", async (_, given) => {
  const chat = newChat();
  const undo: LogEntry = { kind: "undo", v: 1, id: "u", fromSeq: 5, ran: [], atMs: 1 };
  await write(store, chat, [...numbered(1, 6), undo, edit(3)]);
  expect((await find(chat, given)).found).toBeUndefined();
});

it("looks no further than where all messages are older, though one is repeated by /retry", async () => {
  const chat = newChat();
  await write(store, chat, [...numbered(1_001, 3_000), said(7)]);
  // The first reads where the history ends.
  expect(await find(chat, edit(5_000))).toEqual({ found: undefined, reads: 2 });
  expect(await find(chat, edit(1_500))).toMatchObject({ found: { position: 499 }, reads: 4 });
  expect(await find(chat, edit(7))).toMatchObject({ found: { position: 3_000 }, reads: 2 });
  expect(await find(chat, edit(8))).toEqual({ found: undefined, reads: 5 });
});

it("goes on where the history's beginning is dropped, and ends where it is erased", async () => {
  const chat = newChat();
  const { log, state } = chatKeys(chat);
  await write(store, chat, numbered(1, 2_500));
  const after = async (change: () => Promise<unknown>) => {
    let isFirst = true;
    const run: Store["run"] = async (...asked) => {
      const reply = await store.run(...asked);
      if (isFirst) await change();
      isFirst = false;
      return reply;
    };
    const search = new EditSearch(edit(700, { id: "e2" }));
    // As a worker has read the newest entries already.
    search.look({ position: 2_500, entry: edit(700, { text: "newer" }) });
    return await findEdited({ run }, chat, search);
  };
  const trim = () =>
    Promise.all([store.redis.ltrim(log, 500, -1), store.redis.hset(state, "logBase", "500")]);
  expect(await after(trim)).toMatchObject({ position: 699, text: "newer" });
  expect(await after(() => store.redis.hset(state, "epoch", "another"))).toBeUndefined();
});
