import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Queue } from "bullmq";
import { z } from "zod";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { RetryableError } from "../../src/core/errors.ts";
import type { DrainResult } from "../../src/queue/drain.ts";
import { queuePrefix, turnQueueName } from "../../src/queue/names.ts";
import { createTurnWorker } from "../../src/queue/turn-worker.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { newChat, until } from "../store/support.ts";
import { startTestRedis } from "../support/redis/start-test-redis.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { bench, jobKeys } from "./support.ts";

const server = await testDatabase();
const test = bench(server.url);
const done: DrainResult = { type: "done" };

// What one test leaves in a queue would be work for the workers of the next.
beforeEach(() => test.connect().flushdb());

describe("a mailbox", () => {
  it("is drained by one at a time, in order, to its last message, while many are drained at once", async () => {
    const chats = Array.from({ length: 50 }, () => newChat());
    const mailboxes = new Map(chats.map((chat) => [chat, [] as number[]]));
    const drained = new Map(chats.map((chat) => [chat, [] as number[]]));
    const active = new Set<ChatKey>();
    let mostAtOnce = 0;
    const waker = test.waker();
    const drain = async (chat: ChatKey): Promise<DrainResult> => {
      // As the lease does.
      if (active.has(chat)) return { type: "later", inMs: 5 };
      active.add(chat);
      mostAtOnce = Math.max(mostAtOnce, active.size);
      const mailbox = mailboxes.get(chat) ?? [];
      const next = mailbox.shift();
      await new Promise((resolve) => setImmediate(resolve));
      if (next !== undefined) drained.get(chat)?.push(next);
      active.delete(chat);
      return mailbox.length > 0 ? { type: "again" } : done;
    };
    await test.worker(test.waker(), drain);
    await test.worker(test.waker(), drain);
    // Bursts: each message is written, then its chat is woken.
    const count = 3_000;
    const wakes: Promise<void>[] = [];
    for (let index = 0; index < count; index += 1) {
      const chat = chats[(index * 7) % chats.length] as ChatKey;
      mailboxes.get(chat)?.push(index);
      wakes.push(waker.wake("turn", chat));
      if (index % 200 === 0) await Promise.all(wakes.splice(0));
    }
    await Promise.all(wakes);
    const total = () => [...drained.values()].reduce((sum, { length }) => sum + length, 0);
    await until(() => total() === count, "the last message");
    expect(mostAtOnce).toBeGreaterThan(1);
    for (const order of drained.values())
      expect(order).toEqual([...order].sort((one, other) => one - other));
    const redis = test.connect();
    await until(
      async () => (await jobKeys(redis, turnQueueName)).length === 0,
      "the end of the last job",
    );
  });

  it("is looked at again when someone wakes it while it is drained", async () => {
    const waker = test.waker();
    const chat = newChat();
    let looks = 0;
    await test.worker(test.waker(), async () => {
      looks += 1;
      if (looks === 1) await waker.wake("turn", chat);
      return done;
    });
    await waker.wake("turn", chat);
    await until(() => looks === 2);
    const redis = test.connect();
    await until(async () => (await jobKeys(redis, turnQueueName)).length === 0);
    expect(looks).toBe(2);
  });

  it("that asks for it is looked at again, at once or when its time has come", async () => {
    const waker = test.waker();
    const chat = newChat();
    const at: number[] = [];
    const results: DrainResult[] = [
      { type: "again" },
      { type: "again" },
      { type: "later", inMs: 400 },
      done,
    ];
    await test.worker(test.waker(), () => {
      at.push(performance.now());
      return Promise.resolve(results[at.length - 1] ?? done);
    });
    await waker.wake("turn", chat);
    await until(() => at.length === 4);
    expect((at[3] ?? 0) - (at[2] ?? Infinity)).toBeGreaterThanOrEqual(399);
  });

  it("that could not be drained keeps no one out, and is drained when it is woken again", async () => {
    const waker = test.waker();
    const [broken, retryable, fine] = [newChat(), newChat(), newChat()];
    const looks: ChatKey[] = [];
    await test.worker(test.waker(), (chat) => {
      const isFirst = !looks.includes(chat);
      looks.push(chat);
      if (chat === broken && isFirst) return Promise.reject(new Error("on purpose"));
      if (chat === retryable && isFirst)
        return Promise.reject(new RetryableError("on purpose", { retryAfterMs: 50 }));
      return Promise.resolve(done);
    });
    for (const chat of [broken, retryable, fine]) await waker.wake("turn", chat);
    await until(() => looks.filter((chat) => chat === retryable).length === 2);
    expect(looks).toContain(fine);
    await waker.wake("turn", broken);
    await until(() => looks.filter((chat) => chat === broken).length === 2);
    expect(test.lines.filter(({ msg }) => msg === "a chat could not be drained")).toHaveLength(2);
  });

  it("of a job that names no chat is no one's, and stops nothing", async () => {
    const waker = test.waker();
    const chat = newChat();
    const looks: ChatKey[] = [];
    await test.worker(test.waker(), (each) => {
      looks.push(each);
      return Promise.resolve(done);
    });
    const queue = new Queue(turnQueueName, {
      connection: test.connect(),
      prefix: queuePrefix,
    });
    onTestFinished(() => queue.close());
    for (const data of [{}, { chat: "x" }, { chat: 5 }, null])
      await queue.add("drain", data, { removeOnFail: true });
    await waker.wake("turn", chat);
    await until(() => looks.length === 1);
    expect(looks).toEqual([chat]);
  });
});

