import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import type { LogEntry } from "../../../src/core/history.ts";
import { createChatSettings } from "../../../src/store/turns/chat-settings.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { readHistory } from "../../../src/store/turns/history.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createSummaries } from "../../../src/store/memory/summaries.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { createTodos } from "../../../src/store/turns/todos.ts";
import { createTurnStore } from "../../../src/store/turns/turn-store.ts";
import { factOf } from "../../support/kept-memory.ts";
import { trimHistory } from "../../../src/store/turns/trim-history.ts";
import { createVectorStore } from "../../../src/store/memory/vectors.ts";
import { memoryOn } from "../../memory/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  committed,
  compaction,
  finishing,
  message,
  newChat,
  retentionMs,
  said,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const turns = turnStoreOn(store);
const dayMs = 86_400_000;
const old = Date.now() - 100 * dayMs;

/** One turn: its message, two answers. */
async function turn(
  chat: ChatKey,
  id: string,
  atMs: number,
  append: readonly LogEntry[] = [said(1), said(1)],
): Promise<void> {
  await inbox.append(chat, message(id, { atMs }));
  const opened = await begun(turns, chat);
  await committed(turns, opened, finishing(Number(opened.state?.turn), { append }));
}

/** As if the last look had been so long ago. */
const lookedAgo = (chat: ChatKey, ms: number) =>
  redis.hset(chatKeys(chat).state, "trimmed", Date.now() - ms);

async function positions(chat: ChatKey): Promise<string[]> {
  const found = [];
  for await (const { position, entry } of readHistory(store, chat))
    found.push(`${position} ${entry.kind === "message" ? entry.id : entry.kind}`);
  return found;
}

describe("a chat that is used every day", () => {
  it("loses turns that are older than the retention, once a day, behind a turn", async () => {
    const chat = newChat();
    await turn(chat, "m1", old);
    await turn(chat, "m2", old);
    await turn(chat, "m3", Date.now() - dayMs);
    expect(await positions(chat)).toHaveLength(9);
    await lookedAgo(chat, dayMs - 60_000);
    await turn(chat, "m4", Date.now());
    expect(await positions(chat)).toHaveLength(12);
    await lookedAgo(chat, dayMs + 60_000);
    await turn(chat, "m5", Date.now());
    expect((await positions(chat)).slice(0, 2)).toEqual(["6 m3", "7 assistant"]);
    // What a worker remembers of the log, and what the next one reads, go on from there.
    await inbox.append(chat, message("m6"));
    const known = await begun(turns, chat);
    expect(known.viewStart).toBe(6);
    expect(known.transcript).toHaveLength(10);
    await redis.hset(chatKeys(chat).state, "lease", 1);
    const other = await begun(turnStoreOn(store), chat);
    expect(other.transcript).toEqual(known.transcript);
    expect(other.viewStart).toBe(6);
  });

  it("is looked at once a day, though nothing is old", async () => {
    const chat = newChat();
    await turn(chat, "m1", Date.now());
    await lookedAgo(chat, 2 * dayMs);
    await turn(chat, "m2", Date.now());
    const looked = Number(await redis.hget(chatKeys(chat).state, "trimmed"));
    expect(Date.now() - looked).toBeLessThan(dayMs);
    expect(await positions(chat)).toHaveLength(6);
  });
});

const trim = (chat: ChatKey) => trimHistory({ store, retentionMs }, chat);

