import { describe, expect, it } from "vitest";
import type { Commit } from "../../../src/core/ports.ts";
import { RetryableError } from "../../../src/core/errors.ts";
import { readChatStatus } from "../../../src/store/turns/chat-status.ts";
import { createApprovalStore } from "../../../src/store/approvals/approvals.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys, approvalKey } from "../../../src/store/keys.ts";
import { readUsage } from "../../../src/store/turns/usage.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  anna,
  approvalOf,
  begun,
  ben,
  committed,
  dump,
  expireLease,
  finishing,
  keysOf,
  message,
  newChat,
  notice,
  said,
  stateOf,
  storeOn,
  turnStoreOn,
  waitingFor,
  wakeMembers,
} from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);
const hourMs = 3_600_000;

const aTurn = async (chat: ReturnType<typeof newChat>) => {
  await inbox.append(chat, message("m1"));
  return await begun(turns, chat);
};

const decide = async (id: string) => {
  const view = await approvals.find(id);
  if (view === undefined) throw new Error("no such approval");
  return await approvals.decide(view, {
    status: "approved",
    decidedBy: "Anna",
    told: notice("told"),
    toldExpired: notice("expired"),
  });
};

/** A commit that would change every key there is. */
function everything(turn: Awaited<ReturnType<typeof begun>>, pending: { id: string }): Commit {
  return {
    state: undefined,
    turn: 99,
    append: [said(99), { kind: "reset", v: 1, id: "r", atMs: 1 }],
    outbox: [notice("late")],
    journal: { "9.9.9": { v: 1, text: "late" } },
    ask: [approvalOf(turns, turn.session.chat, { id: "s1-late" })],
    close: [{ id: pending.id, status: "cancelled" }],
    take: 1,
    enqueue: [message("late")],
    viewStart: 1,
    release: {},
    usage: {
      turns: 1,
      modelCalls: 1,
      inputTokens: 1,
      outputTokens: 1,
      models: { late: { requests: 1, inputTokens: 1, outputTokens: 1 } },
    },
  };
}

describe("a fenced session", () => {
  it("changes no key at all, whatever it tries", async () => {
    const chat = newChat();
    const late = await aTurn(chat);
    const asked = approvalOf(turns, chat);
    const { revision } = await committed(turns, late, {
      state: waitingFor(stateOf(late), [asked]),
      turn: 1,
      append: [said(1)],
      ask: [asked],
      journal: { "1.1.0": { v: 1, text: "kept" } },
    });
    await turns.draft(late.session, {
      v: 1,
      id: "turn-1",
      text: "kept",
      generation: 1,
    });
    await inbox.append(chat, message("m2"));
    await expireLease(redis, chat, "lease");
    const owner = await begun(turns, chat);
    // Once it may say that it is no dead one.
    expect(await turns.heartbeat(late.session)).toBeUndefined();
    const before = await dump(redis);

    for (const known of [revision, revision + 1, 0, -1]) {
      expect(await turns.commit(late.session, known, everything(late, asked))).toEqual({
        type: "fenced",
      });
    }
    // What it did commit is told again, and not done again.
    expect(await turns.commit(late.session, revision - 1, everything(late, asked))).toMatchObject({
      type: "committed",
      revision,
    });
    // The right owner with a wrong revision is no better off.
    for (const known of [revision - 1, revision + 1, 0, 99]) {
      expect(await turns.commit(owner.session, known, everything(owner, asked))).toEqual({
        type: "fenced",
      });
    }
    for (const token of ["", "x", late.session.token]) {
      const session = { chat, token };
      expect(await turns.heartbeat(session)).toBeUndefined();
      expect(await turns.waiting(session)).toBeUndefined();
      expect(await turns.release(session)).toBe(false);
      expect(
        await turns.draft(session, {
          v: 1,
          id: "turn-1",
          text: "late",
          generation: 2,
        }),
      ).toBe(false);
      expect(await turns.commit(session, revision, everything(late, asked))).toEqual({
        type: "fenced",
      });
    }
    expect(await dump(redis)).toEqual(before);
  });

  it("is refused by a decided approval without a trace", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    const [one, two] = [approvalOf(turns, chat), approvalOf(turns, chat)];
    const { revision } = await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [one, two]),
      turn: 1,
      ask: [one, two],
    });
    await decide(two.id);
    const before = await dump(redis);
    expect(
      await turns.commit(turn.session, revision, {
        ...everything(turn, one),
        close: [one, two].map(({ id }) => ({ id, status: "cancelled" })),
      }),
    ).toEqual({ type: "decided" });
    expect(await dump(redis)).toEqual(before);
  });

  it("repeats no commit: neither before its release nor after it is anything written twice", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    const asked = approvalOf(turns, chat);
    const step: Commit = {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      append: [said(1)],
      outbox: [notice("n")],
      journal: { "1.1.0": { v: 1, text: "x" } },
      ask: [asked],
      usage: { turns: 0, modelCalls: 1, inputTokens: 2, outputTokens: 3 },
    };
    const first = await committed(turns, turn, step);
    const once = await dump(redis);
    expect(await committed(turns, turn, step)).toEqual(first);
    expect(await dump(redis)).toEqual(once);

    const waiting: Commit = {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      release: { wakeInMs: hourMs },
    };
    const at = { session: turn.session, revision: first.revision };
    const second = await committed(turns, at, waiting);
    expect(second.again).toBe(false);
    const released = await dump(redis);
    expect(await committed(turns, at, waiting)).toEqual(second);
    expect(await dump(redis)).toEqual(released);
  });
});

