import { expect, it } from "vitest";
import { chatKey, parseChatKey, type ChatKey } from "../../../src/core/chat.ts";
import { createFacts } from "../../../src/store/memory/facts.ts";
import { createSummaries } from "../../../src/store/memory/summaries.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { importChat, readChat } from "../../../src/store/turns/chat-archive.ts";
import { createChatMoves } from "../../../src/store/turns/chat-moves.ts";
import { memoryOn, write } from "../../memory/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { anna, message, newChat, said, storeOn, uniqueId } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const facts = createFacts(store, undefined);
const summaries = createSummaries(store, undefined);
const memory = memoryOn(store);

async function chatWithMemory(chat: ChatKey = newChat()): Promise<ChatKey> {
  await write(store, chat, [message("m1", { text: "Plums are ripe." }), said(1, "Noted.")]);
  await memory.index(chat);
  const atMs = Math.floor(store.clock.now());
  await summaries.add(
    chat,
    { v: 1, from: 0, to: 1, atMs, text: "About plums." },
    await summaries.unsummarised(chat),
  );
  await facts.keep({ chat }, { text: "We like plums", by: anna, chat }, uniqueId());
  const [old] = await facts.list({ chat });
  await facts.keep(
    { chat },
    { text: "We like pears", by: anna, chat, supersedes: old?.id },
    uniqueId(),
  );
  return chat;
}

it("an archive has facts and summaries, and the chat that it becomes finds what was said", async () => {
  const from = await chatWithMemory();
  const lines = await Array.fromAsync((await readChat(store, from)) ?? []);
  const [head, ...rest] = lines;
  if (head?.kind !== "chat") throw new Error("no head");
  const to = newChat();
  await importChat(store, {
    chat: to,
    head,
    lines: (async function* () {
      yield* rest;
    })(),
    retentionMs: 86_400_000,
    memoryMs: 2 * 86_400_000,
  });
  const ofNew = (await facts.list({ chat: from })).map((fact) => ({ ...fact, chat: to }));
  expect(await facts.list({ chat: to })).toEqual(ofNew);
  expect(ofNew).toHaveLength(2);
  expect(await summaries.list(to)).toEqual(await summaries.list(from));
  const keys = chatKeys(to);
  for (const key of [keys.facts, keys.summaries])
    expect(await redis.pttl(key)).toBeGreaterThan(86_400_000);
  // The index is made again.
  expect(await redis.exists(keys.windows)).toBe(0);
  await memory.index(to);
  expect(await memory.texts(to, "plums")).toContain("Plums are ripe.");
  // A summary of what is there isn't made again.
  expect((await summaries.unsummarised(to)).entries).toEqual([]);
});

it("is made of a chat of which only facts or summaries are left", async () => {
  for (const left of ["facts", "summaries"] as const) {
    const chat = await chatWithMemory();
    const { state, log, [left]: kept } = chatKeys(chat);
    const others = [chatKeys(chat).facts, chatKeys(chat).summaries].filter((key) => key !== kept);
    await redis.del(state, log, ...others);
    const lines = await Array.fromAsync((await readChat(store, chat)) ?? []);
    expect(lines.map(({ kind }) => kind)).toContain(left === "facts" ? "fact" : "summary");
  }
});

it("a group that moved has its memory under its new id, and only one that has none takes another's", async () => {
  const bot = "telegram:91";
  const chatOf = (id: string): ChatKey => chatKey(parseChatKey(`${bot}:${id}`));
  const moves = createChatMoves(store, bot);
  await chatWithMemory(chatOf("-5"));
  await moves.record("-5", "-100500");
  const chat = chatOf(await moves.nameOf("-100500"));
  expect(await memory.texts(chat, "plums")).toContain("Plums are ripe.");
  expect(await facts.list({ chat })).toHaveLength(2);
  expect(await summaries.list(chat)).toHaveLength(1);
  // Its history has ended, but not what people wanted to be kept.
  const known = chatOf("-100600");
  await facts.keep({ chat: known }, { text: "Ours", by: anna, chat: known }, uniqueId());
  await moves.record("-6", "-100600");
  expect(await moves.nameOf("-100600")).toBe("-100600");
});
