import type { Redis } from "ioredis";
import { beforeEach, describe, expect, it } from "vitest";
import { expireApproval } from "../../src/approvals/expire-approval.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { startSweeper, type SweeperDeps } from "../../src/queue/sweeper.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import {
  approvalKey,
  chatKeys,
  shardCount,
  shardOf,
  configKey,
  wakeKey,
} from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { sweep } from "../../src/store/turns/sweep.ts";
import { askedIn } from "../store/asking.ts";
import {
  begun,
  committed,
  finishing,
  message,
  newChat,
  scheduleIn,
  notice,
  storeOn,
  turnStoreOn,
  until,
  wakeMembers,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { bench } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const test = bench(server.url);
const inbox = createInbox(store);
const turns = turnStoreOn(store);
const audit = { write: () => Promise.resolve() };
const longAgo = 1;

beforeEach(() => redis.flushdb());

/** A sweeper, and what it woke. */
function sweeping(more: Partial<SweeperDeps> = {}) {
  const woken: string[] = [];
  const waker: SweeperDeps["waker"] = {
    wakeAgain(mailbox, chat) {
      woken.push(`${mailbox} ${chat}`);
      return Promise.resolve();
    },
  };
  const sweeper = test.use(
    startSweeper({
      store,
      waker,
      expire: (id) => {
        woken.push(`expire ${id}`);
        return Promise.resolve();
      },
      onForgotten: () => Promise.resolve(),
      spread: (due) => Promise.resolve(due),
      fire: () => Promise.resolve(),
      index: () => Promise.resolve([]),
      embed: () => Promise.resolve(),
      log: test.log,
      ...more,
    }),
  );
  return { woken, sweeper };
}

const forget = async (chat: ChatKey, kind: "in" | "out") => {
  await redis.zadd(chatKeys(chat).wake, longAgo, `${kind}:${chat}`);
};

describe("a wake that was lost", () => {
  it("with the process that wrote the entry is made up for, and the message is answered", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await forget(chat, "in");
    const waker = test.waker();
    const answered: ChatKey[] = [];
    await test.worker(test.waker(), async (each) => {
      await committed(turns, await begun(turns, each), finishing(1));
      answered.push(each);
      return { type: "done" };
    });
    const told: ChatKey[] = [];
    sweeping({
      waker,
      onForgotten: (each) => {
        told.push(each);
        return Promise.resolve();
      },
    });
    await until(() => answered.length > 0);
    expect(answered).toEqual([chat]);
    expect(new Set(told)).toEqual(new Set([chat]));
    expect(await wakeMembers(redis, chat)).toEqual(["out"]);
  });

  it("of a delivery or an approval is made up for, too", async () => {
    const chat = newChat();
    await inbox.post(chat, notice("n1"));
    await forget(chat, "out");
    await redis.zadd(chatKeys(chat).wake, longAgo, "appr:s1-x");
    const { woken } = sweeping();
    await until(() => woken.length >= 2);
    expect(woken.sort()).toEqual([`delivery ${chat}`, "expire s1-x"]);
  });

  it("is made up for once, however many sweepers there are", async () => {
    const chats = Array.from({ length: 50 }, () => newChat());
    for (const chat of chats) await forget(chat, "in");
    const all = Array.from({ length: 5 }, () => sweeping());
    const woken = () => all.flatMap((each) => each.woken);
    await until(() => woken().length >= 50);
    expect(woken().sort()).toEqual(chats.map((chat) => `turn ${chat}`).sort());
    // Who sweeps, sweeps for all.
    expect(all.filter((each) => each.woken.length > 0)).toHaveLength(1);
  });
});

describe("schedules that are due", () => {
  it("while others are being fired are fired next, each once though it is taken again", async () => {
    const chat = newChat();
    const add = (id: string, atMs = longAgo) =>
      redis.zadd(chatKeys(chat).wake, atMs, `plan:${chat}/${id}`);
    const first = Promise.withResolvers<void>();
    const fired: (readonly string[])[] = [];
    const slots = new Map<string, number>();
    sweeping({
      async fire(due) {
        for (const { name, slotMs } of due) slots.set(name, slotMs);
        const names = due.map(({ name }) => name);
        fired.push(names);
        if (fired.length === 1) await first.promise;
        for (const name of names) await redis.zrem(chatKeys(chat).wake, `plan:${name}`);
      },
    });
    await add("one");
    await until(() => fired.length === 1);
    await add("two");
    await add("three");
    await until(async () => (await redis.zcount(chatKeys(chat).wake, "-inf", Date.now())) === 0);
    // Taken twice by now, as what was not dealt with is due again.
    await add("two", Date.now() - 1);
    await until(async () => (await redis.zcount(chatKeys(chat).wake, "-inf", Date.now())) === 0);
    first.resolve();
    await until(() => fired.length === 2);
    expect(fired.map((names) => names.toSorted())).toEqual([
      [`${chat}/one`],
      // The first is due again after 2 s: perhaps it was.
      expect.arrayContaining([`${chat}/three`, `${chat}/two`]),
    ]);
    expect(new Set(fired[1]).size).toBe(fired[1]?.length);
    // As it was taken first: to within what two clocks differ by.
    expect(slots.get(`${chat}/two`)).toBeLessThan(60_000);
  });
});

