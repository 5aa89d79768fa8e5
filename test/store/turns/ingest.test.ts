import * as fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { createInbox, stopChannel } from "../../../src/store/turns/inbox.ts";
import type { LeftOut } from "../../../src/store/turns/left-out.ts";
import { chatKeys, configKey } from "../../../src/store/keys.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { listenForStops } from "../../../src/store/turns/stop-listener.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  anna,
  begun,
  committed,
  control,
  finishing,
  keysOf,
  leaseMs,
  message,
  newChat,
  notice,
  reset,
  storeOn,
  turnStoreOn,
  uniqueId,
  until,
  wakeMembers,
} from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const turns = turnStoreOn(store);
const hourMs = 3_600_000;

const inboxOf = (chat: ReturnType<typeof newChat>) => redis.lrange(chatKeys(chat).inbox, 0, -1);

describe("what arrives", () => {
  it("is kept once, whatever order its ids come in, also when they start again lower", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 18 }),
        async (ids) => {
          const chat = newChat();
          const outcomes = [];
          for (const id of ids) outcomes.push(await inbox.append(chat, message(`m${id}`)));
          expect(outcomes).toEqual(
            ids.map((id, index) => (ids.indexOf(id) === index ? "accepted" : "duplicate")),
          );
          const kept = (await inboxOf(chat)).map((json) => (JSON.parse(json) as { id: string }).id);
          expect(kept).toEqual([...new Set(ids)].map((id) => `m${id}`));
        },
      ),
      { numRuns: 50 },
    );
  });

  it("is kept once when fifty deliver it at the same time", async () => {
    const chat = newChat();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => inbox.append(chat, message("m1"))),
    );
    expect(outcomes.filter((each) => each === "accepted")).toHaveLength(1);
    expect(await inboxOf(chat)).toHaveLength(1);
  });

  it("is one with its answer: whichever of both comes first, the other is a duplicate", async () => {
    const chat = newChat();
    expect(await inbox.answer(chat, "m1", notice("a"))).toBe("accepted");
    expect(await inbox.append(chat, message("m1"))).toBe("duplicate");
    expect(await inbox.answer(chat, "m1", notice("a"))).toBe("duplicate");
    expect(await inbox.hasSeen(chat, "m1")).toBe(true);
    expect(await inbox.hasSeen(chat, "m2")).toBe(false);
  });

  it("is remembered for 48 hours and no longer", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await inbox.append(chat, message("m2"));
    const { seen } = chatKeys(chat);
    expect(await redis.pttl(seen)).toBeGreaterThan(47.9 * hourMs);
    expect(await redis.pttl(seen)).toBeLessThanOrEqual(48 * hourMs);
    await redis.zadd(seen, Date.now() - 48.1 * hourMs, "m1");
    await redis.zadd(seen, Date.now() - 47.9 * hourMs, "m2");
    // The id of two days ago is free again, even where it is the first thing to come since.
    expect(await inbox.append(chat, message("m1"))).toBe("accepted");
    expect(await inbox.append(chat, message("m2"))).toBe("duplicate");
    expect(await redis.zcard(seen)).toBe(2);
  });

  it("is refused when twenty wait, without being remembered", async () => {
    const chat = newChat();
    for (let index = 0; index < 20; index += 1)
      expect(await inbox.append(chat, message(`m${index}`))).toBe("accepted");
    expect(await inbox.append(chat, message("m20"))).toBe("full");
    expect(await inbox.append(chat, message("m3"))).toBe("duplicate");
    expect(await inbox.hasSeen(chat, "m20")).toBe(false);
  });

  it("is refused by a full inbox until half of it is done, so that nothing overtakes what was refused", async () => {
    const chat = newChat();
    for (let index = 0; index < 20; index += 1) await inbox.append(chat, message(`m${index}`));
    expect(await inbox.fullUntil(chat)).toBe("");
    expect(await inbox.append(chat, message("late"))).toBe("full");
    const until = await inbox.fullUntil(chat);
    for (let turn = 1; turn <= 9; turn += 1) {
      await committed(turns, await begun(turns, chat), finishing(turn));
      expect(await inbox.append(chat, message("late"))).toBe("full");
      expect(await inbox.fullUntil(chat)).toBe(until);
    }
    // Other orders are no messages: they have room as before.
    expect(await inbox.append(chat, reset("new"))).toBe("accepted");
    await committed(turns, await begun(turns, chat), finishing(10));
    for (let index = 0; index < 9; index += 1)
      expect(await inbox.append(chat, message(`n${index}`))).toBe("accepted");
    expect(await inboxOf(chat)).toHaveLength(20);
    expect(await inbox.append(chat, message("later"))).toBe("full");
    expect(await inbox.fullUntil(chat)).not.toBe(until);
  });

  it("is taken again at once where the waiting ones were stopped", async () => {
    const chat = newChat();
    for (let index = 0; index < 21; index += 1) await inbox.append(chat, message(`m${index}`));
    await inbox.stop(chat);
    const turn = await begun(turns, chat);
    await committed(turns, turn, { ...finishing(1), take: turn.inbox.length });
    expect(await inbox.append(chat, message("next"))).toBe("accepted");
  });

  it("that isn't taken is counted once, from the one that a notice answers", async () => {
    const of = uniqueId();
    const left = (eventId: string, notice: LeftOut["notice"]) =>
      inbox.leaveOut({ eventId, countedAs: eventId, of, notice });
    expect(await left("a", "never")).toEqual({ count: 1, notice: undefined, isNews: false });
    expect(await left("b", "first")).toEqual({ count: 2, notice: "b", isNews: false });
    expect(await left("c", "first")).toEqual({ count: 3, notice: "b", isNews: true });
    expect(await left("c", "first")).toEqual({ count: 3, notice: "b", isNews: true });
    expect(await left("b", "first")).toEqual({ count: 3, notice: "b", isNews: false });
    // One edit of the notice waits: it will show the count of its time.
    expect(await left("d", "first")).toEqual({ count: 4, notice: "b", isNews: false });
    const shownBy = (id: string) => outbox.countLeftOut(of, { id, wasSent: true });
    expect(await shownBy("one")).toBe(4);
    // Tried again, it is sent; another edit would change nothing.
    expect(await shownBy("one")).toBe(4);
    expect(await shownBy("two")).toBe("shown");
    expect(await left("e", "first")).toEqual({ count: 5, notice: "b", isNews: true });
    expect(await shownBy("two")).toBe(5);
    // The notice couldn't be sent: the next message gets one.
    expect(await outbox.countLeftOut(of, { id: "three", wasSent: false })).toBe(5);
    expect(await left("e2", "never")).toEqual({ count: 6, notice: undefined, isNews: false });
    expect(await left("e3", "first")).toEqual({ count: 7, notice: "e3", isNews: false });
    // A notice of its own begins a new count, and a repetition of its event doesn't.
    expect(await left("f", "always")).toEqual({ count: 1, notice: "f", isNews: false });
    expect(await left("g", "never")).toEqual({ count: 2, notice: "f", isNews: true });
    expect(await left("f", "always")).toEqual({ count: 2, notice: "f", isNews: false });
    expect(await redis.pttl(configKey(`told:left:${of}`))).toBeGreaterThan(3_500_000);
    expect(await outbox.countLeftOut(uniqueId(), { id: "one", wasSent: true })).toBeUndefined();
  });

  it("that isn't taken is counted up to a thousand", async () => {
    const of = uniqueId();
    const counts = await Promise.all(
      Array.from({ length: 1_010 }, (_, index) =>
        inbox.leaveOut({ eventId: `${index}`, countedAs: `${index}`, of, notice: "first" }),
      ),
    );
    expect(counts.at(-1)).toMatchObject({ count: 1_000, notice: "0" });
  });

  it.each([
    ["a reset", reset],
    ["a control", control],
  ])("finds room for %s when messages find none, and for so many only", async (_what, entry) => {
    const chat = newChat();
    for (let index = 0; index < 20; index += 1) await inbox.append(chat, message(`m${index}`));
    for (let index = 0; index < 20; index += 1)
      expect(await inbox.append(chat, entry(`r${index}`))).toBe("accepted");
    expect(await inbox.append(chat, entry("r20"))).toBe("full");
    // So the newest entry is one of its kind.
    expect((await inboxOf(chat)).at(-1)).toContain(entry("r19").kind);
  });

  it("wakes its chat and leaves no other trace", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    expect(await keysOf(redis, chat)).toEqual(["in", "seen", "wake in"]);
  });
});