describe("of many who begin at once", () => {
  it("one gets the turn", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const stores = Array.from({ length: 5 }, () => turnStoreOn(store));
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (stores[index % 5] ?? turns).begin(chat)),
    );
    expect(outcomes.filter(({ type }) => type === "begun")).toHaveLength(1);
    expect(outcomes.filter(({ type }) => type === "later")).toHaveLength(49);
  });
});

async function redisMs(): Promise<number> {
  const [seconds, microseconds] = (await redis.time()).map(Number);
  return (seconds ?? 0) * 1_000 + Math.floor((microseconds ?? 0) / 1_000);
}

const scoreOf = async (chat: ReturnType<typeof newChat>) =>
  Number(await redis.zscore(chatKeys(chat).wake, `in:${chat}`));

describe("the wake index", () => {
  it("holds the lease's end while someone works, also when others ask", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await inbox.append(chat, message("m2"));
    expect(await scoreOf(chat)).toBeLessThanOrEqual(Date.now());
    await turns.begin(chat);
    const lease = Number(await redis.hget(chatKeys(chat).state, "lease"));
    expect(await scoreOf(chat)).toBe(lease);
    await turns.heartbeat(turn.session);
    expect(await scoreOf(chat)).toBeGreaterThanOrEqual(lease);
  });

  it("is left by a finished chat, with all of its other keys but history, state and ids", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await turns.draft(turn.session, {
      v: 1,
      id: "turn-1",
      text: "",
      generation: 1,
    });
    const asked = approvalOf(turns, chat);
    const { revision } = await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      append: [said(1)],
      journal: { "1.1.0": { v: 1, text: "x" } },
      ask: [asked],
    });
    const { again } = await committed(
      turns,
      { session: turn.session, revision },
      {
        state: undefined,
        turn: 1,
        append: [said(1)],
        close: [{ id: asked.id, status: "cancelled" }],
        release: {},
      },
    );
    expect(again).toBe(false);
    expect(await keysOf(redis, chat)).toEqual(["log", "seen", "st"]);
    expect(await redis.zscore(chatKeys(chat).wake, `appr:${asked.id}`)).toBeNull();
    expect(await redis.hgetall(chatKeys(chat).state)).not.toHaveProperty("owner");
  });

  it("is left by a draft of a turn that ends without a word", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await turns.draft(turn.session, {
      v: 1,
      id: "turn-1",
      text: "half",
      generation: 1,
    });
    await committed(turns, turn, {
      state: undefined,
      turn: 1,
      append: [{ kind: "end", v: 1, turn: 1, reason: "cancelled" }],
      release: {},
    });
    expect(await keysOf(redis, chat)).toEqual(["log", "seen", "st"]);
  });

  it("holds a chat whose turn was given back with news, and drops one that waits without", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    const asked = approvalOf(turns, chat);
    const state = waitingFor(stateOf(turn), [asked]);
    await committed(turns, turn, {
      state,
      turn: 1,
      ask: [asked],
      release: {},
    });
    expect(await wakeMembers(redis, chat)).toEqual([]);
    const next = await begun(turns, chat);
    await decide(asked.id);
    await committed(turns, next, { state, turn: 1, release: {} });
    expect(await scoreOf(chat)).toBeLessThanOrEqual(Date.now());
    await committed(turns, await begun(turns, chat), finishing(1));
    expect(await wakeMembers(redis, chat)).toEqual(["out"]);
  });

  it("holds the time at which a waiting chat wants to be looked at", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    // A worker whose clock is a day slow writes both, and neither decides.
    const askedAtMs = Date.now() - 24 * hourMs;
    const asked = {
      ...approvalOf(turns, chat),
      askedAtMs,
      expiresAtMs: askedAtMs + 2 * hourMs,
    };
    await inbox.append(chat, message("m2", { person: ben }));
    const before = await redisMs();
    await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [asked]),
      turn: 1,
      ask: [asked],
      release: { left: 1, wakeInMs: hourMs },
    });
    const after = await redisMs();
    const expectAfter = (score: number, spanMs: number): void => {
      expect(score).toBeGreaterThanOrEqual(before + spanMs);
      expect(score).toBeLessThanOrEqual(after + spanMs);
    };
    expectAfter(await scoreOf(chat), hourMs);
    const { wake } = chatKeys(chat);
    const due = await redis.zscore(wake, `appr:${asked.id}`);
    expectAfter(Number(due), 2 * hourMs);
    expect(await redis.hget(approvalKey(asked.id), "expiresAt")).toBe(due);
  });

  it("drops a chat for which nothing waits", async () => {
    const chat = newChat();
    await redis.zadd(chatKeys(chat).wake, 1, `in:${chat}`);
    expect(await turns.begin(chat)).toEqual({ type: "nothing" });
    expect(await keysOf(redis, chat)).toEqual([]);
  });
});

