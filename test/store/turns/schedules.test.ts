import { expect, it } from "vitest";
import { z } from "zod";
import { chatKey, parseChatKey, type ChatKey } from "../../../src/core/chat.ts";
import { maxSchedules, type Schedule } from "../../../src/core/schedule.ts";
import { createChatSettings } from "../../../src/store/turns/chat-settings.ts";
import { importChat, readChat } from "../../../src/store/turns/chat-archive.ts";
import { createSchedules, eraseSchedules } from "../../../src/store/turns/schedules.ts";
import { chatKeys, configKey } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  committed,
  finishing,
  message,
  newChat,
  retentionMs,
  scheduleIn,
  storeOn,
  turnStoreOn,
} from "../support.ts";
import { erasePerson } from "../../../src/store/erasure/erase-person.ts";
import { createConnectedBots } from "../../../src/store/operations/connected-bots.ts";
import { personKey } from "../../../src/store/people/people.ts";
import { createInbox, seenTtlMs } from "../../../src/store/turns/inbox.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const unreadable: string[] = [];
const schedules = createSchedules(store, { retentionMs, report: (what) => unreadable.push(what) });

const indexOf = async (chat: ChatKey, id: string) =>
  redis.zscore(chatKeys(chat).wake, `plan:${chat}/${id}`);
const ttls = async (chat: ChatKey) => {
  const { state, log, settings } = chatKeys(chat);
  return await Promise.all([state, log, settings].map((key) => redis.pttl(key)));
};
/** A chat with a finished turn. */
async function usedChat(): Promise<ChatKey> {
  const chat = newChat();
  const turns = turnStoreOn(store);
  await redis.hset(chatKeys(chat).settings, "whileBusy", "steer");
  await createInbox(store).append(chat, message("m1"));
  const { session, revision, state } = await begun(turns, chat);
  await committed(turns, { session, revision }, finishing(state?.turn ?? 1));
  return chat;
}

it("is read as it was saved, and indexed by its next slot", async () => {
  const chat = newChat({ thread: "5" });
  const all: Schedule[] = [
    scheduleIn(chat),
    scheduleIn(chat, {
      task: { type: "ask", text: "news?", isQuiet: true },
      timing: { type: "cron", rule: "0 9 * * 1-5" },
    }),
    scheduleIn(chat, {
      task: {
        type: "watch",
        tool: "s.price",
        given: { list: [], deep: { n: 1.5 } },
        pointer: "/price",
        text: "tell me",
      },
      timing: { type: "every", everyMs: 7_200_000, fromMs: 5 },
      direct: false,
      guild: "9",
      late: "skip",
      failures: 2,
      outcomes: [
        { slotMs: 1_790_000_000_000, outcome: "asked" },
        { slotMs: 5_000, outcome: "failed" },
      ],
    }),
  ];
  for (const each of all) expect(await schedules.save(chat, each)).toBe("saved");
  for (const each of all)
    expect(await schedules.read(chat, each.id)).toEqual({ ...each, revision: 1 });
  expect(await schedules.list(chat)).toHaveLength(3);
  expect(Number(await indexOf(chat, all[0]?.id ?? ""))).toBe(9e12);
});

it("changes only the revision that was read, and is paused without a place in the index", async () => {
  const chat = newChat();
  const made = scheduleIn(chat);
  expect(await schedules.save(chat, made)).toBe("saved");
  // Made again by an event that is delivered again, it stays as it is.
  expect(await schedules.save(chat, { ...made, zone: "UTC" })).toBe("saved");
  expect(await schedules.read(chat, made.id)).toMatchObject({ zone: made.zone, revision: 1 });
  const { nextMs: _, ...paused } = { ...made, revision: 1, pausedWhy: "person" as const };
  expect(await schedules.save(chat, paused)).toBe("saved");
  expect(await schedules.save(chat, paused)).toBe("saved");
  expect(await schedules.save(chat, { ...paused, zone: "UTC" })).toBe("changed");
  expect(await indexOf(chat, made.id)).toBeNull();
  expect(await schedules.remove(chat, made.id)).toBe(true);
  expect(await schedules.remove(chat, made.id)).toBe(false);
  expect(await schedules.save(chat, { ...paused, revision: 2 })).toBe("changed");
});