describe("news", () => {
  it("is posted once per entry id, no matter who repeats it", async () => {
    const chat = newChat();
    await Promise.all(Array.from({ length: 10 }, () => inbox.post(chat, notice("n1"))));
    await inbox.post(chat, notice("n2"));
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(2);
    expect(await wakeMembers(redis, chat)).toEqual(["out"]);
  });

  it("does not take the place of an event of the same name", async () => {
    const chat = newChat();
    await inbox.post(chat, notice("m1"));
    expect(await inbox.append(chat, message("m1"))).toBe("accepted");
  });
});

const listener = await listenForStops(redis);
afterAll(() => listener[Symbol.dispose]());

/** Counts what a worker of this chat is told, up to now. */
function told(chat: ReturnType<typeof newChat>) {
  let count = 0;
  listener.onStop(chat, () => {
    count += 1;
  });
  return async (): Promise<number> => {
    // What was published before this has come when this has come.
    const last = newChat();
    let hasCome = false;
    listener.onStop(last, () => {
      hasCome = true;
    });
    await redis.publish(stopChannel, last);
    await until(() => hasCome);
    return count;
  };
}

/** A chat whose first message is worked on. */
const running = async (mode?: string) => {
  const chat = newChat();
  const count = told(chat);
  if (mode !== undefined) await redis.hset(chatKeys(chat).settings, "whileBusy", mode);
  await inbox.append(chat, message("m1"));
  const turn = await begun(turns, chat);
  return { chat, count, turn };
};