const waitingJobs = (): Promise<number> =>
  test.connect().llen(`${queuePrefix}:${turnQueueName}:wait`);

describe("a wake", () => {
  it("shares its job with those that come at the same time, each chat once", async () => {
    const waker = test.waker();
    const chats = Array.from({ length: 20 }, () => newChat());
    await Promise.all([...chats, ...chats].map((chat) => waker.wake("turn", chat)));
    // Of eight chats at most: other workers may be free.
    expect(await waitingJobs()).toBe(3);
    const looks: ChatKey[] = [];
    await test.worker(test.waker(), (chat) => {
      looks.push(chat);
      return Promise.resolve(done);
    });
    await until(() => looks.length === 20);
    expect(new Set(looks)).toEqual(new Set(chats));
  });

  it("is understood by a worker of a version that knows one chat a job", async () => {
    const waker = test.waker();
    const chat = newChat();
    await Promise.all([waker.wake("turn", chat), waker.wake("turn", newChat())]);
    const queue = new Queue(turnQueueName, { connection: test.connect(), prefix: queuePrefix });
    onTestFinished(() => queue.close());
    const [job] = await queue.getJobs("wait");
    expect(z.object({ chat: z.string() }).parse(job?.data)).toEqual({ chat });
  });

  it("goes to a worker with room where another one has none left", async () => {
    const waker = test.waker();
    const held = Promise.withResolvers<DrainResult>();
    const busy = await test.worker(test.waker(), () => held.promise, { concurrency: 3 });
    const first = Array.from({ length: 8 }, () => newChat());
    await Promise.all(first.map((chat) => waker.wake("turn", chat)));
    await until(async () => (await waitingJobs()) === 0, "the first job");
    const looks: ChatKey[] = [];
    await test.worker(test.waker(), (chat) => {
      looks.push(chat);
      return Promise.resolve(done);
    });
    const more = Array.from({ length: 40 }, () => newChat());
    await Promise.all(more.map((chat) => waker.wake("turn", chat)));
    await until(() => looks.length === more.length);
    held.resolve(done);
    await busy[Symbol.asyncDispose]();
  });

  it("finds every slot that is free, though a chat of each job is slow", async () => {
    const waker = test.waker();
    const held = Promise.withResolvers<DrainResult>();
    const begun: ChatKey[] = [];
    const slow = new Set<ChatKey>();
    const worker = await test.worker(
      test.waker(),
      (chat) => {
        begun.push(chat);
        return slow.has(chat) ? held.promise : Promise.resolve(done);
      },
      { concurrency: 16 },
    );
    // Fourteen slow chats with seven quick ones each.
    for (let job = 1; job <= 14; job += 1) {
      const chats = Array.from({ length: 8 }, () => newChat());
      slow.add(chats[0] as ChatKey);
      await Promise.all(chats.map((chat) => waker.wake("turn", chat)));
      await until(() => begun.length === 8 * job, `job ${job}`);
    }
    held.resolve(done);
    await worker[Symbol.asyncDispose]();
  });

  it("of one chat adds one job, however often it comes", async () => {
    const waker = test.waker();
    const chat = newChat();
    for (let count = 0; count < 20; count += 1) await waker.wake("turn", chat);
    expect(await waitingJobs()).toBe(1);
  });

  it("that was in vain adds one job, however often it comes", async () => {
    const waker = test.waker();
    const chat = newChat();
    for (let count = 0; count < 20; count += 1) await waker.wakeAgain("turn", chat);
    await waker.wakeAgain("turn", newChat());
    expect(await waitingJobs()).toBe(2);
  });

  it("keeps no more chats at work than there may be, though a job has more", async () => {
    const waker = test.waker();
    const chats = Array.from({ length: 16 }, () => newChat());
    let atWork = 0;
    let most = 0;
    const looks: ChatKey[] = [];
    const drain = async (chat: ChatKey): Promise<DrainResult> => {
      atWork += 1;
      most = Math.max(most, atWork);
      await new Promise((resolve) => setImmediate(resolve));
      atWork -= 1;
      looks.push(chat);
      return done;
    };
    await test.worker(test.waker(), drain, { concurrency: 3 });
    await Promise.all(chats.map((chat) => waker.wake("turn", chat)));
    await until(() => looks.length === 16);
    expect(most).toBe(3);
  });

  it("in a process that works itself needs no queue, whose job is taken once all the same", async () => {
    const waker = test.waker();
    const chat = newChat();
    const looks: number[] = [];
    const redis = test.connect();
    await test.worker(waker, async () => {
      looks.push(await redis.llen(`${queuePrefix}:${turnQueueName}:wait`));
      return done;
    });
    await waker.wakeHere("turn", chat);
    await until(async () => (await jobKeys(redis, turnQueueName)).length === 0, "the job's end");
    expect(looks).toHaveLength(1);
    // Woken while it is at work, it is looked at again.
    await waker.wakeHere("turn", chat);
    await until(() => looks.length === 2);
  });

  it("in a process that works itself doesn't stand in the way of a wake-up by another", async () => {
    const [here, elsewhere] = [test.waker(), test.waker()];
    const chat = newChat();
    here.offer("turn", () => true);
    await here.wakeHere("turn", chat);
    await elsewhere.wake("turn", chat);
    expect((await here.turns()).waiting).toBe(2);
  });

  it("is for others where its own process has enough to do", async () => {
    const waker = test.waker();
    const held = Promise.withResolvers<DrainResult>();
    const own: ChatKey[] = [];
    const worker = await test.worker(waker, (chat) => {
      own.push(chat);
      return held.promise;
    });
    const first = Array.from({ length: 10 }, () => newChat());
    await Promise.all(first.map((chat) => waker.wakeHere("turn", chat)));
    await until(() => own.length === 10);
    const left: ChatKey[] = [];
    using _ = waker.offer("turn", (chat) => {
      left.push(chat);
      return false;
    });
    const more = newChat();
    await waker.wakeHere("turn", more);
    expect(left).toEqual([more]);
    held.resolve(done);
    await worker[Symbol.asyncDispose]();
  });

  it("after a time keeps the earliest, and leaves what is far away to the sweeper", async () => {
    const waker = test.waker();
    const chat = newChat();
    const looks: number[] = [];
    await test.worker(test.waker(), () => {
      looks.push(performance.now());
      return Promise.resolve(done);
    });
    const start = performance.now();
    // Too far for a timer of Node's, which would end at once.
    waker.wakeIn("turn", newChat(), 40 * 86_400_000);
    waker.wakeIn("turn", chat, 50_000);
    waker.wakeIn("turn", chat, 200);
    waker.wakeIn("turn", chat, 40_000);
    await until(() => looks.length === 1);
    expect(looks[0]).toBeGreaterThanOrEqual(start + 200);
  });
});