const scheduleBy = (chat: ChatKey, by: Schedule["by"]) => scheduleIn(chat, { by });
/** Saves as many as they may have. @returns one of them, with its chat. */
async function fillUp(by: Schedule["by"], chats: readonly ChatKey[]) {
  const made = Array.from({ length: maxSchedules }, (_, index) => {
    const chat = chats[index % chats.length] as ChatKey;
    return { chat, schedule: scheduleBy(chat, by) };
  });
  for (const { chat, schedule } of made) expect(await schedules.save(chat, schedule)).toBe("saved");
  return made[0] as (typeof made)[0];
}

it("a person has 20 in all chats, and a removed one makes room", async () => {
  const chats = [newChat(), newChat()] as const;
  const by = { id: "telegram:900020", name: "Max" };
  const { chat, schedule } = await fillUp(by, chats);
  for (const each of [...chats, newChat()]) {
    expect(await schedules.save(each, scheduleBy(each, by))).toBe("too-many");
    expect(await schedules.save(each, scheduleBy(each, { ...by, id: "telegram:9000200" }))).toBe(
      "saved",
    );
  }
  // Neither a repeat nor a change is one more.
  expect(await schedules.save(chat, schedule)).toBe("saved");
  expect(await schedules.save(chat, { ...schedule, zone: "UTC", revision: 1 })).toBe("saved");
  await schedules.remove(chat, schedule.id);
  expect(await schedules.save(chats[1], scheduleBy(chats[1], by))).toBe("saved");
  expect(await schedules.save(chats[1], scheduleBy(chats[1], by))).toBe("too-many");
});

it("of several at once none gets more than the places left", async () => {
  const by = { id: "telegram:900023", name: "Max" };
  const { chat, schedule } = await fillUp(by, [newChat()]);
  await schedules.remove(chat, schedule.id);
  const others = Array.from({ length: 5 }, () => newChat());
  const saved = await Promise.all(others.map((at) => schedules.save(at, scheduleBy(at, by))));
  expect(saved.filter((each) => each === "saved")).toHaveLength(1);
});

/** Of the schedules outside Telegram's private chats. */
const namesOf = async ({ id }: Schedule["by"]): Promise<readonly string[]> =>
  Object.keys(await redis.hgetall(personKey(id)))
    .filter((field) => field.startsWith("plan:"))
    .map((field) => `telegram:${field.slice("plan:".length)}`);

const privateChat = (bot: string, thread?: string) =>
  chatKey({ platform: "telegram", bot, chat: "2600", ...(thread ? { thread } : {}) });

it("those in private chats of Telegram count without a list, and with what a list has", async () => {
  const by = { id: "telegram:2600", name: "Max" };
  await createConnectedBots(store).note(["telegram:77", "telegram:78", "discord:79"]);
  const [one, two] = [privateChat("77"), privateChat("78")];
  const save = (chat: ChatKey) => schedules.save(chat, scheduleBy(chat, by));
  for (let index = 0; index < 9; index += 1)
    for (const chat of [one, two]) expect(await save(chat)).toBe("saved");
  expect(await redis.exists(personKey(by.id))).toBe(0);
  for (const chat of [privateChat("77", "5"), newChat()]) expect(await save(chat)).toBe("saved");
  for (const chat of [one, two, privateChat("77", "5"), newChat()])
    expect(await save(chat)).toBe("too-many");
  const [first] = await schedules.list(one);
  await schedules.remove(one, first?.id ?? "");
  const saved = await Promise.all(Array.from({ length: 5 }, () => save(one)));
  expect(saved.filter((each) => each === "saved")).toHaveLength(1);
});

it("one that was never saved, since its process died, takes no place for good", async () => {
  const by = { id: "telegram:900021", name: "Max" };
  const chat = newChat();
  const dying = createSchedules(
    { ...store, run: () => Promise.reject(new Error("killed")) },
    { retentionMs, report: () => undefined },
  );
  for (let index = 0; index < maxSchedules; index += 1)
    await expect(dying.save(chat, scheduleBy(chat, by))).rejects.toThrow("killed");
  // It may still be about to be saved.
  expect(await schedules.save(chat, scheduleBy(chat, by))).toBe("too-many");
  const later = { ...store, clock: { ...store.clock, now: () => store.clock.now() + 11_000 } };
  const living = createSchedules(later, { retentionMs, report: () => undefined });
  expect(await living.save(chat, scheduleBy(chat, by))).toBe("saved");
  expect(await namesOf(by)).toHaveLength(1);
});