describe("a message that comes while a turn runs", () => {
  it.each(["steer", "interrupt"] as const)(
    "is told its worker at once where the chat's mode is %s, once",
    async (mode) => {
      const { chat, count } = await running(mode);
      // No one worked when the first one came.
      expect(await count()).toBe(0);
      expect(await inbox.append(chat, message("m2"))).toBe("accepted");
      expect(await count()).toBe(1);
      expect(await inbox.append(chat, message("m2"))).toBe("duplicate");
      expect(await count()).toBe(1);
    },
  );

  it.each(["followup", "collect", undefined])(
    "waits without a word where it is %s",
    async (mode) => {
      const { chat, count } = await running(mode);
      await inbox.append(chat, message("m2"));
      expect(await count()).toBe(0);
    },
  );

  it("is told as the operator's file says where the chat says nothing, and not where it does", async () => {
    const steering = createInbox(store, { whileBusy: "steer" });
    for (const [mode, times] of [
      [undefined, 1],
      ["followup", 0],
    ] as const) {
      const { chat, count } = await running(mode);
      await steering.append(chat, message("m2"));
      expect(await count()).toBe(times);
    }
  });

  it("is not told where no one works any more", async () => {
    const { chat, count, turn } = await running("steer");
    await committed(turns, turn, finishing(1));
    await inbox.append(chat, message("m2"));
    expect(await count()).toBe(0);
  });

  it.each(["followup", "collect", "steer", undefined])(
    "is told its worker at once where it edits another one, also in the mode %s",
    async (mode) => {
      const { chat, count, turn } = await running(mode);
      const edit = (id: string) =>
        inbox.append(chat, {
          kind: "edit",
          v: 2,
          id,
          edits: "1",
          person: anna,
          text: "new",
          atMs: 0,
        });
      await edit("e1");
      expect(await count()).toBe(1);
      await committed(turns, turn, finishing(1));
      await edit("e2");
      expect(await count()).toBe(1);
    },
  );

  it("is all else that is told: no command's answer, no reset, no control", async () => {
    const { chat, count } = await running("interrupt");
    await inbox.answer(chat, "c1", notice("help"));
    await inbox.post(chat, notice("news"));
    await inbox.append(chat, reset("r1"));
    await inbox.append(chat, control("c2"));
    expect(await count()).toBe(0);
  });

  it("is kept where the server lets no one publish", async () => {
    const { chat, count } = await running("steer");
    const rights = ["on", "nopass", "~*", "resetchannels", "+@all"];
    await redis.acl("SETUSER", "quiet", ...rights);
    const quiet = storeOn({
      url: server.url.replace("redis://", "redis://quiet:any@"),
    });
    expect(await createInbox(quiet).append(chat, message("m2"))).toBe("accepted");
    expect(await count()).toBe(0);
    expect(await wakeMembers(redis, chat)).toEqual(["in"]);
  });
});

