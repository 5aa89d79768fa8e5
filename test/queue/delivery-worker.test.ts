import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { RetryableError } from "../../src/core/errors.ts";
import type { Drain, DrainResult } from "../../src/queue/drain.ts";
import { readyKey } from "../../src/store/keys.ts";
import { newChat, storeOn, until } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { bench } from "./support.ts";

const server = await testDatabase();
const { redis } = storeOn(server);
const test = bench(server.url);
const bot = "telegram:77";
const done: DrainResult = { type: "done" };
const errorLevel = 50;

beforeEach(() => redis.flushdb());

const count = (): Promise<number> => redis.zcard(readyKey(bot));
const newChats = (length: number): ChatKey[] => Array.from({ length }, () => newChat());
const times = (seen: readonly ChatKey[], chat: ChatKey): number =>
  seen.filter((each) => each === chat).length;

/** The connections on which someone waits for ready chats. */
const takers = async (): Promise<string[]> =>
  String(await redis.client("LIST"))
    .split("\n")
    .filter((line) => line.includes("cmd=bzpopmin"))
    .map((line) => /^id=(\d+)/.exec(line)?.[1] ?? "");

/** A drain that tells which chats it was given, and ends when it is let go. */
function heldDrain() {
  const seen: ChatKey[] = [];
  const held = Promise.withResolvers<DrainResult>();
  let signal: AbortSignal | undefined;
  const drain: Drain = (chat, aborted) => {
    seen.push(chat);
    signal = aborted;
    return held.promise;
  };
  return {
    seen,
    drain,
    finish: (result: DrainResult = done) => held.resolve(result),
    isAborted: () => signal?.aborted,
  };
}

describe("a chat that its own process wakes", () => {
  it("is taken without a detour, if it is the bot's and there is room", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    test.deliveries(waker, drain, { concurrency: 2 });
    const [first, second, third] = newChats(3) as [ChatKey, ChatKey, ChatKey];
    await redis.config("RESETSTAT");
    await waker.wakeHere("delivery", first);
    await waker.wakeHere("delivery", second);
    expect(seen).toEqual([first, second]);
    expect(await redis.info("commandstats")).not.toContain("cmdstat_zadd");
    // Where there is no room it waits in the set.
    await waker.wakeHere("delivery", third);
    // Woken while it is drained, it is looked at again.
    await waker.wakeHere("delivery", first);
    finish();
    await until(() => times(seen, first) === 2 && seen.includes(third));
    const other = "telegram:78:1" as ChatKey;
    await waker.wakeHere("delivery", other);
    expect(await redis.zcard(readyKey("telegram:78"))).toBe(1);
  });

  it("is left to another one while the process stops", async () => {
    const waker = test.waker();
    const worker = test.deliveries(waker, () => Promise.resolve(done));
    await worker[Symbol.asyncDispose]();
    await waker.wakeHere("delivery", newChat());
    expect(await count()).toBe(1);
  });
});