it("one that is saved long after its process died keeps its name", async () => {
  const by = { id: "telegram:900028", name: "Max" };
  const chat = newChat();
  const [first, second] = [await fillUp(by, [chat]), scheduleBy(chat, by)];
  const dying = createSchedules(
    { ...store, run: () => Promise.reject(new Error("killed")) },
    { retentionMs, report: () => undefined },
  );
  // Erased with its name kept, so that there seem to be too many.
  await redis.hdel(chatKeys(chat).plans, first.schedule.id);
  await expect(dying.save(chat, second)).rejects.toThrow("killed");
  const later = { ...store, clock: { ...store.clock, now: () => store.clock.now() + 11_000 } };
  const living = createSchedules(later, { retentionMs, report: () => undefined });
  expect(await living.save(chat, second)).toBe("saved");
  expect(await namesOf(by)).toContain(`${chat}/${second.id}`);
  expect(await namesOf(by)).toHaveLength(maxSchedules);
});

it("two of one id in chats of two bots count each, and one's end leaves the other's name", async () => {
  const by = { id: "telegram:900029", name: "Max" };
  const [one, two] = [newChat({ bot: "77" }), newChat({ bot: "78" })];
  const twin = chatKey({ ...parseChatKey(one), bot: "78" });
  for (const chat of [one, twin])
    expect(await schedules.save(chat, scheduleIn(chat, { by, id: "m1" }))).toBe("saved");
  for (let index = 2; index < maxSchedules; index += 1)
    expect(await schedules.save(two, scheduleBy(two, by))).toBe("saved");
  expect(await schedules.save(two, scheduleBy(two, by))).toBe("too-many");
  await schedules.remove(one, "m1");
  expect(await namesOf(by)).toContain(`${twin}/m1`);
  expect(await namesOf(by)).toHaveLength(maxSchedules - 1);
});

it("those that have run make room, and those that an earlier version made take it", async () => {
  const by = { id: "telegram:900022", name: "Max" };
  const chat = newChat();
  await fillUp(by, [chat]);
  await redis.del(personKey(by.id));
  expect(await schedules.save(chat, scheduleBy(chat, by))).toBe("too-many");
  for (const { id } of (await schedules.list(chat)).slice(0, 2)) {
    const { stored } = (await schedules.open(chat, id)) ?? {};
    await schedules.fire(chat, { id, stored, schedule: undefined });
  }
  expect(await schedules.save(chat, scheduleBy(chat, by))).toBe("saved");
});

it("is made by no turn that was erased", async () => {
  const chat = newChat();
  await redis.hset(chatKeys(chat).state, "erased", "7");
  expect(await schedules.save(chat, scheduleIn(chat), `${chat}/7.1.0`)).toBe("changed");
  expect(await schedules.list(chat)).toEqual([]);
  expect(await schedules.save(chat, scheduleIn(chat), `${chat}/8.1.0`)).toBe("saved");
});

it("one that can't be read is reported, and hides no other", async () => {
  const chat = newChat();
  const good = scheduleIn(chat);
  await schedules.save(chat, good);
  await redis.hset(chatKeys(chat).plans, "broken", "{", "newer1", '{"v":3}');
  const stored = await redis.hget(chatKeys(chat).plans, good.id);
  const bad = (stored ?? "")
    .replace('"remind","tea"', '"watch",""')
    .replace("}", ',"tool":"t","given":"{"}');
  await redis.hset(chatKeys(chat).plans, "given0", bad);
  unreadable.length = 0;
  expect((await schedules.list(chat)).map(({ id }) => id)).toEqual([good.id]);
  expect(await schedules.read(chat, "broken")).toBeUndefined();
  expect(unreadable).toHaveLength(4);
});

