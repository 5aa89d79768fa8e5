import { afterAll, expect, vi } from "vitest";
import { chatKey, type ChatKey } from "../../../src/core/chat.ts";
import { logEntrySchema, type LogEntry } from "../../../src/core/history.ts";
import { approvalKey, chatKeys, wakeKey } from "../../../src/store/keys.ts";
import { openClient } from "../redis/test-client.ts";
import type { World } from "./open-world.ts";
import { timeoutMs, type TestChat } from "./stage.ts";

/** What Parley has written down of private chats on Telegram, read and changed behind its back. */
export interface Records {
  /** The raw history, oldest first. */
  history(chat: TestChat): Promise<LogEntry[]>;
  /** Fulfils with the history when no turn is open and nothing waits. */
  idle(chat: TestChat): Promise<LogEntry[]>;
  /** Fulfils when so many messages wait in the inbox. */
  waiting(chat: TestChat, count: number): Promise<void>;
  /** The time of what the chat waits for is over. */
  expireApprovals(chat: TestChat): Promise<void>;
  /** A worker has died in the open turn, so often that the next one is the last. */
  killWorkers(chat: TestChat): Promise<void>;
}

/** `expect.poll` knows of one test at a time; here several may wait at once. */
const until = (look: () => Promise<unknown>, expected: unknown) =>
  vi.waitFor(async () => expect(await look()).toEqual(expected), {
    timeout: timeoutMs,
    interval: 20,
  });

/** Call it once, at the top of a test file. */
export function openRecords({ redis: { url }, telegram }: World): Records {
  const redis = openClient(url);
  afterAll(() => redis.disconnect());
  const keysOf = (chat: TestChat) => chatKeys(keyOf(chat));
  const keyOf = ({ personId }: TestChat): ChatKey =>
    chatKey({
      platform: "telegram",
      bot: String(telegram.server.bot.id),
      chat: personId.slice("telegram:".length),
    });
  const history: Records["history"] = async (chat) => {
    const stored = await redis.lrange(keysOf(chat).log, 0, -1);
    return stored.map((each) => logEntrySchema.parse(JSON.parse(each)));
  };
  return {
    history,
    async idle(chat) {
      const { state, inbox } = keysOf(chat);
      await until(
        () =>
          Promise.all([redis.hget(state, "state"), redis.hget(state, "owner"), redis.llen(inbox)]),
        [null, null, 0],
      );
      return await history(chat);
    },
    async waiting(chat, count) {
      await until(() => redis.llen(keysOf(chat).inbox), count);
    },
    async expireApprovals(chat) {
      const ids = await redis.hget(keysOf(chat).state, "approvals");
      for (const id of (ids ?? "").split(" ")) {
        const [shard = ""] = id.split("-", 1);
        await redis.hset(approvalKey(id), "expiresAt", "1");
        await redis.zadd(wakeKey(shard), 1, `appr:${id}`);
      }
    },
    async killWorkers(chat) {
      const died = { owner: "somebody", lease: "1", deaths: "2" };
      await redis.hset(keysOf(chat).state, died);
    },
  };
}