describe("chats that are woken", () => {
  it("are taken in the order in which they were, each once, however often they were", async () => {
    const waker = test.waker();
    const chats = newChats(30);
    for (const chat of [...chats, ...chats.toReversed()]) await waker.wake("delivery", chat);
    expect(await count()).toBe(30);
    const seen: ChatKey[] = [];
    test.deliveries(test.waker(), (chat) => {
      seen.push(chat);
      return Promise.resolve(done);
    });
    await until(() => seen.length >= 30);
    await waker.wake("delivery", chats[0] as ChatKey);
    await until(() => seen.length === 31);
    expect(seen).toEqual([...chats, chats[0]]);
    expect(await count()).toBe(0);
  });

  it("are drained by one at a time of a process, and no more at once than there may be", async () => {
    const waker = test.waker();
    const chats = newChats(20);
    const active = new Set<ChatKey>();
    const looks = new Map<ChatKey, number>();
    let overlaps = 0;
    let mostAtOnce = 0;
    const drain: Drain = async (chat) => {
      if (active.has(chat)) overlaps += 1;
      active.add(chat);
      mostAtOnce = Math.max(mostAtOnce, active.size);
      await redis.ping();
      looks.set(chat, (looks.get(chat) ?? 0) + 1);
      active.delete(chat);
      return done;
    };
    test.deliveries(test.waker(), drain, { concurrency: 7 });
    for (let round = 0; round < 20; round += 1)
      await Promise.all(chats.map((chat) => waker.wake("delivery", chat)));
    await until(async () => active.size === 0 && (await count()) === 0);
    await until(() => looks.size === chats.length);
    expect(overlaps).toBe(0);
    expect(mostAtOnce).toBeGreaterThan(1);
    expect(mostAtOnce).toBeLessThanOrEqual(7);
  });

  it("are taken many at a time where many are ready", async () => {
    const waker = test.waker();
    const chats = newChats(60);
    for (const chat of chats) await waker.wake("delivery", chat);
    await redis.config("RESETSTAT");
    const seen: ChatKey[] = [];
    test.deliveries(test.waker(), (chat) => {
      seen.push(chat);
      return Promise.resolve(done);
    });
    await until(() => seen.length === 60);
    const stats = await redis.info("commandstats");
    const pops = [...stats.matchAll(/cmdstat_b?zpopmin:calls=(\d+)/g)];
    const looks = pops.reduce((sum, [, calls]) => sum + Number(calls), 0);
    expect(looks).toBeLessThan(10);
  });

  it("beyond what may be drained at once wait, and go on with the first worker that is ready", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    test.deliveries(test.waker(), drain, { concurrency: 2 });
    const chats = newChats(5);
    for (const chat of chats) await waker.wake("delivery", chat);
    await until(() => seen.length === 2);
    expect(await count()).toBe(3);
    finish();
    await until(() => seen.length === 5);
    expect(new Set(seen)).toEqual(new Set(chats));
  });

  it("of another bot are left to a process that is connected as that bot", async () => {
    const waker = test.waker();
    const [own, other] = [newChat(), newChat({ bot: "78" })];
    await waker.wake("delivery", other);
    await waker.wake("delivery", own);
    const [first, second]: ChatKey[][] = [[], []];
    test.deliveries(test.waker(), (chat) => {
      first?.push(chat);
      return Promise.resolve(done);
    });
    await until(() => first?.length === 1);
    expect(first).toEqual([own]);
    test.deliveries(
      waker,
      (chat) => {
        second?.push(chat);
        return Promise.resolve(done);
      },
      { bot: "telegram:78" },
    );
    await until(() => second?.length === 1);
    expect(second).toEqual([other]);
  });

  it("are shared by several processes", async () => {
    const waker = test.waker();
    const one = heldDrain();
    const other = heldDrain();
    const chats = newChats(8);
    test.deliveries(test.waker(), one.drain, { concurrency: 4 });
    test.deliveries(test.waker(), other.drain, { concurrency: 4 });
    for (const chat of chats) await waker.wake("delivery", chat);
    await until(() => one.seen.length + other.seen.length === 8);
    expect(new Set([...one.seen, ...other.seen])).toEqual(new Set(chats));
    one.finish();
    other.finish();
  });
});

describe("a chat that is drained", () => {
  it("is looked at once more where someone wakes it meanwhile", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    test.deliveries(test.waker(), drain);
    const chat = newChat();
    await waker.wake("delivery", chat);
    await until(() => seen.length === 1);
    for (let again = 0; again < 3; again += 1) await waker.wake("delivery", chat);
    await until(async () => (await count()) === 0);
    // Another one's turn has come behind it, so that it was seen to be woken.
    const other = newChat();
    await waker.wake("delivery", other);
    await until(() => seen.includes(other));
    expect(times(seen, chat)).toBe(1);
    finish();
    await until(() => times(seen, chat) === 2);
  });

  it("is looked at again at once, or later, as its drain says", async () => {
    const waker = test.waker();
    const results: DrainResult[] = [{ type: "again" }, { type: "later", inMs: 50 }];
    const seen: number[] = [];
    test.deliveries(test.waker(), () => {
      seen.push(Date.now());
      return Promise.resolve(results.shift() ?? done);
    });
    await waker.wake("delivery", newChat());
    await until(() => seen.length === 3);
    expect(await count()).toBe(0);
  });

  it("and fails is said in the log, keeps no other one waiting, and is tried again when the failure says so", async () => {
    const waker = test.waker();
    const [bad, passing, good] = newChats(3) as [ChatKey, ChatKey, ChatKey];
    const seen: ChatKey[] = [];
    test.deliveries(test.waker(), (chat) => {
      seen.push(chat);
      if (chat === bad) throw new Error("no way");
      if (chat === passing && times(seen, chat) === 1)
        return Promise.reject(new RetryableError("not now", { retryAfterMs: 20 }));
      return Promise.resolve(done);
    });
    for (const chat of [bad, passing, good]) await waker.wake("delivery", chat);
    await until(() => times(seen, passing) === 2 && seen.includes(good));
    expect(times(seen, bad)).toBe(1);
    const errors = test.lines.filter(({ level }) => level >= errorLevel);
    expect(errors).toHaveLength(2);
  });
});

describe("what is no chat", () => {
  it("is said in the log and keeps no one waiting", async () => {
    const waker = test.waker();
    await redis.zadd(readyKey(bot), "1", "irc:77:1", "2", "a b");
    const chat = newChat();
    await waker.wake("delivery", chat);
    const seen: ChatKey[] = [];
    test.deliveries(test.waker(), (each) => {
      seen.push(each);
      return Promise.resolve(done);
    });
    await until(() => seen.length === 1);
    expect(seen).toEqual([chat]);
    expect(test.lines.filter(({ level }) => level >= errorLevel)).toHaveLength(2);
  });
});