const ttls = async (chat: ReturnType<typeof newChat>) => {
  const { state, log, usage } = chatKeys(chat);
  return await Promise.all([state, log, usage].map((key) => redis.pttl(key)));
};

const usageOf = (requests: number) => ({
  turns: 1,
  modelCalls: 1,
  inputTokens: 1,
  outputTokens: 1,
  models: {
    m: {
      requests,
      inputTokens: 1,
      outputTokens: 1,
      costUsd: 1,
      estimated: true,
    },
  },
});

describe("retention", () => {
  it("counts from the end of a turn, and never while one is open", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    // No such key, where nothing was used yet.
    expect(await ttls(chat)).toEqual([-1, -1, -2]);
    await committed(turns, turn, finishing(1, { usage: usageOf(1) }));
    // Read one after the other: each of them has a little less left.
    for (const left of await ttls(chat)) {
      expect(left).toBeGreaterThan(89.9 * 24 * hourMs);
      expect(left).toBeLessThanOrEqual(90 * 24 * hourMs);
    }
    await inbox.append(chat, message("m2"));
    const next = await begun(turns, chat);
    expect(await ttls(chat)).toEqual([-1, -1, -1]);
    const asked = approvalOf(turns, chat, { turn: 2 });
    await committed(turns, next, {
      state: waitingFor(stateOf(next), [asked]),
      turn: 2,
      append: [said(2)],
      ask: [asked],
      release: {},
    });
    // Someone may take their time: a turn that waits does not vanish.
    expect(await ttls(chat)).toEqual([-1, -1, -1]);
    expect(await redis.pttl(approvalKey(asked.id))).toBe(-1);
  });

  it("outlives the ledgers of a chat's turns, so that no new turn is taken for an old one", async () => {
    const brief = turnStoreOn(store, { retentionMs: 1_000 });
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await committed(brief, await begun(brief, chat), finishing(1));
    const [state] = await ttls(chat);
    expect(state).toBeGreaterThan(48 * hourMs);
  });

  it("of an approval counts from its decision", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    const [one, two] = [approvalOf(turns, chat), approvalOf(turns, chat)];
    const { revision } = await committed(turns, turn, {
      state: waitingFor(stateOf(turn), [one, two]),
      turn: 1,
      ask: [one, two],
    });
    await decide(one.id);
    await committed(
      turns,
      { session: turn.session, revision },
      finishing(1, { close: [{ id: two.id, status: "cancelled" }] }),
    );
    for (const { id } of [one, two]) {
      const ttl = await redis.pttl(approvalKey(id));
      expect(ttl).toBeGreaterThan(29.9 * 24 * hourMs);
      expect(ttl).toBeLessThanOrEqual(30 * 24 * hourMs);
    }
  });

  it("leaves a process that still remembers an expired chat with the new one's history only", async () => {
    const chat = newChat();
    await committed(turns, await aTurn(chat), finishing(1));
    await inbox.append(chat, message("m2"));
    await committed(turns, await begun(turns, chat), finishing(2));
    const { state, log, seen } = chatKeys(chat);
    await redis.del(state, log, seen);
    await inbox.append(chat, message("n1", { person: ben }));
    expect(await begun(turns, chat)).toMatchObject({
      opened: true,
      state: { turn: 1, requester: ben },
      transcript: [message("n1", { person: ben })],
    });
  });
});