describe("a worker that stops", () => {
  it("lets go of what it does, and another one goes on with it at once", async () => {
    const waker = test.waker();
    const chat = newChat();
    const events: string[] = [];
    const first = await test.worker(test.waker(), (_, signal) => {
      events.push("first took it");
      return new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          events.push(`first let go: ${String(signal.reason)}`);
          resolve({ type: "again" });
        });
      });
    });
    await waker.wake("turn", chat);
    await until(() => events.length === 1);
    let second = 0;
    await test.worker(test.waker(), () => {
      second += 1;
      return Promise.resolve(done);
    });
    await first[Symbol.asyncDispose]();
    expect(events).toEqual(["first took it", "first let go: shutdown"]);
    await until(() => second > 0, "the second worker");
    // Not the work of the stalled check: the job was handed over, not found.
    const redis = test.connect();
    await until(async () => (await jobKeys(redis, turnQueueName)).length === 0);
    expect(second).toBe(1);
  });

  it("takes nothing more", async () => {
    const waker = test.waker();
    let looks = 0;
    const worker = await test.worker(test.waker(), () => {
      looks += 1;
      return Promise.resolve(done);
    });
    await worker[Symbol.asyncDispose]();
    await waker.wake("turn", newChat());
    const redis = test.connect();
    expect(await redis.llen(`${queuePrefix}:${turnQueueName}:wait`)).toBe(1);
    expect(looks).toBe(0);
  });
});