describe("what no one can wake", () => {
  it("because it is of another version's kind is left to that version's sweeper", async () => {
    const chat = newChat();
    const key = chatKeys(chat).wake;
    for (const member of ["timer:later", ""]) await redis.zadd(key, longAgo, member);
    await forget(chat, "in");
    const { woken } = sweeping();
    const owner = () => redis.hget(configKey("lease:sweeper"), "owner");
    await until(() => woken.length > 0 && test.lines.length > 0);
    await expect.poll(owner).toBeNull();
    expect(woken).toEqual([`turn ${chat}`]);
    expect(test.lines).toHaveLength(1);
    expect(test.lines[0]).toMatchObject({ count: 2 });
    for (const member of ["timer:later", ""])
      expect(await redis.zscore(key, member)).not.toBeNull();
    await redis.zrem(key, "timer:later", "");
  });

  it("is left where it is, said in the log, and keeps nothing else waiting", async () => {
    const chat = newChat();
    const key = chatKeys(chat).wake;
    const strange = ["in:", "in:irc:1:2", "out:a b"];
    for (const member of strange) await redis.zadd(key, longAgo, member);
    await forget(chat, "in");
    const { woken } = sweeping();
    await until(() => woken.length > 0 && test.lines.length >= strange.length);
    expect(woken).toEqual([`turn ${chat}`]);
    expect(new Set(test.lines.map(({ member }) => member))).toEqual(new Set(strange));
    for (const member of strange) expect(await redis.zscore(key, member)).not.toBeNull();
  });

  it("because the queue or someone else fails keeps nothing else waiting", async () => {
    const [broken, untold, fine] = [newChat(), newChat(), newChat()];
    for (const chat of [broken, untold, fine]) await forget(chat, "in");
    await redis.zadd(wakeKey("s3"), longAgo, "appr:s3-broken");
    const woken: ChatKey[] = [];
    sweeping({
      waker: {
        wakeAgain(_, chat) {
          if (chat === broken) throw new Error("on purpose");
          woken.push(chat);
          return Promise.resolve();
        },
      },
      onForgotten: (chat) =>
        chat === untold ? Promise.reject(new Error("on purpose")) : Promise.resolve(),
      expire: () => Promise.reject(new Error("on purpose")),
    });
    await until(() => woken.length === 2 && test.lines.length >= 3);
    expect(woken.sort()).toEqual([untold, fine].sort());
  });
});

describe("an approval", () => {
  it("whose time is over is denied by the sweeper, and its turn goes on", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const approval = await askedIn(turns, chat, {
      expiresAtMs: Date.now() - 5_000,
    });
    const approvals = createApprovalStore(store);
    sweeping({
      expire: async (id) => {
        await expireApproval({ approvals, audit }, id);
      },
    });
    await until(async () => (await approvals.find(approval.id))?.status === "expired");
    expect(await begun(turns, chat)).toMatchObject({
      approvals: [{ status: "expired" }],
    });
    expect(await redis.zscore(chatKeys(chat).wake, `appr:${approval.id}`)).toBeNull();
    expect(await redis.exists(approvalKey(approval.id))).toBe(1);
  });
});

/** A store that counts its passes, and can be cut off from Redis as if its process were dead. */
function cuttable() {
  let passes = 0;
  let isCut = false;
  const watched: Pick<Redis, "zcount" | "time"> = {
    time: () => (isCut ? Promise.reject(new Error("cut off")) : redis.time()),
    zcount(...given: Parameters<Redis["zcount"]>) {
      if (given[0] === wakeKey("s0")) passes += 1;
      return redis.zcount(...given);
    },
  };
  const cut: Store = {
    ...store,
    redis: watched as Redis,
    run: (name, keys, values) =>
      isCut ? Promise.reject(new Error("cut off")) : store.run(name, keys, values),
  };
  return {
    store: cut,
    passes: () => passes,
    cut: () => {
      isCut = true;
    },
  };
}