describe("what begin does by default", () => {
  it("is to leave several messages to be joined where the operator's file says collect", async () => {
    const collecting = turnStoreOn(store, { whileBusy: "collect" });
    for (const [mode, opened] of [
      [undefined, false],
      ["followup", true],
    ] as const) {
      const chat = newChat();
      if (mode !== undefined) await redis.hset(chatKeys(chat).settings, "whileBusy", mode);
      for (const id of ["m1", "m2"]) await inbox.append(chat, message(id));
      expect(await begun(collecting, chat)).toMatchObject({ opened });
    }
  });
});

const piece = (id: string) => message(id, { burst: "album" });

describe("pieces of a burst", () => {
  it("wait for one whose file takes its time, and nothing else does", async () => {
    const chat = newChat();
    const { state, wake } = chatKeys(chat);
    const due = async () => Number(await redis.hget(state, "notBefore"));
    expect(await inbox.holdBurst(chat, "album")).toBe(false);
    await inbox.append(chat, piece("m1"));
    const first = await due();
    expect(await inbox.holdBurst(chat, "another")).toBe(false);
    expect(await due()).toBe(first);
    expect(await inbox.holdBurst(chat, "album")).toBe(true);
    expect(await due()).toBeGreaterThan(first + 5_000);
    expect(Number(await redis.zscore(wake, `in:${chat}`))).toBe(await due());
    expect(await inbox.holdBurst(chat, "album", { isOver: true })).toBe(true);
    expect(await due()).toBeLessThan(first + 5_000);
    // A message that belongs to none is due at once, and takes all before it along.
    await inbox.append(chat, message("m2"));
    expect(await inbox.holdBurst(chat, "album")).toBe(false);
    await inbox.append(chat, piece("m3"));
    await redis.hset(state, "notBefore", 1);
    expect(await inbox.holdBurst(chat, "album")).toBe(false);
    expect(await due()).toBe(1);
  });

  it("wait for the others, and for nothing longer", async () => {
    const chat = newChat();
    const before = Date.now();
    await inbox.append(chat, piece("m1"));
    const outcome = await turns.begin(chat);
    expect(outcome.type).toBe("later");
    if (outcome.type !== "later") return;
    expect(outcome.againInMs).toBeGreaterThan(0);
    expect(outcome.againInMs).toBeLessThanOrEqual(700);
    const score = Number(await redis.zscore(chatKeys(chat).wake, `in:${chat}`));
    expect(score).toBeGreaterThanOrEqual(before + 700);
  });

  it("wait on when another piece comes", async () => {
    const chat = newChat();
    await inbox.append(chat, piece("m1"));
    const first = await redis.hget(chatKeys(chat).state, "notBefore");
    await redis.hset(chatKeys(chat).state, "notBefore", Number(first) - 500);
    await inbox.append(chat, piece("m2"));
    const second = await redis.hget(chatKeys(chat).state, "notBefore");
    expect(Number(second)).toBeGreaterThanOrEqual(Number(first));
  });

  it("wait no more once an ordinary message has come behind them", async () => {
    const chat = newChat();
    await inbox.append(chat, piece("m1"));
    await inbox.append(chat, message("m2"));
    const turn = await begun(turns, chat);
    expect(turn.opened).toBe(false);
    expect(turn.inbox.map(({ entry }) => entry.id)).toEqual(["m1", "m2"]);
  });

  it("wait on while a command is answered", async () => {
    const chat = newChat();
    await inbox.append(chat, piece("m1"));
    await inbox.answer(chat, "m2", notice("help"));
    await inbox.post(chat, notice("news"));
    expect((await turns.begin(chat)).type).toBe("later");
  });

  it("wait no more after a stop", async () => {
    const chat = newChat();
    await inbox.append(chat, piece("m1"));
    expect(await inbox.stop(chat)).toEqual({
      wasRunning: false,
      waiting: 1,
      orders: 0,
    });
    expect((await begun(turns, chat)).stopAt).toBe(1);
  });

  it("are waited for by no one who comes when their time is over", async () => {
    const chat = newChat();
    await inbox.append(chat, piece("m1"));
    await redis.hset(chatKeys(chat).state, "notBefore", Date.now() - 1);
    const turn = await begun(turns, chat);
    expect(turn.opened).toBe(false);
    expect(turn.inbox).toHaveLength(1);
  });
});

