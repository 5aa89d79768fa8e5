import * as fc from "fast-check";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { Access, type AccessSettings } from "../../src/access/access.ts";
import { chatKey, type ChatKey } from "../../src/core/chat.ts";
import { inboxEntrySchema, type MessageEntry } from "../../src/core/history.ts";
import type { LimitRule } from "../../src/core/limits.ts";
import { graceMs, type Schedule, type Timing } from "../../src/core/schedule.ts";
import { fireSchedules, spreadCrowds, type FiringDeps } from "../../src/jobs/fire-schedules.ts";
import { createLimits } from "../../src/limits/create-limits.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { listDeadLetters } from "../../src/store/turns/dead-letters.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { resumed } from "../../src/text/new-schedule.ts";
import { telegramSubject } from "../bots/telegram/sender-subject.ts";
import { deliverAll, deliveryDeps } from "../delivery/support.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createSchedules, dueSchedule, planMember } from "../../src/store/turns/schedules.ts";
import { jitterMs, maxAtOnce, nextRun } from "../../src/text/next-run.ts";
import { leaseMs, newChat, retentionMs, scheduleIn, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const at = (iso: string): number => Date.parse(iso);
const people = createPeopleStore(store);
const inbox = createInbox(store, { whileBusy: "followup" });

/** A sweeper with a clock that a test sets. */
function firing(settings: Partial<AccessSettings> = {}, file: readonly LimitRule[] = []) {
  const woken: string[] = [];
  const reported: string[] = [];
  const lines: Record<string, unknown>[] = [];
  const time = { nowMs: at("2027-01-04T08:00:00Z") };
  const access = new Access(
    people,
    { mode: "open", admins: [], allow: [], ban: [], ...settings },
    () => performance.now(),
  );
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const limits = createLimits({
    store,
    file,
    access,
    people,
    log,
    roleOf: ({ person }) => access.roleOf(person),
    connectedBots: createConnectedBots(store),
    post: () => Promise.resolve(),
    now: () => time.nowMs,
    monotonic: () => performance.now(),
  });
  const schedules = createSchedules(store, {
    retentionMs,
    report: (what) => void reported.push(what),
  });
  const deps: FiringDeps = {
    store,
    access,
    limits,
    schedules,
    people,
    connectedBots: createConnectedBots(store),
    deadChats: createDeadChats(store),
    post: async (chat, entry) => void (await inbox.post(chat, entry)),
    log,
    waker: { wake: (mailbox, chat) => Promise.resolve(void woken.push(`${mailbox} ${chat}`)) },
    now: () => time.nowMs,
  };
  return { deps, schedules, time, woken, lines, reported };
}

/** As the sweeper takes them. */
const dueIn = async (chat: ChatKey, untilMs: number) => {
  const flat = await redis.zrangebyscore(chatKeys(chat).wake, "-inf", untilMs, "WITHSCORES");
  return flat.flatMap((member, index) =>
    member.startsWith(`plan:${chat}/`)
      ? [dueSchedule(member.slice("plan:".length), untilMs - Number(flat[index + 1]), untilMs)]
      : [],
  );
};
const pass = async ({ deps, time }: ReturnType<typeof firing>, chat: ChatKey) =>
  await fireSchedules(deps, await dueIn(chat, time.nowMs));
const asked = async (chat: ChatKey) =>
  (await redis.lrange(chatKeys(chat).inbox, 0, -1)).map(
    (json) => inboxEntrySchema.parse(JSON.parse(json)) as MessageEntry,
  );
const told = async (chat: ChatKey) =>
  (await redis.lrange(chatKeys(chat).outbox, 0, -1)).map(
    (each) => (JSON.parse(each.slice(each.indexOf(" ") + 1)) as { text: string }).text,
  );
const daily: Timing = { type: "cron", rule: "0 9 * * *" };
const slotMs = at("2027-01-04T08:00:00Z");
const daylong = { timing: daily, nextMs: slotMs } as const;
const asks = { task: { type: "ask", text: "news?" } } as const;

describe("a schedule that is due", () => {
  it("reminds its chat, once, and is over", async () => {
    const world = firing();
    const chat = newChat();
    await world.schedules.save(
      chat,
      scheduleIn(chat, { nextMs: slotMs, timing: { type: "at", atMs: slotMs } }),
    );
    await pass(world, chat);
    await pass(world, chat);
    expect(await told(chat)).toEqual(["⏰ tea"]);
    expect(world.woken).toEqual([`delivery ${chat}`]);
    expect(await world.schedules.list(chat)).toEqual([]);
  });

  it("is paused after three reminders in a row that never arrive, though other messages do", async () => {
    await using subject = await telegramSubject();
    const chat = chatKey(subject.address);
    const world = firing();
    const delivery = deliveryDeps(createOutboxStore(store, leaseMs), subject.sender);
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "block0" }));
    const nextDay = async ({ isBlocked }: { readonly isBlocked: boolean }) => {
      await pass(world, chat);
      if (isBlocked && (await told(chat)).length > 0)
        await subject.remote?.injectFailure("refused");
      await deliverAll(delivery, chat);
      await world.deps.deadChats.mark(chat, { isDead: false });
      world.time.nowMs += 86_400_000;
      return await world.schedules.read(chat, "block0");
    };
    const isBlocked = true;
    for (const failures of [0, 1]) expect(await nextDay({ isBlocked })).toMatchObject({ failures });
    expect(await nextDay({ isBlocked: false })).toMatchObject({
      failures: 2,
      outcomes: [{ outcome: "sent" }, { outcome: "failed" }, { outcome: "failed" }],
    });
    for (const failures of [0, 1, 2])
      expect(await nextDay({ isBlocked })).toMatchObject({ failures, nextMs: expect.any(Number) });
    const paused = await nextDay({ isBlocked });
    expect(paused).toMatchObject({ failures: 3, pausedWhy: "failures" });
    expect(paused?.nextMs).toBeUndefined();
    const lost = async () =>
      (await listDeadLetters(store, chat)).map(({ entry }) => (entry as { text: string }).text);
    const all = [
      ...Array<string>(5).fill("⏰ tea"),
      expect.stringContaining("three times in a row"),
    ];
    expect(await lost()).toEqual(all);
    await nextDay({ isBlocked });
    expect(await lost()).toEqual(all);
    expect(await subject.visible()).toMatchObject([{ text: "⏰ tea" }]);
    // It goes on where its person resumes it.
    if (paused !== undefined)
      await world.schedules.save(chat, resumed(paused, world.time.nowMs - 86_400_000));
    await nextDay({ isBlocked: false });
    expect(await nextDay({ isBlocked: false })).toMatchObject({ failures: 0 });
    expect(await subject.visible()).toHaveLength(3);
  });

  it("counts a reminder that fails after the next one was sent, and several at once as one failure", async () => {
    await using subject = await telegramSubject();
    const chat = chatKey(subject.address);
    const world = firing();
    const delivery = deliveryDeps(createOutboxStore(store, leaseMs), subject.sender);
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "later0" }));
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "other0" }));
    const nextDay = async () => {
      await pass(world, chat);
      world.time.nowMs += 86_400_000;
      return await world.schedules.read(chat, "later0");
    };
    await nextDay();
    await nextDay();
    // Two days of both schedules.
    for (const _ of await told(chat)) await subject.remote?.injectFailure("refused");
    await deliverAll(delivery, chat);
    await world.deps.deadChats.mark(chat, { isDead: false });
    expect(await listDeadLetters(store, chat)).toHaveLength(4);
    await redis.set(`${chatKeys(chat).deadPrefix}odd`, "x");
    await redis.zadd(chatKeys(chat).deadIndex, 1, `odd ${chat}`);
    expect(await nextDay()).toMatchObject({
      failures: 1,
      outcomes: [{ outcome: "sent" }, { outcome: "failed" }, { outcome: "failed" }],
    });
    expect(world.lines).toEqual([]);
    await deliverAll(delivery, chat);
    expect(await nextDay()).toMatchObject({ failures: 0 });
  });

  it("asks in its person's name, with the role of now, and moves on", async () => {
    const world = firing({ admins: ["telegram:772"] });
    const chat = newChat();
    const by = { id: "telegram:772", name: "Ada" };
    await world.schedules.save(
      chat,
      scheduleIn(chat, { ...daylong, ...asks, by, direct: false, id: "moves1" }),
    );
    await pass(world, chat);
    expect(await asked(chat)).toMatchObject([
      {
        v: 1,
        id: `plan:moves1:${slotMs}`,
        text: "news?",
        role: "owner",
        group: true,
        schedule: { id: "moves1", slotMs },
      },
    ]);
    expect(world.woken).toEqual([`turn ${chat}`]);
    expect(await world.schedules.read(chat, "moves1")).toMatchObject({
      nextMs: at("2027-01-05T08:00:00Z"),
      outcomes: [{ slotMs, outcome: "asked" }],
      revision: 2,
    });
  });

  it("runs once for all that was missed, and says when a reminder was due", async () => {
    const world = firing();
    const chat = newChat();
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong }));
    world.time.nowMs = at("2027-01-08T12:00:00Z");
    await pass(world, chat);
    expect(await told(chat)).toEqual(["⏰ tea\nThis was due Mon, Jan 4, 2027, 09:00."]);
    expect((await world.schedules.list(chat))[0]?.nextMs).toBe(at("2027-01-09T08:00:00Z"));
  });

  it("is skipped when it is too late, if it says so; its only slot stays to be seen", async () => {
    const world = firing();
    const chat = newChat();
    const skips = { late: "skip" } as const;
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, ...skips, id: "daily0" }));
    await world.schedules.save(
      chat,
      scheduleIn(chat, {
        ...skips,
        id: "only00",
        nextMs: slotMs,
        timing: { type: "at", atMs: slotMs },
      }),
    );
    world.time.nowMs += graceMs + 1;
    await pass(world, chat);
    expect(await told(chat)).toEqual([]);
    expect(await world.schedules.read(chat, "daily0")).toMatchObject({
      nextMs: at("2027-01-05T08:00:00Z"),
      outcomes: [{ outcome: "late" }],
    });
    expect((await world.schedules.read(chat, "only00"))?.nextMs).toBeUndefined();
  });

  it.each(["telegram:771", undefined])(
    "is paused where its person has no access any more (banned: %s)",
    async (banned) => {
      const world = firing(banned === undefined ? { mode: "allowlist" } : { ban: [banned] });
      const chat = newChat();
      await world.schedules.save(
        chat,
        scheduleIn(chat, {
          ...daylong,
          ...asks,
          by: { id: "telegram:771", name: "Anna", language: "de" },
          id: "rights",
        }),
      );
      await pass(world, chat);
      await pass(world, chat);
      expect(await asked(chat)).toEqual([]);
      expect(await told(chat)).toEqual([
        "Ich habe den Zeitplan „news?“ pausiert, weil du hier keine Zeitpläne mehr haben darfst.",
      ]);
      expect(await world.schedules.read(chat, "rights")).toMatchObject({
        pausedWhy: "rights",
        outcomes: [{ outcome: "refused" }],
      });
    },
  );

  it("is left out while what it asked before still waits, which a reminder doesn't", async () => {
    const world = firing();
    const chat = newChat();
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, ...asks, id: "asks00" }));
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "tells0" }));
    const nextDay = async () => {
      await pass(world, chat);
      world.time.nowMs += 86_400_000;
    };
    await nextDay();
    await nextDay();
    expect(await asked(chat)).toHaveLength(1);
    expect(await told(chat)).toEqual(["⏰ tea", "⏰ tea"]);
    expect((await world.schedules.read(chat, "asks00"))?.outcomes).toMatchObject([
      { outcome: "late" },
      { outcome: "asked" },
    ]);
    await redis.del(chatKeys(chat).inbox);
    await nextDay();
    expect(await asked(chat)).toMatchObject([{ id: `plan:asks00:${slotMs + 2 * 86_400_000}` }]);
  });

  it("runs no second time where its process dies before it wakes the chat, and the chat is left to the sweeper", async () => {
    const world = firing();
    const chat = newChat();
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, ...asks, id: "dies00" }));
    const names = await dueIn(chat, world.time.nowMs);
    await fireSchedules({ ...world.deps, waker: { wake: dead } }, names);
    // It is due again, as after a sweep.
    await redis.zadd(chatKeys(chat).wake, 1, planMember(chat, "dies00"));
    await pass(world, chat);
    expect(await asked(chat)).toHaveLength(1);
    expect(world.woken).toEqual([]);
    expect(
      await redis.zmscore(chatKeys(chat).wake, `in:${chat}`, planMember(chat, "dies00")),
    ).toEqual([expect.any(String), String(slotMs + 86_400_000)]);
  });

  it("is paused where its person is only a guest, who could not manage it", async () => {
    const world = firing();
    const by = { id: "telegram:773", name: "Gus" };
    await world.deps.access.setRole(by, "guest");
    const chat = newChat();
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, by, id: "guest0" }));
    await pass(world, chat);
    expect(await told(chat)).toEqual([expect.stringContaining("may no longer have schedules")]);
    expect(await world.schedules.read(chat, "guest0")).toMatchObject({ pausedWhy: "rights" });
  });

  it("says nothing in a banned place", async () => {
    const chat = newChat({ chat: "-100777" });
    const world = firing({ ban: ["telegram:-100777"] });
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, direct: false, id: "quiet0" }));
    await pass(world, chat);
    expect(await told(chat)).toEqual([]);
    expect(await world.schedules.read(chat, "quiet0")).toMatchObject({ pausedWhy: "rights" });
  });

  it("is held by a limit on messages, which it says, and goes on at its next slot", async () => {
    const chat = newChat();
    const world = firing({}, [
      { scope: { kind: "chat", chat }, limit: { metric: "messages", per: "day", max: 1 } },
    ]);
    const by = { id: "telegram:88", name: "Lim" };
    for (const id of ["first0", "second"])
      await world.schedules.save(chat, scheduleIn(chat, { ...daylong, ...asks, by, id }));
    await pass(world, chat);
    expect(await asked(chat)).toHaveLength(1);
    expect((await told(chat)).join()).toMatch(
      /limit.*So the schedule “news\?” didn't run this time\./,
    );
    const all = await world.schedules.list(chat);
    expect(new Set(all.map(({ outcomes }) => outcomes[0]?.outcome))).toEqual(
      new Set(["asked", "refused"]),
    );
  });

  it("that can't be read is reported, and stops no other", async () => {
    const world = firing();
    const chat = newChat();
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "intact" }));
    const { plans, wake } = chatKeys(chat);
    await redis.hset(plans, "broken", "{", "newer0", '{"v":2}');
    const odd = ["broken", "newer0", "absent"].map((id) => planMember(chat, id));
    for (const member of odd) await redis.zadd(wake, 1, member);
    await pass(world, chat);
    expect(await told(chat)).toEqual(["⏰ tea"]);
    expect(world.reported).toEqual([`${plans} broken`, `${plans} newer0`]);
    // A newer process may read them.
    expect(await redis.zmscore(wake, ...odd)).toEqual(["1", "1", null]);
  });

  it("that fails doesn't hold up others, and is due again", async () => {
    const world = firing();
    const chat = newChat();
    const zone = "Mars/Olympus";
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "fails0", zone }));
    await world.schedules.save(chat, scheduleIn(chat, { ...daylong, id: "intact" }));
    await pass(world, chat);
    expect(await told(chat)).toEqual(["⏰ tea"]);
    expect(world.lines).toMatchObject([{ msg: "a schedule could not be fired" }]);
    expect(await world.schedules.read(chat, "fails0")).toMatchObject({ nextMs: slotMs });
  });

  it("is spread over a minute where more than a hundred are due in its second", async () => {
    const world = firing();
    const chats = Array.from({ length: maxAtOnce + 20 }, () => newChat());
    for (const chat of chats)
      await world.schedules.save(
        chat,
        scheduleIn(chat, { ...daylong, id: "crowd0", by: { id: `telegram:c${chat}`, name: "C" } }),
      );
    const sent = async () =>
      (await Promise.all(chats.map(told))).filter(({ length }) => length > 0).length;
    const passAll = async () => {
      const due = await Promise.all(chats.map((chat) => dueIn(chat, world.time.nowMs)));
      await fireSchedules(world.deps, await spreadCrowds(world.deps, due.flat()));
    };
    await passAll();
    expect(await sent()).toBeLessThan(20);
    for (const chat of chats) {
      const spreadMs = slotMs + jitterMs(`${chat}/crowd0`);
      if ((await told(chat)).length === 0)
        expect(
          Math.floor(Number(await redis.zscore(chatKeys(chat).wake, planMember(chat, "crowd0")))),
        ).toBe(spreadMs);
    }
    // One of them that no one can read keeps no other one waiting.
    const bad = dueSchedule("nonsense:1", 0, slotMs);
    const again = { ...bad, slotMs, isSpread: false };
    const others = await spreadCrowds(world.deps, [
      ...Array.from({ length: maxAtOnce + 1 }, (_, index) => ({
        ...again,
        name: `nonsense:${index}`,
      })),
      dueSchedule(`${chats[0]}/none00`, 0, world.time.nowMs),
    ]);
    expect(others).toHaveLength(maxAtOnce + 1);
    await fireSchedules(world.deps, others);
    expect(world.lines.at(-1)).toMatchObject({ msg: "a schedule could not be fired" });
    world.time.nowMs += 60_000;
    // They are a crowd again, and have waited.
    await passAll();
    expect(await sent()).toBe(chats.length);
  });
});