it("a slot is fired once: not when it was changed since, nor when it comes back", async () => {
  const chat = newChat();
  await schedules.save(chat, scheduleIn(chat, { id: "once00", nextMs: 10 }));
  const read = await schedules.open(chat, "once00");
  const entry = message("plan:once00:10");
  const firing = {
    id: "once00",
    stored: read?.stored,
    schedule: { ...scheduleIn(chat), id: "once00", revision: 1, nextMs: 20 },
    entry,
  };
  expect(await schedules.fire(chat, firing)).toBe("fired");
  expect(await schedules.fire(chat, firing)).toBe("changed");
  const again = await schedules.open(chat, "once00");
  expect(
    await schedules.fire(chat, { ...firing, stored: again?.stored, schedule: undefined }),
  ).toBe("fired");
  expect(await redis.llen(chatKeys(chat).inbox)).toBe(1);
  expect(await schedules.list(chat)).toEqual([]);
  expect(await indexOf(chat, "once00")).toBeNull();
});

it("waits where half of the inbox's places are taken, and is due then", async () => {
  const chat = newChat();
  await schedules.save(chat, scheduleIn(chat, { id: "wait00", nextMs: 10 }));
  const { inbox } = chatKeys(chat);
  for (let index = 0; index < 10; index += 1)
    await createInbox(store).append(chat, message(`f${index}`));
  const read = await schedules.open(chat, "wait00");
  const fire = async () =>
    await schedules.fire(chat, {
      id: "wait00",
      stored: read?.stored,
      schedule: undefined,
      entry: message("plan:wait00:10"),
    });
  expect(await fire()).toBe("full");
  expect(await schedules.open(chat, "wait00")).toEqual(read);
  expect(await indexOf(chat, "wait00")).toBe("10");
  await redis.lpop(inbox);
  expect(await schedules.isWaiting(chat, "wait00")).toBe(false);
  expect(await fire()).toBe("fired");
  expect(await schedules.isWaiting(chat, "wait00")).toBe(true);
  // People's messages have places left.
  expect(await createInbox(store).append(chat, message("f10"))).toBe("accepted");
});

it("ids that a chat has seen are forgotten after two days, by the script that adds the next", async () => {
  const chat = newChat();
  const { seen } = chatKeys(chat);
  const seenIds = async () => (await redis.zrangebyscore(seen, "-inf", "+inf")).sort();
  const old = String(Date.now() - seenTtlMs - 60_000);
  const young = String(Date.now());
  await redis.zadd(seen, old, "made:old000", young, "young");
  await schedules.save(chat, scheduleIn(chat, { id: "trims0", nextMs: 10 }));
  expect(await seenIds()).toEqual(["made:trims0", "young"]);
  await redis.zadd(seen, old, "plan:trims0:5");
  const { stored, schedule } = (await schedules.open(chat, "trims0")) ?? {};
  await schedules.fire(chat, { id: "trims0", stored, schedule, entry: message("plan:trims0:10") });
  expect(await seenIds()).toEqual(["made:trims0", "plan:trims0:10", "young"]);
  expect(await redis.pttl(seen)).toBeGreaterThan(0);
});

it("a chat doesn't expire before its schedules, and does after them", async () => {
  const chat = await usedChat();
  expect((await ttls(chat)).every((ttl) => ttl > 0)).toBe(true);
  const made = scheduleIn(chat);
  await schedules.save(chat, made);
  await createChatSettings(store, { retentionMs }).set(chat, "whileBusy", "collect");
  expect(await ttls(chat)).toEqual([-1, -1, -1]);
  const turns = turnStoreOn(store);
  await createInbox(store).append(chat, message("m2"));
  const { session, revision, state } = await begun(turns, chat);
  await committed(turns, { session, revision }, finishing(state?.turn ?? 1));
  expect(await ttls(chat)).toEqual([-1, -1, -1]);
  await schedules.remove(chat, made.id);
  expect((await ttls(chat)).every((ttl) => ttl > 0)).toBe(true);
});

const storedFields = async (chat: ChatKey, id: string): Promise<Record<string, unknown>> =>
  z
    .record(z.string(), z.unknown())
    .parse(JSON.parse((await redis.hget(chatKeys(chat).plans, id)) ?? ""));