describe("trimming", () => {
  it("drops facts and summaries that are older than their retention, after a turn", async () => {
    const chat = newChat();
    const { facts, summaries, state } = chatKeys(chat);
    const nowMs = store.clock.now();
    for (const [id, atMs] of [
      ["old", nowMs - 11 * dayMs],
      ["new", nowMs - 9 * dayMs],
    ] as const) {
      await redis.hset(facts, id, JSON.stringify(factOf(id, { id, chat, atMs })));
      const summary = { v: 1, from: 0, to: 1, atMs, text: id };
      await redis.rpush(summaries, JSON.stringify(summary));
    }
    const limited = createTurnStore({
      store,
      leaseMs: 10_000,
      retentionMs,
      memoryMs: 10 * dayMs,
      openTurn,
    });
    await redis.hset(state, "trimmed", Date.now() - 2 * dayMs);
    await inbox.append(chat, message("m1"));
    await committed(limited, await begun(limited, chat), finishing(1));
    expect(await redis.hkeys(facts)).toEqual(["new"]);
    expect((await createSummaries(store, undefined).list(chat)).map(({ text }) => text)).toEqual([
      "new",
    ]);
  });

  it("cuts in front of a turn, never inside: not at a message that joined one, nor at a piece of a burst", async () => {
    const chat = newChat();
    const result: LogEntry = {
      kind: "tool",
      v: 1,
      turn: 1,
      round: 1,
      index: 0,
      name: "look",
      text: "",
    };
    await turn(chat, "m1", old, [
      said(1),
      result,
      message("joined", { atMs: Date.now() }),
      said(1),
    ]);
    await turn(chat, "m2", old, [message("piece", { atMs: Date.now() }), said(2)]);
    await turn(chat, "m3", Date.now());
    expect(await trim(chat)).toBe(8);
    expect((await positions(chat))[0]).toBe("8 m3");
  });

  it("forgets who paid for an edit, once what it led to is gone", async () => {
    const chat = newChat();
    const { vectors } = chatKeys(chat);
    const bill = (to: number) =>
      redis.hset(vectors, "payer", JSON.stringify({ person: { id: "telegram:2" }, from: 0, to }));
    await turn(chat, "m1", old);
    await turn(chat, "m2", old);
    await bill(4);
    expect(await trim(chat)).toBe(3);
    expect(await redis.hexists(vectors, "payer")).toBe(1);
    await turn(chat, "m3", Date.now());
    expect(await trim(chat)).toBe(3);
    expect(await redis.hexists(vectors, "payer")).toBe(0);
  });

  it("keeps the newest turn, however old it is", async () => {
    const chat = newChat();
    await turn(chat, "m1", old);
    await turn(chat, "m2", old);
    expect(await trim(chat)).toBe(3);
    expect(await positions(chat)).toHaveLength(3);
    expect(await trim(chat)).toBe(0);
  });

  it("leaves a chat alone in which a turn runs", async () => {
    const chat = newChat();
    await turn(chat, "m1", old);
    await turn(chat, "m2", Date.now());
    await inbox.append(chat, message("m3"));
    await begun(turns, chat);
    expect(await trim(chat)).toBe(0);
    expect(await positions(chat)).toHaveLength(7);
  });

  it("never moves the view back", async () => {
    const chat = newChat();
    await turn(chat, "m1", old);
    await inbox.append(chat, message("m2"));
    await committed(
      turns,
      await begun(turns, chat),
      finishing(2, { append: [said(2), compaction(4)], viewStart: 5 }),
    );
    expect(await trim(chat)).toBe(3);
    await inbox.append(chat, message("m3"));
    expect(await begun(turns, chat)).toMatchObject({ viewStart: 5 });
  });

  it("while someone reads leaves out what is gone, at the right places", async () => {
    const chat = newChat();
    const many = Array.from({ length: 150 }, () => said(1));
    await turn(chat, "m1", old, many);
    await turn(chat, "m2", Date.now(), many);
    const read = [];
    for await (const { position, entry } of readHistory(store, chat)) {
      read.push(position);
      if (position === 10) await trim(chat);
      if (position === 151) expect(entry.kind).toBe("message");
    }
    expect(read).toEqual([
      ...Array.from({ length: 100 }, (_, index) => index),
      ...Array.from({ length: 151 }, (_, index) => 151 + index),
    ]);
  });
});

it("settings and to-dos of an idle chat end with its history", async () => {
  const chat = newChat();
  const { settings, todos, log } = chatKeys(chat);
  await turn(chat, "m1", Date.now());
  await createChatSettings(store, { retentionMs }).set(chat, "tier", "deep");
  await createTodos(store).replace(chat, [{ text: "tea", done: false }]);
  expect(await redis.pttl(settings)).toBeGreaterThan(retentionMs - dayMs);
  await inbox.append(chat, message("m2"));
  const opened = await begun(turns, chat);
  expect(await redis.pttl(settings)).toBe(-1);
  await committed(turns, opened, finishing(2));
  for (const key of [settings, todos, log])
    expect(await redis.pttl(key)).toBeGreaterThan(retentionMs - dayMs);
});

it("windows and vectors of what is dropped go with it, and the rest is still found", async () => {
  const chat = newChat();
  const { windows, vectors } = chatKeys(chat);
  for (const [id, atMs] of [
    ["plums", old],
    ["pears", old + dayMs],
    ["cherries", Date.now()],
  ] as const)
    await turn(chat, id, atMs, [said(1, "Noted.")]);
  const memory = memoryOn(store);
  await memory.index(chat);
  const open = await memory.windows.open(chat);
  const many = Array.from({ length: open.head?.count ?? 0 }, () => Buffer.alloc(8));
  await createVectorStore(store).write(chat, { open, model: "p/m 4", from: 0, vectors: many });
  expect(await memory.texts(chat, "plums")).toContain("text of plums");
  expect(await trim(chat)).toBe(4);
  for (const key of [windows, vectors]) {
    const left = Object.keys(await redis.hgetall(key)).filter((field) => /^\d+$/.test(field));
    expect(left).toEqual(["2"]);
  }
  expect(JSON.stringify(await redis.hgetall(windows))).not.toMatch(/plum|pear/);
  expect(await memory.texts(chat, "plums pears cherries")).toEqual(["text of cherries", "Noted."]);
  // They end with the history.
  for (const key of [windows, vectors])
    expect(await redis.pttl(key)).toBeGreaterThan(retentionMs - dayMs);
});
