import pino from "pino";
import { expect, it } from "vitest";
import { summariseDue } from "../../src/jobs/summarise-chats.ts";
import { unlimited } from "../../src/loop/model/payment.ts";
import { createLeases } from "../../src/store/operations/leases.ts";
import { createSummaries } from "../../src/store/memory/summaries.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { readChatStatus } from "../../src/store/turns/chat-status.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { openScene } from "../loop/scene.ts";
import { storeOn } from "../store/support.ts";
import { emptyDatabases, testDatabase } from "../support/redis/test-redis.ts";

const [database = ""] = await emptyDatabases(await testDatabase(), 1);
const redis = { url: database } as Awaited<ReturnType<typeof testDatabase>>;
const store = storeOn(redis);

it("a conversation that /new has ended is summarised once, and the chat is left alone after that", async () => {
  await using scene = await openScene({ redis });
  const { chat } = scene;
  const { idle } = chatKeys(chat);
  scene.with({
    store: createTurnStore({
      store,
      leaseMs: 10_000,
      retentionMs: 86_400_000,
      isSummarised: true,
      openTurn,
    }),
  });
  scene.model.reply({ text: "tea it is" });
  await scene.say("I drink tea");
  await scene.settle();
  const dueAtMs = Number(await store.redis.zscore(idle, chat));
  expect(dueAtMs).toBeGreaterThan(store.clock.now() + 30_000);
  const summaries = createSummaries(store, undefined);
  const deps = {
    store,
    leases: createLeases(store),
    deadChats: createDeadChats(store),
    summaries,
    chain: () => scene.deps.models.chain("compaction"),
    budget: unlimited,
    clock: scene.deps.clock,
    log: pino({ level: "silent" }),
  };
  const pass = async (): Promise<void> => {
    await store.redis.zadd(idle, "XX", 1, chat);
    await summariseDue(deps, new AbortController().signal);
  };
  // It goes on: it is looked at again when it will be over.
  await pass();
  expect(await summaries.list(chat)).toEqual([]);
  const againAtMs = Number(await store.redis.zscore(idle, chat));
  expect(againAtMs).toBeGreaterThan(store.clock.now() + 5 * 3_600_000);

  await scene.reset();
  await scene.settle();
  // No model is asked while nothing can be sent there; its next turn has it looked at again.
  await deps.deadChats.mark(chat, { isDead: true });
  await pass();
  expect(await summaries.list(chat)).toEqual([]);
  expect(await store.redis.zscore(idle, chat)).toBeNull();
  await deps.deadChats.mark(chat, { isDead: false });
  await store.redis.zadd(idle, 1, chat);
  const { usage: before } = await readChatStatus(store, chat);
  scene.model.reply({ text: "Ann drinks tea." });
  await pass();
  expect(await summaries.list(chat)).toMatchObject([{ from: 0, text: "Ann drinks tea." }]);
  // `/usage` shows what it took.
  const { usage } = await readChatStatus(store, chat);
  const [model = ""] = Object.keys(usage.models);
  expect(usage.models[model]?.requests).toBe((before.models[model]?.requests ?? 0) + 1);
  expect(usage.inputTokens).toBeGreaterThan(before.inputTokens);
  expect(await store.redis.zscore(idle, chat)).toBeNull();

  const asked = scene.model.requests.length;
  await store.redis.zadd(idle, 1, chat);
  await pass();
  expect(await summaries.list(chat)).toHaveLength(1);
  expect(scene.model.requests).toHaveLength(asked);
});
