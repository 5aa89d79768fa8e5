import { beforeEach, describe, expect, it } from "vitest";
import { pauseOf, holdOf, type Hold } from "../../../src/core/pause.ts";
import type { ChatKey } from "../../../src/core/chat.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys, configKey } from "../../../src/store/keys.ts";
import { createPauses } from "../../../src/store/operations/pauses.ts";
import { askedIn } from "../asking.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  cancelling,
  committed,
  control,
  expireLease,
  finishing,
  message,
  newChat,
  notice,
  reset,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const plain = turnStoreOn(store);
const told = notice("halted");
let hold: Hold | undefined;
const turns = turnStoreOn(store, { hold: () => hold });

beforeEach(() => {
  hold = undefined;
});

/** A turn that waits for a person. */
async function waiting(chat: ChatKey) {
  await inbox.append(chat, message("m1"));
  await askedIn(plain, chat);
}

describe("what is paused", () => {
  it("holds for all, or for one platform, until it is resumed", async () => {
    let nowMs = 1_000;
    const pauses = createPauses(store, { now: () => nowMs, knownAfterMs: 0 });
    expect(await pauses.read()).toEqual({});
    await pauses.pause("telegram", { isNow: false });
    nowMs = 2_000;
    await pauses.pause("all", { isNow: true });
    const both = await createPauses(store).read();
    expect(both).toEqual({
      telegram: { sinceMs: 1_000, isNow: false },
      all: { sinceMs: 2_000, isNow: true },
    });
    expect(pauseOf(both, "telegram")).toEqual({ sinceMs: 1_000, isNow: true });
    expect(holdOf(pauseOf(both, "discord"))).toBe("all");
    expect(await pauses.resume("telegram")).toBe(true);
    expect(await pauses.resume("telegram")).toBe(false);
    expect(holdOf(pauseOf(await pauses.read(), "telegram"))).toBe("all");
    expect(await pauses.resume("all")).toBe(true);
    expect(holdOf(pauseOf(await pauses.read(), "telegram"))).toBeUndefined();
  });

  it("keeps its beginning and its strictness when it is paused again", async () => {
    let nowMs = 1_000;
    const pauses = createPauses(store, { now: () => nowMs, knownAfterMs: 0 });
    await pauses.pause("discord", { isNow: false });
    nowMs = 2_000;
    await pauses.pause("discord", { isNow: true });
    await pauses.pause("discord", { isNow: false });
    expect(await pauses.read()).toEqual({
      discord: { sinceMs: 1_000, isNow: true },
    });
    await pauses.resume("all");
    expect(await pauses.read()).toEqual({});
  });

  it("is the stricter one where two are asked for at the same time", async () => {
    for (let round = 0; round < 20; round += 1) {
      const pauses = createPauses(store, { knownAfterMs: 0 });
      await Promise.all([true, false, false].map((isNow) => pauses.pause("all", { isNow })));
      expect((await pauses.read()).all).toMatchObject({ isNow: true });
      await pauses.resume("all");
    }
  });

  it("can be set with a full memory, too", async () => {
    const pauses = createPauses(store, { knownAfterMs: 0 });
    await redis.config("SET", "maxmemory", "1");
    try {
      await pauses.pause("telegram", { isNow: true });
      expect(await pauses.read()).toMatchObject({ telegram: { isNow: true } });
      expect(await pauses.resume("telegram")).toBe(true);
    } finally {
      await redis.config("SET", "maxmemory", "0");
    }
  });

  it.each(['{"v":2,"until":5}', "no JSON", '{"v":1}', '{"v":1,"sinceMs":1e20,"isNow":false}', ""])(
    "holds where it cannot be read (%j), until it is resumed",
    async (stored) => {
      const pauses = createPauses(store, { knownAfterMs: 0 });
      await redis.hset(configKey("pause"), "all", stored);
      expect(holdOf(pauseOf(await pauses.read(), "discord"))).toBe("new");
      // A date can show it.
      expect((await pauses.read()).all?.sinceMs).toBe(0);
      await pauses.pause("all", { isNow: true });
      expect(holdOf(pauseOf(await pauses.read(), "discord"))).toBe("all");
      expect(await pauses.resume("all")).toBe(true);
      expect(await pauses.read()).toEqual({});
    },
  );
});