describe("a stop", () => {
  it("with nothing to stop writes nothing", async () => {
    const chat = newChat();
    expect(await inbox.stop(chat)).toEqual({
      wasRunning: false,
      waiting: 0,
      orders: 0,
    });
    expect(await keysOf(redis, chat)).toEqual([]);
  });

  it("marks what is open and waiting, and nothing that comes later", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    await inbox.append(chat, message("m2"));
    expect(await inbox.stop(chat)).toEqual({
      wasRunning: true,
      turn: 1,
      waiting: 1,
      orders: 0,
    });
    await inbox.append(chat, message("m3"));
    expect(await turns.heartbeat(turn.session)).toEqual({
      stopAt: 2,
      waiting: 2,
    });
    const { again } = await committed(turns, turn, finishing(1));
    expect(again).toBe(true);
    // m2 is not opened by begin itself, but handed over to be cancelled.
    const next = await begun(turns, chat);
    expect(next).toMatchObject({ opened: false, stopAt: 2, state: undefined });
    expect(next.inbox.map(({ position }) => position)).toEqual([2, 3]);
    await committed(turns, next, {
      state: undefined,
      turn: 2,
      take: 1,
      append: [message("m2"), { kind: "end", v: 1, turn: 2, reason: "cancelled" }],
      release: {},
    });
    const last = await begun(turns, chat);
    expect(last).toMatchObject({ opened: true, state: { turn: 3 } });
  });

  it("counts messages, apart from orders, and what no earlier stop has reached", async () => {
    const chat = newChat();
    for (const entry of [
      message("m1"),
      control("c1"),
      message("m2", { burst: "album" }),
      reset("r1"),
    ])
      await inbox.append(chat, entry);
    const stopped = { wasRunning: false, waiting: 2, orders: 2 };
    expect(await inbox.stop(chat)).toEqual(stopped);
    const again = { wasRunning: false, waiting: 0, orders: 0 };
    expect(await inbox.stop(chat)).toEqual(again);
    await inbox.append(chat, message("m3"));
    expect(await inbox.stop(chat)).toEqual({ ...again, waiting: 1 });
    expect((await begun(turns, chat)).stopAt).toBe(5);
  });

  it("that comes again ends nothing that came behind it, and says what it ended", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const stopped = { wasRunning: false, waiting: 1, orders: 0 };
    expect(await inbox.stop(chat, "e1")).toEqual(stopped);
    await inbox.append(chat, message("m2"));
    expect(await inbox.stop(chat, "e1")).toEqual(stopped);
    expect((await begun(turns, chat)).stopAt).toBe(1);
    const idle = newChat();
    const nothing = { wasRunning: false, waiting: 0, orders: 0 };
    expect(await inbox.stop(idle, "e1")).toEqual(nothing);
    await inbox.append(idle, message("m1"));
    expect(await inbox.stop(idle, "e1")).toEqual(nothing);
    expect((await begun(turns, idle)).stopAt).toBe(0);
  });

  it("does not put off what is due already, and is heard by the one who works", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const due = await redis.zscore(chatKeys(chat).wake, `in:${chat}`);
    await inbox.stop(chat);
    expect(await redis.zscore(chatKeys(chat).wake, `in:${chat}`)).toBe(due);
  });
});