const dead = () => Promise.reject(new Error("dead"));

type Action =
  | { readonly type: "clock"; readonly byMs: number }
  | { readonly type: "edit"; readonly timing: Timing }
  | { readonly type: "pass" | "both" | "stale" | "dies-before" | "dies-after" };

const minutes = (count: number): number => count * 60_000;
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("clock" as const),
      byMs: fc.integer({ min: -minutes(600), max: minutes(3_000) }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant("edit" as const),
      timing: fc.oneof(
        fc
          .constantFrom("30 2 * * *", "0 */3 * * *", "15 2,3 * * *")
          .map((rule): Timing => ({ type: "cron", rule })),
        fc
          .integer({ min: 5, max: 600 })
          .map((count): Timing => ({ type: "every", everyMs: minutes(count), fromMs: slotMs })),
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc
      .constantFrom("pass", "both", "stale", "dies-before", "dies-after")
      .map((type) => ({ type })),
  },
);

/** Two changes of the clock, and an ordinary day. */
const begins = fc.constantFrom(
  "2027-03-27T20:00:00Z",
  "2026-10-24T20:00:00Z",
  "2027-01-04T08:00:00Z",
);

describe("every slot", () => {
  it("runs at most once, and once unless its rule skips it: two sweepers, crashes, edits, and clocks that step", async () => {
    await fc.assert(
      fc.asyncProperty(
        begins,
        fc.constantFrom("once" as const, "skip" as const),
        fc.array(action, { minLength: 3, maxLength: 25 }),
        async (begin, late, actions) => {
          const one = firing();
          const other = firing();
          const chat = newChat();
          const zone = "Europe/Berlin";
          const id = "proves";
          const setClock = (nowMs: number) => {
            one.time.nowMs = nowMs;
            other.time.nowMs = nowMs;
          };
          setClock(at(begin));
          const timing: Timing = { type: "cron", rule: "30 2 * * *" };
          const first = nextRun(timing, zone, at(begin));
          await one.schedules.save(
            chat,
            scheduleIn(chat, {
              ...asks,
              id,
              zone,
              timing,
              late,
              nextMs: first ?? 0,
            }),
          );
          /** Appended, as often as it was. */
          const ran: number[] = [];
          const collect = async () => {
            for (const { schedule } of await asked(chat)) ran.push(schedule?.slotMs ?? 0);
            await redis.del(chatKeys(chat).inbox);
          };
          const sweeper = (
            fire: (
              act: () => Promise<"fired" | "changed" | "full">,
            ) => Promise<"fired" | "changed" | "full">,
          ) => ({
            ...one.deps,
            schedules: {
              ...one.schedules,
              fire: (...given: Parameters<typeof one.schedules.fire>) =>
                fire(() => one.schedules.fire(...given)),
            },
          });
          for (const each of actions) {
            const nowMs = one.time.nowMs;
            const before = (await one.schedules.read(chat, id)) as Schedule;
            const due = await dueIn(chat, nowMs);
            switch (each.type) {
              case "clock":
                setClock(nowMs + each.byMs);
                continue;
              case "edit": {
                const nextMs = nextRun(each.timing, zone, nowMs);
                await one.schedules.save(chat, {
                  ...before,
                  timing: each.timing,
                  nextMs: nextMs ?? 0,
                });
                continue;
              }
              case "both":
                await Promise.all([one, other].map(({ deps }) => fireSchedules(deps, due)));
                break;
              case "stale":
                // The other one does all of it while this one has read and not written.
                await fireSchedules(
                  sweeper(async (act) => {
                    await fireSchedules(other.deps, due);
                    return await act();
                  }),
                  due,
                );
                break;
              case "dies-before":
                await fireSchedules(sweeper(dead), due).catch(() => undefined);
                break;
              case "dies-after":
                await fireSchedules(
                  sweeper(async (act) => {
                    await act();
                    return await dead();
                  }),
                  due,
                ).catch(() => undefined);
                break;
              default:
                await fireSchedules(one.deps, due);
            }
            await collect();
            if (each.type === "dies-before") {
              expect(await one.schedules.read(chat, id)).toEqual(before);
              continue;
            }
            const { nextMs = 0 } = before;
            const after = await one.schedules.read(chat, id);
            if (nextMs > nowMs) expect(after).toEqual(before);
            else {
              expect(after?.nextMs).toBe(nextRun(before.timing, zone, nowMs));
              const isSkipped = late === "skip" && nowMs - nextMs > graceMs;
              // A slot that an edit has brought back may have run before.
              if (!isSkipped) expect(ran.filter((slot) => slot === nextMs)).toHaveLength(1);
              expect(after?.outcomes[0]).toEqual({
                slotMs: nextMs,
                outcome: isSkipped ? "late" : "asked",
              });
            }
          }
          expect(new Set(ran).size).toBe(ran.length);
        },
      ),
      { numRuns: 150 },
    );
  }, 120_000);
});