/** As version 1 stores one. */
const earlier = `{"v":1,"revision":1,"zone":"Europe/Berlin","by":{"id":"telegram:1","name":"Ann"},"nextMs":9000000000000,"outcomes":"Atlpwu8","task":{"type":"ask","text":"?"},"timing":"0 9 * * *"}`;

it.each([
  ["this version", undefined],
  ["version 1", earlier],
])(
  "the commit of its turn writes what became of a slot of %s; the third failure in a row pauses it and says so",
  async (_, json) => {
    const chat = newChat();
    const turns = turnStoreOn(store);
    const slotMs = 1_790_000_000_000;
    await schedules.save(
      chat,
      scheduleIn(chat, {
        id: "fails0",
        task: { type: "ask", text: "?" },
        outcomes: [{ slotMs, outcome: "asked" }],
      }),
    );
    if (json !== undefined) await redis.hset(chatKeys(chat).plans, "fails0", json);
    const fieldsBefore = Object.keys(await storedFields(chat, "fails0"));
    const end = async (outcome: "asked" | "failed", name: string, digest?: string) => {
      await createInbox(store).append(chat, message(name));
      const { session, revision, state } = await begun(turns, chat);
      const plan = {
        id: "fails0",
        slotMs,
        outcome,
        ...(digest === undefined ? {} : { digest }),
        notice: { kind: "notice", v: 1, id: `n-${name}`, text: "paused" } as const,
      };
      await committed(turns, { session, revision }, finishing(state?.turn ?? 1, { plan }));
      return await schedules.read(chat, "fails0");
    };
    expect(await end("failed", "a")).toMatchObject({
      failures: 1,
      outcomes: [{ slotMs, outcome: "failed" }],
      nextMs: 9e12,
    });
    expect(await end("asked", "b", "d1")).toMatchObject({
      failures: 0,
      outcomes: [{ slotMs, outcome: "asked" }],
    });
    expect(await schedules.digest(chat, "fails0")).toBe("d1");
    await end("failed", "c");
    await end("failed", "d");
    const before = await redis.lrange(chatKeys(chat).outbox, 0, -1);
    expect(before.some((each) => each.startsWith("n-"))).toBe(false);
    const paused = await end("failed", "e");
    expect(paused).toMatchObject({ failures: 3, pausedWhy: "failures" });
    expect(paused?.nextMs).toBeUndefined();
    expect(await indexOf(chat, "fails0")).toBeNull();
    expect(
      (await redis.lrange(chatKeys(chat).outbox, 0, -1)).filter((each) => each.startsWith("n-")),
    ).toHaveLength(1);
    // Version 1 stays so, for its processes.
    const { failures, pausedWhy, ...fields } = await storedFields(chat, "fails0");
    expect([failures, pausedWhy, fields["v"]]).toEqual([3, "failures", json === undefined ? 2 : 1]);
    expect(Object.keys(fields).toSorted()).toEqual(
      fieldsBefore.filter((field) => field !== "nextMs").toSorted(),
    );
  },
);

it("one of version 1 stays so when it is changed or fired, and what is new is of version 2", async () => {
  const chat = newChat();
  await redis.hset(chatKeys(chat).plans, "old000", earlier);
  const before = await schedules.read(chat, "old000");
  if (before === undefined) throw new Error("none");
  expect(await schedules.save(chat, { ...before, zone: "UTC" })).toBe("saved");
  const changed = { ...JSON.parse(earlier), revision: 2, zone: "UTC" } as object;
  expect(await storedFields(chat, "old000")).toEqual(changed);
  const { stored, schedule } = (await schedules.open(chat, "old000")) ?? {};
  if (schedule === undefined) throw new Error("none");
  const next = { ...schedule, revision: 3, nextMs: 9_000_086_400_000 };
  expect(await schedules.fire(chat, { id: "old000", stored, schedule: next })).toBe("fired");
  expect(await storedFields(chat, "old000")).toEqual({
    ...changed,
    revision: 3,
    nextMs: next.nextMs,
  });
  expect(await schedules.read(chat, "old000")).toEqual(next);
  await schedules.save(chat, scheduleIn(chat, { id: "new000" }));
  expect(await storedFields(chat, "new000")).toMatchObject({ v: 2 });
});

