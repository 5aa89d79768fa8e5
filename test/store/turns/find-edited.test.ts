import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import type { EditEntry, LogEntry } from "../../../src/core/history.ts";
import { EditSearch } from "../../../src/core/open-messages.ts";
import { lookBack } from "../../../src/store/turns/find-edited.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import type { Store } from "../../../src/store/redis/redis.ts";
import { write } from "../../memory/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { anna, ben, message, newChat, reset, said as answer, storeOn } from "../support.ts";

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

const undo = (fromSeq: number): LogEntry => ({
  kind: "undo",
  v: 1,
  id: "u",
  fromSeq,
  ran: [],
  atMs: 1,
});

async function find(chat: ChatKey, given: EditEntry, before?: number) {
  let reads = 0;
  const run: Store["run"] = (...asked) => {
    reads += 1;
    return store.run(...asked);
  };
  const search = new EditSearch(given);
  const found = await lookBack(
    { run },
    chat,
    (entry) => search.look(entry),
    before === undefined ? {} : { before },
  );
  return { found: found === "nothing" ? undefined : found, reads };
}

it("finds what an edit changes, with how it reads now and the turn that followed", async () => {
  const chat = newChat();
  await write(store, chat, [
    ...numbered(1, 900),
    answer(1),
    edit(3, { text: "newer" }),
    answer(2),
    reset("r"),
    said(9_000),
  ]);
  expect((await find(chat, edit(3, { id: "other" }))).found).toEqual({
    position: 2,
    text: "newer",
    isPast: true,
    turn: 1,
  });
  const newest = { position: 904, text: "old 9000", isPast: false, turn: undefined };
  expect((await find(chat, edit(9_000))).found).toEqual(newest);
  expect((await find(chat, edit(9_000), 904)).found).toBeUndefined();
});

it.each<[string, EditEntry]>([
  ["is known, though a newer one came after it", edit(3)],
  ["changes nothing", edit(4, { text: "old 4" })],
  ["is another person's", edit(4, { person: ben })],
  ["is of what was taken back", edit(6)],
  ["is of what was never kept", edit(60)],
])("finds nothing for an edit that %s", async (_, given) => {
  const chat = newChat();
  const newer = edit(3, { id: "newer", text: "newest" });
  await write(store, chat, [...numbered(1, 6), undo(5), edit(3), newer]);
  expect((await find(chat, given)).found).toBeUndefined();
});

it("knows the edit of an earlier message within what was taken back", async () => {
  const chat = newChat();
  await write(store, chat, [...numbered(1, 2), edit(1, { of: 0 }), undo(1)]);
  expect((await find(chat, edit(1, { id: "again" }))).found).toBeUndefined();
  const found = { position: 0, text: "new" };
  expect((await find(chat, edit(1, { id: "b", text: "old 1" }))).found).toMatchObject(found);
});

it("looks through the newest thousand entries, a hundred at a time", async () => {
  const chat = newChat();
  await write(store, chat, [...numbered(1, 1_005), said(7, { messageId: "moved-7" })]);
  // The first reads where the history ends.
  expect(await find(chat, edit(1_000))).toMatchObject({ found: { position: 999 }, reads: 2 });
  expect(await find(chat, edit(7, { edits: "moved-7" }))).toMatchObject({ reads: 2 });
  expect(await find(chat, edit(7))).toMatchObject({ found: { position: 6 }, reads: 11 });
  expect(await find(chat, edit(6))).toEqual({ found: undefined, reads: 11 });
});

it("goes on where the history's beginning is dropped, and ends where it is erased", async () => {
  const chat = newChat();
  const { log, state } = chatKeys(chat);
  await write(store, chat, numbered(1, 900));
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
    search.look({ position: 900, entry: edit(700, { text: "newer" }) });
    return await lookBack({ run }, chat, (entry) => search.look(entry));
  };
  const trim = () =>
    Promise.all([store.redis.ltrim(log, 500, -1), store.redis.hset(state, "logBase", "500")]);
  expect(await after(trim)).toMatchObject({ position: 699, text: "newer" });
  expect(await after(() => store.redis.hset(state, "epoch", "another"))).toBeUndefined();
});

describe("ingress", () => {
  let reads = 0;
  const inbox = createInbox({
    ...store,
    run: (script, ...rest) => {
      if (script !== "ingest") reads += 1;
      return store.run(script, ...rest);
    },
  });

  it("looks for no message where the edit is known, or no room is left", async () => {
    const chat = newChat();
    await write(store, chat, numbered(1, 2));
    expect(await inbox.appendEdit(chat, edit(1))).toBe("accepted");
    await store.redis.del(chatKeys(chat).inbox);
    reads = 0;
    expect(await inbox.appendEdit(chat, edit(1))).toBe("duplicate");
    for (let id = 1; id <= 10; id += 1) await inbox.append(chat, message(`w${id}`));
    expect(await inbox.appendEdit(chat, edit(2))).toBe("full");
    expect(reads).toBe(0);
  });

  it("ends the hold of an album for an edit of its pieces alone", async () => {
    const chat = newChat();
    const { state, wake } = chatKeys(chat);
    const held = async () => [
      await store.redis.hget(state, "notBefore"),
      await store.redis.zscore(wake, `in:${chat}`),
    ];
    await write(store, chat, numbered(1, 1));
    await inbox.append(chat, message("p1", { messageId: "2", burst: "album" }));
    await inbox.holdBurst(chat, "album");
    const before = await held();
    expect(await inbox.appendEdit(chat, edit(1))).toBe("accepted");
    expect(await held()).toEqual(before);
    expect(await inbox.appendEdit(chat, edit(2))).toBe("accepted");
    const [notBefore, score] = await held();
    expect(notBefore).toBeNull();
    expect(Number(score)).toBeLessThan(Number(before[1]));
  });

  it("leaves the hold of the newest album for an edit of one before", async () => {
    const chat = newChat();
    await inbox.append(chat, message("p1", { messageId: "1", burst: "whole" }));
    await inbox.append(chat, message("p2", { messageId: "2", burst: "arriving" }));
    await inbox.holdBurst(chat, "arriving");
    const held = () => store.redis.hget(chatKeys(chat).state, "notBefore");
    const before = await held();
    expect(before).not.toBeNull();
    expect(await inbox.appendEdit(chat, edit(1))).toBe("accepted");
    expect(await held()).toBe(before);
  });
});