describe("of several sweepers", () => {
  it("one sweeps and the others stand by, until it dies or ends", async () => {
    const [first, second, third] = [cuttable(), cuttable(), cuttable()];
    sweeping({ store: first.store });
    await until(() => first.passes() > 0);
    const following = sweeping({ store: second.store });
    await until(() => first.passes() > 3);
    expect(second.passes()).toBe(0);
    first.cut();
    await until(() => second.passes() > 0, "who follows the dead one");
    const last = sweeping({ store: third.store });
    await following.sweeper[Symbol.asyncDispose]();
    const chat = newChat();
    await forget(chat, "in");
    await until(() => last.woken.length > 0, "who follows the one that ended");
    expect(last.woken).toEqual([`turn ${chat}`]);
  });
});

/** Calls by command, since the count began. */
const calls = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    [...(await redis.info("commandstats")).matchAll(/^cmdstat_(\w+):calls=(\d+)/gm)].map(
      ([, name = "", count]) => [name, Number(count)],
    ),
  );

describe("a pass", () => {
  it("costs the same however many chats wait for their time, and one write for each that is due", async () => {
    // Loads the script.
    await store.run("sweep", [wakeKey("s0")], [1, 1, 1]);
    const later = Date.now() + 3_600_000;
    const waiting = Array.from({ length: 10_000 }, () => newChat());
    const pipeline = redis.pipeline();
    for (const chat of waiting) pipeline.zadd(chatKeys(chat).wake, later, `in:${chat}`);
    await pipeline.exec();
    const due = Array.from({ length: 7 }, () => newChat());
    for (const chat of due) await forget(chat, "out");
    await redis.config("RESETSTAT");
    const { due: found } = await sweep(store, 1_000);
    const { zcount, evalsha, zadd, ...others } = await calls();
    expect(found.map(({ member }) => member).sort()).toEqual(
      due.map((chat) => `out:${chat}`).sort(),
    );
    const shards = new Set(due.map(shardOf)).size;
    expect({ zcount, evalsha, zadd }).toEqual({
      zcount: shardCount,
      evalsha: shards,
      zadd: due.length,
    });
    // Per script, the time and a write that changes nothing; and the time by which they are looked
    // for, and perhaps the one that the store reads every ten seconds.
    for (const count of Object.values(others)) expect(count).toBeLessThanOrEqual(shards + 2);
  });

  it("costs no command more where schedules wait for their slots", async () => {
    const schedules = createSchedules(store, { retentionMs: 86_400_000, report: fail });
    const costs = async () => {
      await redis.config("RESETSTAT");
      expect(await sweep(store, 1_000)).toEqual({ due: [], isFull: false });
      // The store perhaps reads the time, which it does every ten seconds.
      const { time: _, ...others } = await calls();
      return others;
    };
    await redis.flushdb();
    const before = await costs();
    expect(before).toEqual({ zcount: shardCount });
    for (let index = 0; index < 100; index += 1) {
      const chat = newChat();
      await schedules.save(chat, scheduleIn(chat, { nextMs: Date.now() + 3_600_000 }));
    }
    expect(await costs()).toEqual(before);
  });
});

const fail = (what: string): never => {
  throw new Error(what);
};

describe("a sweeper", () => {
  it("that is disposed of ends its pass, and begins no other", async () => {
    const chat = newChat();
    await forget(chat, "in");
    const counting = cuttable();
    const slow = Promise.withResolvers<void>();
    let told = false;
    const { woken, sweeper } = sweeping({
      store: counting.store,
      onForgotten: async () => {
        told = true;
        await slow.promise;
      },
    });
    await until(() => told);
    let isDisposed = false;
    const dispose = async () => {
      await sweeper[Symbol.asyncDispose]();
      isDisposed = true;
    };
    const disposed = dispose();
    await redis.ping();
    expect(isDisposed).toBe(false);
    slow.resolve();
    await disposed;
    expect(woken).toEqual([`turn ${chat}`]);
    // Another one, in the time in which this one would have gone on.
    const { woken: others } = sweeping();
    for (const each of [newChat(), newChat()]) {
      await forget(each, "in");
      await until(() => others.includes(`turn ${each}`));
    }
    expect(counting.passes()).toBe(1);
  });

  it("survives a Redis that is away for a while", async () => {
    const chat = newChat();
    await forget(chat, "in");
    let failures = 0;
    const flaky: Store = {
      ...store,
      run(name, keys, values) {
        if (failures < 2) {
          failures += 1;
          return Promise.reject(new Error("away"));
        }
        return store.run(name, keys, values);
      },
    };
    const { woken } = sweeping({ store: flaky });
    await until(() => woken.length > 0);
    expect(test.lines).toMatchObject([{ msg: "sweeping failed" }]);
  });
});
