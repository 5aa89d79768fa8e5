import { afterEach, describe, expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import type { DrainResult } from "../../src/queue/drain.ts";
import { queuePrefix, turnQueueName } from "../../src/queue/names.ts";
import { queueErrorLog } from "../../src/queue/queue-error-log.ts";
import { newChat, storeOn, until } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { bench } from "./support.ts";

const server = await testDatabase();
const { redis } = storeOn(server);
const test = bench(server.url);
const done: DrainResult = { type: "done" };
const warnLevel = 40;

const warnings = () => test.lines.filter(({ level }) => level >= warnLevel);

/** A worker that holds on to the first chat until `finish`, and lets every other go at once. */
async function busyWorker() {
  const waker = test.waker();
  const seen: ChatKey[] = [];
  const held = Promise.withResolvers<DrainResult>();
  let signal: AbortSignal | undefined;
  await test.worker(test.waker(), (chat, aborted) => {
    seen.push(chat);
    if (seen.length > 1) return Promise.resolve(done);
    signal = aborted;
    return held.promise;
  });
  const first = newChat();
  await waker.wake("turn", first);
  await until(() => seen.length === 1);
  return {
    waker,
    first,
    seen,
    isAborted: () => signal?.aborted,
    finish: () => held.resolve(done),
  };
}

/** Fulfils when a lock of the queue has been renewed. */
async function lockRenewed(): Promise<void> {
  const active = `${queuePrefix}:${turnQueueName}:active`;
  // The oldest: a newer one may be about to end.
  const [id] = await redis.lrange(active, -1, -1);
  const lock = `${queuePrefix}:${turnQueueName}:${id}:lock`;
  let leftMs = await redis.pttl(lock);
  await until(async () => {
    const nowMs = await redis.pttl(lock);
    const isRenewed = nowMs > leftMs;
    leftMs = nowMs;
    return isRenewed;
  }, "a renewed lock");
}

const isIdle = async (): Promise<boolean> =>
  (await redis.llen(`${queuePrefix}:${turnQueueName}:active`)) === 0;

const isWaitedFor = async (): Promise<boolean> =>
  /^blocked_clients:[1-9]/m.test(await redis.info("clients"));

describe("a queue whose server's memory is full", () => {
  afterEach(() => redis.config("SET", "maxmemory", "0"));

  it("wakes chats, keeps the locks of those at work, and ends them", async () => {
    const { waker, first, seen, isAborted, finish } = await busyWorker();
    const other = newChat();
    await redis.config("SET", "maxmemory", "1");
    await waker.wake("turn", other);
    await until(() => seen.includes(other), "the other chat");
    await lockRenewed();
    expect(isAborted()).toBe(false);
    // Woken while it is worked on: it is looked at once more.
    await waker.wake("turn", first);
    finish();
    await until(() => seen.filter((chat) => chat === first).length === 2);
    await until(isIdle, "the end of every job");
    expect(warnings()).toEqual([]);
  });
});

describe("a queue whose server takes no writes for a while", () => {
  afterEach(() => redis.replicaof("NO", "ONE"));

  it("goes on when it does again, and nothing is said over and over", async () => {
    const { waker, first, seen, finish } = await busyWorker();
    const other = newChat();
    // A worker that is told of the change is one that waits for a job.
    await until(isWaitedFor, "a worker that waits for the next job");
    // No one listens there: it is a replica without its primary.
    await redis.replicaof("127.0.0.1", 1);
    const woken = waker.wake("turn", other);
    finish();
    await until(() => test.lines.some(({ level }) => level < warnLevel), "a sign of trouble");
    expect(seen).toEqual([first]);
    await redis.replicaof("NO", "ONE");
    await woken;
    await until(() => seen.includes(other), "the other chat");
    await until(isIdle, "the end of every job");
    expect(warnings()).toEqual([]);
  });
});

describe("trouble of a queue", () => {
  it("is said once, other trouble for itself, and a lost connection not here", () => {
    const say = queueErrorLog(test.log, "queue");
    for (const text of [
      "could not renew lock for job 5",
      "could not renew lock for job 6",
      "Missing lock for job 5",
      "could not renew lock for job 7",
    ])
      say(new Error(text), "worker error");
    const refused = Object.assign(new Error("refused"), {
      code: "ECONNREFUSED",
    });
    say(refused, "worker error");
    say(new Error("Connection is closed."), "worker error");
    expect(warnings()).toMatchObject([
      { error: "could not renew lock for job 5" },
      { error: "Missing lock for job 5" },
    ]);
  });
});