describe("a chat that is paused", () => {
  it.each<Hold>(["new", "all"])(
    "opens no turn (%s), keeps its messages in order, and is looked at again",
    async (how) => {
      const chat = newChat();
      await inbox.append(chat, message("m1"));
      await inbox.append(chat, message("m2"));
      hold = how;
      expect(await turns.begin(chat)).toEqual({ type: "held" });
      const { wake, state } = chatKeys(chat);
      expect(Number(await redis.zscore(wake, `in:${chat}`))).toBeGreaterThan(Date.now() + 5_000);
      expect(await redis.hexists(state, "owner")).toBe(0);
      hold = undefined;
      const first = await begun(turns, chat);
      expect(first.transcript).toMatchObject([{ id: "m1" }]);
      expect(first.isHeld).toBeUndefined();
    },
  );

  it("has its orders held as well, and finds nothing where nothing is", async () => {
    const chat = newChat();
    hold = "new";
    expect(await turns.begin(chat)).toEqual({ type: "nothing" });
    await inbox.append(chat, control("c1"));
    expect(await turns.begin(chat)).toEqual({ type: "held" });
  });

  it("lets a worker take what opens no turn: resets, what was stopped, erasures", async () => {
    hold = "all";
    const withReset = newChat();
    await inbox.append(withReset, reset("r1"));
    expect(await begun(turns, withReset)).toMatchObject({
      isHeld: true,
      inbox: [{ entry: { id: "r1" } }],
    });
    const stopped = newChat();
    await inbox.append(stopped, message("m1"));
    await inbox.stop(stopped);
    expect(await begun(turns, stopped)).toMatchObject({
      isHeld: true,
      state: undefined,
      inbox: [{ entry: { id: "m1" } }],
      stopAt: 1,
    });
    const erased = newChat();
    await inbox.append(erased, {
      ...control("c1"),
      v: 2,
      control: "forget-chat",
    });
    expect(await begun(turns, erased)).toMatchObject({ isHeld: true });
  });

  it("goes on with a turn that waits for a person, unless all is to stand still", async () => {
    const chat = newChat();
    await waiting(chat);
    hold = "all";
    expect(await turns.begin(chat)).toEqual({ type: "held" });
    hold = "new";
    const turn = await begun(turns, chat);
    expect(turn).toMatchObject({ state: { phase: "waiting" }, stopAt: 0 });
  });

  it("leaves a turn whose worker has died as it is, where all is to stand still, but for one that was stopped", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await begun(turns, chat);
    await inbox.append(chat, message("m2"));
    await expireLease(redis, chat, "lease");
    hold = "all";
    expect(await turns.begin(chat)).toEqual({ type: "held" });
    await createPauses(store).halt(chat, told);
    const taken = await begun(turns, chat);
    expect(taken).toMatchObject({ state: { turn: 1 }, stopAt: 1 });
    await committed(turns, taken, finishing(1));
    // What waited behind it still does.
    expect(await turns.begin(chat)).toEqual({ type: "held" });
    hold = undefined;
    expect((await begun(turns, chat)).transcript.at(-1)).toMatchObject({
      id: "m2",
    });
  });

  it("lets a turn that runs come to its end where only new ones are held", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await begun(turns, chat);
    await expireLease(redis, chat, "lease");
    hold = "new";
    expect(await begun(turns, chat)).toMatchObject({
      state: { turn: 1 },
      stopAt: 0,
    });
  });
});

const outboxOf = (chat: ChatKey) => redis.lrange(chatKeys(chat).outbox, 0, -1);
const stopOf = (chat: ChatKey) => redis.hget(chatKeys(chat).state, "stop");

describe("halting a chat", () => {
  const pauses = createPauses(store);

  it("stops the turn that someone works on, and nothing that waits there", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    await inbox.append(chat, message("m2"));
    await pauses.halt(chat, told);
    await pauses.halt(chat, told);
    expect(await turns.heartbeat(turn.session)).toEqual({ stopAt: 1, waiting: 1 });
    expect(await outboxOf(chat)).toEqual([]);
    // Said in the same step, so that no crash parts the two.
    await committed(turns, turn, cancelling(1));
    expect(await outboxOf(chat)).toEqual([expect.stringMatching(/^halted /)]);
    const { wake } = chatKeys(chat);
    expect(await redis.zscore(wake, `out:${chat}`)).not.toBeNull();
  });

  it("works with a full memory, too", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    await begun(turns, chat);
    await redis.config("SET", "maxmemory", "1");
    try {
      await pauses.halt(chat, told);
    } finally {
      await redis.config("SET", "maxmemory", "0");
    }
    expect(await stopOf(chat)).toBe("1");
  });

  it("says nothing where the answer was complete", async () => {
    const chat = newChat();
    await inbox.append(chat, message("m1"));
    const turn = await begun(turns, chat);
    await pauses.halt(chat, told);
    await committed(turns, turn, finishing(1));
    expect(await outboxOf(chat)).toEqual([expect.not.stringMatching(/^halted /)]);
  });

  it("leaves alone what no one works on: an idle chat, a turn that waits for a person", async () => {
    const idle = newChat();
    await inbox.append(idle, message("m1"));
    await pauses.halt(idle, told);
    const asking = newChat();
    await waiting(asking);
    await pauses.halt(asking, told);
    expect([await stopOf(idle), await stopOf(asking)]).toEqual([null, null]);
    expect(await outboxOf(idle)).toEqual([]);
  });
});
