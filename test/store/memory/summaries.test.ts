import { Readable } from "node:stream";
import { afterAll, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import type { LogEntry } from "../../../src/core/history.ts";
import type { ConversationSummary } from "../../../src/core/summaries.ts";
import { createSummaries } from "../../../src/store/memory/summaries.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { importChat, readChat } from "../../../src/store/turns/chat-archive.ts";
import { readChatStatus } from "../../../src/store/turns/chat-status.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  committed,
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
afterAll(() => redis.disconnect());
const dayMs = 86_400_000;

const summary = (to: number, more: Partial<ConversationSummary> = {}): ConversationSummary => ({
  v: 1,
  from: 0,
  to,
  atMs: store.clock.now(),
  text: `up to ${to}`,
  ...more,
});
const push = (chat: ChatKey, ...all: readonly ConversationSummary[]) =>
  redis.rpush(chatKeys(chat).summaries, ...all.map((each) => JSON.stringify(each)));

it("a summary that is older than the retention goes when a new one comes", async () => {
  const chat = newChat();
  const ago = (days: number) => store.clock.now() - days * dayMs;
  await push(chat, summary(1, { atMs: ago(3) }), summary(2, { atMs: ago(2) }));
  await push(chat, summary(3, { atMs: ago(0.5) }));
  const summaries = createSummaries(store, dayMs);
  const read = await summaries.unsummarised(chat);
  expect(await summaries.add(chat, summary(4), read)).toBe(true);
  const left = await createSummaries(store, undefined).list(chat);
  expect(left.map(({ to }) => to)).toEqual([3, 4]);
});

/** A turn of two entries, in a chat that has only summaries. */
async function newHistory(chat: ChatKey) {
  const turns = turnStoreOn(store);
  await createInbox(store).append(chat, message("m1"));
  const turn = await begun(turns, chat);
  await committed(turns, turn, finishing(Number(turn.state?.turn), { append: [said(1)] }));
  return { turns, turn };
}

it("a history that begins again goes on after the summaries of the one that has expired", async () => {
  const chat = newChat();
  await push(chat, summary(3), summary(7));
  const { turns, turn } = await newHistory(chat);
  expect(turn).toMatchObject({ viewStart: 8, transcript: [{ kind: "message" }] });
  expect(turn.summaries.every(({ to }) => to < turn.viewStart)).toBe(true);
  const summaries = createSummaries(store, undefined);
  const { entries, ...read } = await summaries.unsummarised(chat);
  expect(entries.map(({ position }) => position)).toEqual([8, 9]);
  expect(await summaries.add(chat, summary(9, { from: 8 }), read)).toBe(true);
  // What is taken back now takes no earlier summary with it.
  await createInbox(store).append(chat, message("m2"));
  const next = await begun(turns, chat);
  expect(next.transcript).toHaveLength(3);
  const undo: LogEntry = { kind: "undo", v: 1, id: "u", fromSeq: 8, ran: [], atMs: 6 };
  await committed(
    turns,
    next,
    finishing(Number(next.state?.turn), { append: [undo], changed: [{ from: 8 }] }),
  );
  expect((await summaries.list(chat)).map(({ to }) => to)).toEqual([3, 7]);
});

it("an archive of summaries alone becomes a chat whose history goes on after them", async () => {
  const from = newChat();
  await push(from, summary(3), summary(7));
  const [head, ...rest] = await Array.fromAsync((await readChat(store, from)) ?? []);
  if (head?.kind !== "chat") throw new Error("no head");
  const chat = newChat();
  await importChat(store, { chat, head, lines: Readable.from(rest), retentionMs });
  const { turn } = await newHistory(chat);
  expect(turn.viewStart).toBe(8);
  const { entries } = await createSummaries(store, undefined).unsummarised(chat);
  expect(entries.map(({ position }) => position)).toEqual([8, 9]);
});

/** As a history without entries is read. */
const empty = { epoch: "", end: 0 };

it("are added once for each part of a history, and not for another history", async () => {
  const chat = newChat();
  const summaries = createSummaries(store, dayMs);
  expect(await summaries.add(chat, summary(5), empty)).toBe(true);
  expect(await summaries.add(chat, summary(5), empty)).toBe(false);
  expect(await summaries.add(chat, summary(4), empty)).toBe(false);
  await redis.hset(chatKeys(chat).state, "epoch", "erased");
  expect(await summaries.add(chat, summary(6), empty)).toBe(false);
});

it("count what models took for each, kept or not, once though it is sent again, and nothing in a chat that is gone", async () => {
  const chat = newChat();
  const { turns } = await newHistory(chat);
  const summaries = createSummaries(store, dayMs);
  // As the client sends a command again whose reply was lost.
  const run: typeof store.run = async (...given) => (
    await store.run(...given),
    await store.run(...given)
  );
  const sentTwice = createSummaries({ ...store, run }, dayMs);
  const { entries: _, ...read } = await summaries.unsummarised(chat);
  const spent = { "a/b": { requests: 1, inputTokens: 40, outputTokens: 2, costUsd: 0.5 } };
  const counted = async () => {
    const { usage } = await readChatStatus(store, chat);
    return [usage.inputTokens, usage.outputTokens, usage.models["a/b"]?.costUsd];
  };
  const lives = await redis.pttl(chatKeys(chat).state);
  expect(await sentTwice.add(chat, summary(1), { ...read, spent })).toBe(false);
  expect((await summaries.list(chat)).map(({ to }) => to)).toEqual([1]);
  expect(await counted()).toEqual([40, 2, 0.5]);
  // Another worker has summarised the same conversation.
  expect(await summaries.add(chat, summary(1), { ...read, spent })).toBe(false);
  expect(await counted()).toEqual([80, 4, 1]);
  expect(await redis.pttl(chatKeys(chat).usage)).toBeGreaterThan(lives / 2);
  // The chat went on while it was written.
  await createInbox(store).append(chat, message("m2"));
  await committed(turns, await begun(turns, chat), finishing(2));
  expect(await sentTwice.add(chat, summary(2), { ...read, spent })).toBe(false);
  expect(await counted()).toEqual([120, 6, 1.5]);
  expect(await summaries.add(chat, summary(2), { ...read, epoch: "erased", spent })).toBe(false);
  expect(await counted()).toEqual([120, 6, 1.5]);
  await redis.del(chatKeys(chat).state, chatKeys(chat).usage, chatKeys(chat).log);
  expect(await summaries.add(chat, summary(3), { ...empty, spent })).toBe(true);
  expect(await redis.exists(chatKeys(chat).state, chatKeys(chat).usage)).toBe(0);
});

it("that are broken, or of a newer version, hide no others, and none stays longer for it", async () => {
  const chat = newChat();
  await redis.rpush(chatKeys(chat).summaries, "{", JSON.stringify({ ...summary(1), v: 2 }));
  const summaries = createSummaries(store, dayMs);
  expect(await summaries.add(chat, summary(2), empty)).toBe(true);
  expect((await summaries.list(chat)).map(({ to }) => to)).toEqual([2]);
});