describe("a process that is told to stop", () => {
  it("aborts what runs, waits for it, and takes nothing more", async () => {
    const waker = test.waker();
    const stop = new AbortController();
    const { seen, drain, finish, isAborted } = heldDrain();
    const worker = test.deliveries(test.waker(), drain, { signal: stop.signal });
    const [first, second] = newChats(2) as [ChatKey, ChatKey];
    await waker.wake("delivery", first);
    await until(() => seen.length === 1);
    expect(isAborted()).toBe(false);
    stop.abort();
    expect(isAborted()).toBe(true);
    let isOver = false;
    const end = async (): Promise<void> => {
      await worker[Symbol.asyncDispose]();
      isOver = true;
    };
    const over = end();
    await waker.wake("delivery", second);
    await until(async () => (await takers()).length === 0);
    expect(isOver).toBe(false);
    finish({ type: "again" });
    await over;
    // What it gave back and what came since are there for the next one.
    expect(await redis.zrange(readyKey(bot), "0", "-1")).toEqual([second, first]);
    expect(seen).toEqual([first]);
  });

  it("loses nothing of what is woken in the same moment", async () => {
    const waker = test.waker();
    const seen: ChatKey[] = [];
    const drain: Drain = (chat) => {
      seen.push(chat);
      return Promise.resolve(done);
    };
    for (let round = 0; round < 30; round += 1) {
      const worker = test.deliveries(test.waker(), drain);
      await until(async () => (await takers()).length === 1);
      const chat = newChat();
      const stopped = worker[Symbol.asyncDispose]();
      await Promise.all([waker.wake("delivery", chat), stopped]);
      const isLeft = (await redis.zscore(readyKey(bot), chat)) !== null;
      expect(seen.includes(chat) || isLeft, `round ${round}`).toBe(true);
      await redis.del(readyKey(bot));
    }
    const ends = await redis.keys(`${readyKey(bot)}:*`);
    for (const key of ends) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it("ends soon while Redis hangs, also with a chat that is to be looked at again", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    const worker = test.deliveries(test.waker(), drain);
    await waker.wake("delivery", newChat());
    await until(() => seen.length === 1);
    await redis.client("PAUSE", "20000", "ALL");
    finish({ type: "again" });
    const ended = worker[Symbol.asyncDispose]().then(() => "ended" as const);
    // As long as the server hangs, every command waits.
    const answered = redis.ping().then(() => "Redis first" as const);
    expect(await Promise.race([ended, answered])).toBe("ended");
  }, 60_000);

  it("before it begins takes nothing", async () => {
    const waker = test.waker();
    await waker.wake("delivery", newChat());
    const { seen, drain } = heldDrain();
    const worker = test.deliveries(test.waker(), drain, {
      signal: AbortSignal.abort(),
    });
    await worker[Symbol.asyncDispose]();
    expect(seen).toEqual([]);
    expect(await count()).toBe(1);
  });
});

describe("trouble with Redis", () => {
  afterEach(async () => {
    await redis.config("SET", "maxmemory", "0");
    await redis.replicaof("NO", "ONE");
  });

  it("as a full memory keeps no delivery", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    await redis.config("SET", "maxmemory", "1");
    const chats = newChats(3);
    for (const chat of chats) await waker.wake("delivery", chat);
    test.deliveries(test.waker(), drain);
    await until(() => seen.length === 3);
    finish();
  });

  it("as a key of another kind is said, and asked about no more than once a second", async () => {
    await redis.set(readyKey(bot), "none of ours");
    await redis.config("RESETSTAT");
    const { drain } = heldDrain();
    test.deliveries(test.waker(), drain);
    await until(() => test.lines.some(({ level }) => level === 40));
    // As often as it would be asked without a pause in between.
    for (let count = 0; count < 200; count += 1) await redis.ping();
    const stats = await redis.info("commandstats");
    const [, calls] = /cmdstat_zpopmin:calls=(\d+)/.exec(stats) ?? [];
    expect(Number(calls)).toBeLessThan(20);
  });

  it("as a lost connection is got over", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    test.deliveries(test.waker(), drain);
    const [first, second] = newChats(2) as [ChatKey, ChatKey];
    await waker.wake("delivery", first);
    await until(() => seen.includes(first));
    await until(async () => (await takers()).length === 1);
    for (const id of await takers()) await redis.client("KILL", "ID", id);
    await waker.wake("delivery", second);
    await until(() => seen.includes(second));
    finish();
  });

  it("as a server that takes no writes is waited out, without a warning", async () => {
    const waker = test.waker();
    const { seen, drain, finish } = heldDrain();
    test.deliveries(test.waker(), drain);
    const [first, second] = newChats(2) as [ChatKey, ChatKey];
    await waker.wake("delivery", first);
    await until(() => seen.includes(first));
    // No one listens there: it is a replica without its primary.
    await redis.replicaof("127.0.0.1", 1);
    const woken = waker.wake("delivery", second).catch(() => undefined);
    await until(() => test.lines.length > 0, "a sign of trouble");
    await redis.replicaof("NO", "ONE");
    await woken;
    await waker.wake("delivery", second);
    await until(() => seen.includes(second));
    expect(test.lines.filter(({ level }) => level >= 40)).toEqual([]);
    finish();
  });
});