describe("what cannot be read", () => {
  it("of an opened turn is said to be uncommitted, also to the session after", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await turns.release(turn.session);
    const next = await begun(turns, chat);
    expect(next).toMatchObject({ opened: false, isUncommitted: true });
    await committed(turns, next, { state: stateOf(next), turn: 1 });
    await turns.release(next.session);
    expect(await begun(turns, chat)).not.toHaveProperty("isUncommitted");
  });

  it("of a newer version is given back for those who can, without counting a death", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await committed(turns, turn, { state: stateOf(turn), turn: 1 });
    await turns.release(turn.session);
    const { state } = chatKeys(chat);
    const known = (await redis.hget(state, "state")) ?? "";
    await redis.hset(state, "state", JSON.stringify({ ...(JSON.parse(known) as object), v: 9 }));
    for (let tries = 0; tries < 4; tries += 1)
      await expect(turns.begin(chat)).rejects.toThrow(RetryableError);
    expect(await redis.hget(state, "owner")).toBeNull();
    expect(await wakeMembers(redis, chat)).toEqual(["in"]);
    await redis.hset(state, "state", known);
    expect(await begun(turns, chat)).toMatchObject({
      deaths: 0,
      state: { turn: 1, requester: anna },
    });
  });

  it("in the inbox ends no turn that looks at it: it waits, and what comes behind it", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await inbox.append(chat, message("m2"));
    const { inbox: list } = chatKeys(chat);
    for (const entry of [{ ...message("m3"), v: 9 }, message("m4")])
      await redis.rpush(list, JSON.stringify(entry));
    expect(await turns.waiting(turn.session)).toEqual([{ position: 2, entry: message("m2") }]);
    expect(await turns.heartbeat(turn.session)).toMatchObject({ waiting: 3 });
  });

  it("as a to-do list silences no chat; one of a newer version is left to a process that can read it", async () => {
    const chat = newChat();
    const { todos } = chatKeys(chat);
    await redis.set(todos, "{");
    expect((await aTurn(chat)).todos).toEqual([]);
    await expireLease(redis, chat, "lease");
    await redis.set(todos, JSON.stringify({ v: 2, lists: [] }));
    await expect(turns.begin(chat)).rejects.toThrow(RetryableError);
    expect(await redis.hget(chatKeys(chat).state, "owner")).toBeNull();
  });
});

describe("a usage figure that stands for nothing", () => {
  it.each(["requests m", "in m", "out m", "usd m"])(
    "in %s stops no commit half way, and the others grow",
    async (field) => {
      const chat = newChat();
      const turn = await aTurn(chat);
      await redis.hset(chatKeys(chat).usage, field, "much");
      await committed(turns, turn, finishing(1, { usage: usageOf(1) }));
      const { m } = await readUsage(store, chat);
      const counted = Object.values(m ?? {});
      expect(counted.filter((figure) => figure === 1)).toHaveLength(3);
      expect(counted.filter((figure) => figure === 0)).toHaveLength(1);
      expect((await readChatStatus(store, chat)).activity).toBe("idle");
      expect(await wakeMembers(redis, chat)).toEqual(["out"]);
    },
  );

  it("in the place of the whole hash stops no commit half way", async () => {
    const chat = newChat();
    const turn = await aTurn(chat);
    await redis.set(chatKeys(chat).usage, "much");
    await committed(turns, turn, finishing(1, { usage: usageOf(1) }));
    expect(await wakeMembers(redis, chat)).toEqual(["out"]);
  });
});

describe("an odd usage figure", () => {
  it.each([12.5, 1e21, Number.NaN, -3, Number.MAX_SAFE_INTEGER])(
    "of %s stops no commit half way",
    async (inputTokens) => {
      const chat = newChat();
      const turn = await aTurn(chat);
      const usage = { turns: 1, modelCalls: 1, inputTokens, outputTokens: 1 };
      await committed(turns, turn, { ...finishing(1), usage });
      const counted = await readChatStatus(store, chat);
      expect(counted.usage).toMatchObject({ turns: 1, outputTokens: 1 });
      expect(counted.activity).toBe("idle");
      await inbox.append(chat, message("m2"));
      expect((await begun(turns, chat)).opened).toBe(true);
    },
  );
});
