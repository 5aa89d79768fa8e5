import { expect, it } from "vitest";
import { chatKey, parseChatKey } from "../../../src/core/chat.ts";
import { createChatMoves } from "../../../src/store/turns/chat-moves.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { storeOn } from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;

it("a chat that moved is found under both ids, by every process and after a restart", async () => {
  const moves = createChatMoves(store, "telegram:1");
  await moves.record("-5", "-100500");
  await moves.record("-5", "-100500");
  for (const known of [moves, createChatMoves(storeOn(server), "telegram:1")]) {
    expect(await known.idOf("-5")).toBe("-100500");
    expect(await known.nameOf("-100500")).toBe("-5");
    expect(await known.idOf("-100500")).toBe("-100500");
    expect(await known.nameOf("-5")).toBe("-5");
  }
});

it("one bot's moves are no other bot's", async () => {
  await createChatMoves(store, "telegram:2").record("-6", "-100600");
  const other = createChatMoves(store, "telegram:3");
  expect(await other.idOf("-6")).toBe("-6");
  expect(await other.nameOf("-100600")).toBe("-100600");
});

it("what another process has learned is known after a minute, and a move for good", async () => {
  let nowMs = 0;
  const moves = createChatMoves(store, "telegram:4", () => nowMs);
  expect(await moves.nameOf("-100700")).toBe("-100700");
  await createChatMoves(store, "telegram:4").record("-7", "-100700");
  nowMs = 59_999;
  expect(await moves.nameOf("-100700")).toBe("-100700");
  nowMs = 60_000;
  expect(await moves.nameOf("-100700")).toBe("-7");
  await store.redis.flushall();
  nowMs = 1_000_000_000;
  expect(await moves.nameOf("-100700")).toBe("-7");
});

it.each(["", ":1"])(
  "a conversation that goes on under the new id keeps its name: %j",
  async (thread) => {
    const bot = `telegram:5${thread.length}`;
    const chat = chatKey(parseChatKey(`${bot}:-100800${thread}`));
    await redis.rpush(chatKeys(chat).log, "{}");
    const moves = createChatMoves(store, bot);
    await moves.record("-8", "-100800");
    for (const known of [moves, createChatMoves(store, bot)]) {
      expect(await known.idOf("-8")).toBe("-100800");
      expect(await known.nameOf("-100800")).toBe("-100800");
    }
  },
);

it("a move that is told again stays what it was", async () => {
  const moves = createChatMoves(store, "telegram:6");
  await moves.record("-9", "-100900");
  await redis.rpush(chatKeys(chatKey(parseChatKey("telegram:6:-100900"))).log, "{}");
  await moves.record("-9", "-100900");
  const restarted = createChatMoves(store, "telegram:6");
  expect(await restarted.nameOf("-100900")).toBe("-9");
});
