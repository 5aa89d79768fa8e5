import { beforeEach, describe, expect, it } from "vitest";
import { countApprovals, oldestInboxMs } from "../../../src/store/operations/backlog.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { newChat, storeOn } from "../support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);

beforeEach(async () => {
  await redis.flushdb();
  await store.clock.read();
});

const say = (chat: ReturnType<typeof newChat>, agoMs: number) =>
  inbox.append(chat, {
    kind: "message",
    v: 1,
    id: "m1",
    person: { id: "telegram:1", name: "Ann" },
    text: "hello",
    atMs: store.clock.now() - agoMs,
  });

describe("the oldest message", () => {
  it("is the one that has waited longest, in whichever chat", async () => {
    expect(await oldestInboxMs(store)).toBe(0);
    await say(newChat(), 5_000);
    await say(newChat(), 90_000);
    await say(newChat(), 1_000);
    const oldestMs = await oldestInboxMs(store);
    expect(oldestMs).toBeGreaterThanOrEqual(89_000);
    expect(oldestMs).toBeLessThan(120_000);
  });

  it("isn't one behind which a worker is already at work", async () => {
    const chat = newChat();
    await say(chat, 90_000);
    // As a lease scores it.
    await redis.zadd(chatKeys(chat).wake, store.clock.now() + 6_000, `in:${chat}`);
    expect(await oldestInboxMs(store)).toBe(0);
  });
});

describe("approvals", () => {
  it("are pending until their time is up, and overdue while no process has closed them", async () => {
    const nowMs = store.clock.now();
    const ask = (forMs: number) => {
      const { wake, shard } = chatKeys(newChat());
      return redis.zadd(wake, nowMs + forMs, `appr:${shard}-${forMs}`);
    };
    for (const forMs of [86_400_000, 3_600_000, 60_000, -30_000]) await ask(forMs);
    await say(newChat(), 0);
    expect(await countApprovals(store)).toEqual({ pending: 3, overdue: 1 });
  });

  it("are not the schedules of later days", async () => {
    const { wake, shard } = chatKeys(newChat());
    const nowMs = store.clock.now();
    await redis.zadd(wake, nowMs + 3_600_000, `appr:${shard}-one`);
    for (let day = 1; day <= 3; day += 1)
      await redis.zadd(wake, nowMs + day * 86_400_000, `plan:${newChat()}/day${day}`);
    expect(await countApprovals(store)).toEqual({ pending: 1, overdue: 0 });
  });
});