describe("a worker whose server has gone", () => {
  it("ends all the same", async () => {
    await using own = await startTestRedis();
    const store = openStore(own.url, () => undefined);
    onTestFinished(() => store.redis.disconnect());
    await using worker = createTurnWorker({
      connection: store.redis,
      concurrency: 100,
      drain: () => Promise.resolve(done),
      waker: test.waker(),
      signal: new AbortController().signal,
      log: test.log,
    });
    await worker.ready;
    await own.kill();
    await until(() => store.redis.status === "reconnecting", "a lost connection");
  });
});

describe("a lost lock", () => {
  it("aborts the work on its chat, and on no other", { timeout: 60_000 }, async () => {
    const waker = test.waker();
    const [lost, kept] = [newChat(), newChat()];
    const signals = new Map<ChatKey, AbortSignal>();
    const ends: (() => void)[] = [];
    await test.worker(test.waker(), (chat, signal) => {
      if (signals.has(chat)) return Promise.resolve(done);
      signals.set(chat, signal);
      return new Promise((resolve) => {
        ends.push(() => resolve(done));
      });
    });
    await waker.wake("turn", lost);
    await until(() => signals.size === 1);
    await waker.wake("turn", kept);
    await until(() => signals.size === 2);
    const redis = test.connect();
    const [jobId] = await redis.lrange(`${queuePrefix}:${turnQueueName}:active`, -1, -1);
    expect(await redis.set(`${queuePrefix}:${turnQueueName}:${jobId}:lock`, "somebody else")).toBe(
      "OK",
    );
    await until(() => signals.get(lost)?.aborted === true, "the abort");
    expect(signals.get(kept)?.aborted).toBe(false);
    for (const end of ends) end();
    await redis.del(`${queuePrefix}:${turnQueueName}:${jobId}:lock`);
  });
});

describe("a worker that is killed", () => {
  it(
    "costs its chat some seconds, not its life: neither the first time nor the third",
    { timeout: 120_000 },
    async () => {
      const waker = test.waker();
      const chat = newChat();
      await waker.wake("turn", chat);
      const script = fileURLToPath(new URL("doomed-worker.ts", import.meta.url));
      for (let life = 0; life < 3; life += 1) {
        const child = spawn(process.execPath, [script, server.url], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        onTestFinished(() => void child.kill("SIGKILL"));
        const [taken] = (await once(child.stdout, "data")) as [Buffer];
        expect(taken.toString().trim()).toBe(chat);
        child.kill("SIGKILL");
        await once(child, "exit");
      }
      const seen: ChatKey[] = [];
      await test.worker(test.waker(), (each) => {
        seen.push(each);
        return Promise.resolve(done);
      });
      await until(() => seen.length > 0, "the fourth life", 60_000);
      expect(seen).toEqual([chat]);
    },
  );
});