it.each([
  "{",
  "[]",
  '{"v":2,"revision":1}',
  '{"v":2,"p":7}',
  '{"v":2,"p":{}}',
  '{"v":2,"p":[1,[]]}',
  '{"v":1}',
  '{"v":1,"revision":1,"failures":"x"}',
  '{"v":1,"revision":1,"outcomes":null}',
])("one that can't be read hinders no commit: %s", async (broken) => {
  const chat = newChat();
  await redis.hset(chatKeys(chat).plans, "broken", broken);
  const turns = turnStoreOn(store);
  await createInbox(store).append(chat, message("m1"));
  const { session, revision } = await begun(turns, chat);
  const plan = { id: "broken", slotMs: 1_790_000_000_000, outcome: "failed" } as const;
  await committed(turns, { session, revision }, finishing(1, { plan }));
  expect(await redis.hget(chatKeys(chat).plans, "broken")).toBe(broken);
  expect(await redis.llen(chatKeys(chat).inbox)).toBe(0);
});

it("names of a person's schedules go with the person", async () => {
  const by = { id: "telegram:900024", name: "Max" };
  const chat = newChat();
  await schedules.save(chat, scheduleBy(chat, by));
  expect(await namesOf(by)).toHaveLength(1);
  const earlier = configKey(`schedules-of:${by.id}`);
  await redis.zadd(earlier, 1, `${chat}/abc123`);
  await erasePerson(store, by.id);
  expect(await redis.exists(personKey(by.id), earlier)).toBe(0);
});

it("no name is left of one that is refused since its turn was erased, or that has run", async () => {
  const by = { id: "telegram:900025", name: "Max" };
  const [chat, other] = [newChat(), newChat()];
  const [refused, made] = [scheduleBy(chat, by), scheduleBy(other, by)];
  await schedules.save(other, made);
  await redis.hset(chatKeys(chat).state, "erased", "7");
  expect(await schedules.save(chat, refused, `${chat}/7.1.0`)).toBe("changed");
  // It exists, so that it is still counted.
  expect(await schedules.save(other, { ...made, zone: "UTC" })).toBe("saved");
  const names = () => namesOf(by);
  expect(await names()).toEqual([`${other}/${made.id}`]);
  const { stored } = (await schedules.open(other, made.id)) ?? {};
  await schedules.fire(other, { id: made.id, stored, schedule: undefined });
  expect(await names()).toEqual([]);
  // A repeated call makes no second one.
  expect(await schedules.save(other, made)).toBe("saved");
  expect(await names()).toEqual([]);
});

it("goes with its person", async () => {
  const chat = newChat();
  const by = { id: "telegram:33", name: "Zoe" };
  await schedules.save(chat, scheduleIn(chat, { by, id: "theirs" }));
  await schedules.save(chat, scheduleIn(chat, { id: "others" }));
  await eraseSchedules(store, chatKeys(chat).plans, { of: [by.id], retentionMs });
  expect((await schedules.list(chat)).map(({ id }) => id)).toEqual(["others"]);
  expect(await indexOf(chat, "theirs")).toBeNull();
  expect(await indexOf(chat, "others")).not.toBeNull();
});

it.each([
  ["chat", { what: "chat" } as const, []],
  ["author", { what: "turns", personId: "telegram:34", turns: [] } as const, ["others"]],
])("goes with the erasure of its %s", async (_, of, left) => {
  const chat = await usedChat();
  await schedules.save(
    chat,
    scheduleIn(chat, { by: { id: "telegram:34", name: "Max" }, id: "theirs" }),
  );
  await schedules.save(chat, scheduleIn(chat, { id: "others" }));
  const turns = turnStoreOn(store);
  await createInbox(store).append(chat, message("m9"));
  const { session, revision } = await begun(turns, chat);
  expect(await turns.erase(session, revision, { take: 0, of })).toMatchObject({ type: "erased" });
  expect((await schedules.list(chat)).map(({ id }) => id)).toEqual(left);
  expect(await indexOf(chat, "theirs")).toBeNull();
  expect((await indexOf(chat, "others")) !== null).toBe(left.length > 0);
  expect((await redis.pttl(chatKeys(chat).state)) > 0).toBe(left.length === 0);
});

/** Makes an archive of a chat, and of that another chat. */
async function copyTo(chat: ChatKey, to: ChatKey): Promise<void> {
  const [head, ...rest] = await Array.fromAsync((await readChat(store, chat)) ?? []);
  if (head?.kind !== "chat") throw new Error("no head");
  const lines = (async function* () {
    yield* rest;
  })();
  await importChat(store, { chat: to, head, lines, retentionMs });
}

it("an archive has them, and they are due in the chat that it becomes", async () => {
  const chat = await usedChat();
  await schedules.save(chat, scheduleIn(chat, { id: "moves0" }));
  const { nextMs: _, ...paused } = scheduleIn(chat, { id: "paused", pausedWhy: "person" });
  await schedules.save(chat, paused);
  await redis.hset(chatKeys(chat).plans, "digest:moves0", "seen");
  const to = newChat();
  await copyTo(chat, to);
  expect(await schedules.read(to, "moves0")).toMatchObject({
    address: parseChatKey(to),
    nextMs: 9e12,
  });
  expect(Number(await indexOf(to, "moves0"))).toBe(9e12);
  expect(await schedules.digest(to, "moves0")).toBe("seen");
  expect(await schedules.read(to, "paused")).toMatchObject({ pausedWhy: "person" });
  expect(await indexOf(to, "paused")).toBeNull();
  expect(await ttls(to)).toEqual([-1, -1, -1]);
});

it.each([true, false])(
  "an archive says whether they are of a group, whichever chat it becomes: %s",
  async (isPrivate) => {
    const id = String(2_800 + Number(isPrivate));
    const privately = chatKey({ platform: "telegram", bot: "77", chat: id });
    const others = chatKey({ platform: "telegram", bot: "77", chat: `-${id}` });
    const [chat, to] = isPrivate ? [privately, others] : [others, privately];
    const by = { id: `telegram:${id}`, name: "Max" };
    for (const direct of [true, false])
      await schedules.save(chat, scheduleIn(chat, { id: `is${direct}`, by, direct }));
    await copyTo(chat, to);
    for (const direct of [true, false])
      expect(await schedules.read(to, `is${direct}`)).toMatchObject({ by, direct });
  },
);

it("isn't made again by a repeat that comes after it has run", async () => {
  const chat = newChat();
  const made = scheduleIn(chat);
  expect(await schedules.save(chat, made)).toBe("saved");
  expect(await schedules.remove(chat, made.id)).toBe(true);
  expect(await schedules.save(chat, made)).toBe("saved");
  expect(await schedules.read(chat, made.id)).toBeUndefined();
});

it("keeps the memory's index only while it has a slot to come", async () => {
  const chat = await usedChat();
  const { windows, vectors } = chatKeys(chat);
  await redis.hset(windows, "head", "x");
  await redis.hset(vectors, "model", "m 1");
  const index = () => Promise.all([windows, vectors].map((key) => redis.pttl(key)));
  const inUse = async () => {
    const made = scheduleIn(chat);
    await schedules.save(chat, made);
    expect(await index()).toEqual([-1, -1]);
    return made;
  };
  const removed = await inUse();
  await schedules.remove(chat, removed.id);
  for (const ttl of await index()) expect(ttl).toBeGreaterThan(0);
  const { id } = await inUse();
  const stored = (await schedules.open(chat, id))?.stored;
  expect(await schedules.fire(chat, { id, stored, schedule: undefined })).toBe("fired");
  for (const ttl of await index()) expect(ttl).toBeGreaterThan(0);
});

it("keeps its chat only while it has a slot to come", async () => {
  const chat = await usedChat();
  const made = scheduleIn(chat);
  await schedules.save(chat, made);
  expect(await ttls(chat)).toEqual([-1, -1, -1]);
  const { nextMs: _, ...paused } = { ...made, revision: 1, pausedWhy: "rights" as const };
  expect(await schedules.save(chat, paused)).toBe("saved");
  for (const ttl of await ttls(chat)) expect(ttl).toBeGreaterThan(0);
});
