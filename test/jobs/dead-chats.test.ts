import { describe, expect, it } from "vitest";
import { chatKey, type ChatKey } from "../../src/core/chat.ts";
import { slotName, type Schedule } from "../../src/core/schedule.ts";
import { findingIn } from "../../src/doctor/check.ts";
import { deploymentChecks } from "../../src/doctor/deployment.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import type { Services } from "../../src/services.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { telegramSubject } from "../bots/telegram/sender-subject.ts";
import { answer, deliverAll, deliveryDeps } from "../delivery/support.ts";
import { leaseMs, newChat } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { bot, hourMs, openPlaces, owner } from "./places.ts";

const places = await openPlaces(await testDatabase());
const { store, redis, people, inbox, deadChats, schedules, deps, clock, now } = places;
const { told, pass, someone, newGroup, planned } = places;

const asked = (chat: ChatKey) => redis.llen(chatKeys(chat).inbox);

const tasks = {
  asks00: { type: "ask", text: "news?" },
  drink0: { type: "remind", text: "tea" },
  watch0: { type: "watch", tool: "fetch", given: {}, text: "say it" },
} as const;

describe("the schedules of a dead chat", () => {
  it("stop at once, of every kind, and their author is told in private, once", async () => {
    const chat = newGroup();
    const { by, own } = await someone();
    for (const [id, task] of Object.entries(tasks)) await planned(chat, { id, task, by });
    await deadChats.mark(chat, { isDead: true, stops: true });
    expect(await pass(chat)).toBe(3);
    await deadChats.mark(chat, { isDead: true, stops: true });
    expect(await pass(chat)).toBe(0);
    for (const each of await schedules.list(chat)) {
      expect(each).toMatchObject({ pausedWhy: "dead" });
      expect(each).not.toHaveProperty("nextMs");
    }
    expect(await told(chat)).toEqual([]);
    const [notice, ...others] = await told(own);
    expect(others).toEqual([]);
    for (const id of Object.keys(tasks)) expect(notice).toContain(`(${id})`);
    expect(await asked(chat)).toBe(0);
  });

  it("are a finding of doctor until the chat is alive again", async () => {
    const chat = newGroup();
    const { by } = await someone();
    const check = deploymentChecks({ store } as Services).find(({ id }) => id === "schedules");
    const said = async () => {
      const all = (await check?.run(new AbortController().signal)) ?? [];
      return all.map(findingIn(localeFor())).find(({ id }) => id === "schedules.dead");
    };
    // Of other tests; 0 where none is.
    const before = Number.parseInt((await said())?.what ?? "", 10) || 0;
    for (const [id, task] of Object.entries(tasks)) await planned(chat, { id, task, by });
    await deadChats.mark(chat, { isDead: true });
    await pass(chat);
    expect(await said()).toMatchObject({
      status: "note",
      what: expect.stringMatching(`^${before + 3} schedules are paused`) as string,
    });
    await deadChats.mark(chat, { isDead: false });
    await pass(chat);
    expect(Number.parseInt((await said())?.what ?? "", 10) || 0).toBe(before);
  });

  it("are named to their author again by the same notice, where a process dies before it pauses them", async () => {
    const chat = newGroup();
    const { by, own } = await someone();
    await planned(chat, { id: "asks00", task: tasks.asks00, by });
    await deadChats.mark(chat, { isDead: true });
    const killed = { ...schedules, fire: () => Promise.reject(new Error("killed")) };
    await pass(chat, { ...deps, schedules: killed });
    expect(await told(own)).toHaveLength(1);
    await pass(chat);
    expect(await told(own)).toHaveLength(1);
    expect(await schedules.read(chat, "asks00")).toMatchObject({ pausedWhy: "dead" });
  });

  it("are paused at their next slot, where a process died between the refusal and its news", async () => {
    const chat = newGroup();
    const { by } = await someone();
    await planned(chat, { id: "asks00", task: tasks.asks00, by, nextMs: now() });
    await redis.hset(chatKeys(chat).state, "out:dead", now());
    await pass(chat);
    expect(await asked(chat)).toBe(0);
    expect(await schedules.read(chat, "asks00")).toMatchObject({ pausedWhy: "dead" });
  });

  it("go on when the chat is alive, but not those that a person has paused; a missed reminder is late", async () => {
    const chat = newGroup();
    const { by } = await someone();
    await planned(chat, { id: "asks00", task: tasks.asks00, by });
    const atMs = now() + hourMs;
    await planned(chat, { id: "once00", timing: { type: "at", atMs }, nextMs: atMs, by });
    await planned(chat, { id: "rests0", by, pausedWhy: "person" });
    const resting = await schedules.read(chat, "rests0");
    const { nextMs: _, ...rests } = resting as Schedule;
    await schedules.save(chat, rests);
    await deadChats.mark(chat, { isDead: true });
    await pass(chat);
    clock.aheadMs += 2 * hourMs;
    await deadChats.mark(chat, { isDead: false });
    await pass(chat);
    const goesOn = await schedules.read(chat, "asks00");
    expect(goesOn).not.toHaveProperty("pausedWhy");
    expect(goesOn?.nextMs).toBeGreaterThan(now());
    expect(await schedules.read(chat, "rests0")).toMatchObject({ pausedWhy: "person" });
    await pass(chat);
    expect(await told(chat)).toEqual([expect.stringMatching(/tea\n.*due/s)]);
  });

  it("are told to the owners where their author can't be reached, and never to the dead chat", async () => {
    await people.setDirectChat(bot, "telegram:900", owner);
    const chat = newGroup();
    const { by } = await someone({ isKnown: false });
    await planned(chat, { id: "asks00", task: tasks.asks00, by });
    const { by: blocker, own } = await someone();
    await planned(own, { id: "drink0", by: blocker, direct: true });
    for (const dead of [chat, own]) {
      await deadChats.mark(dead, { isDead: true });
      await pass(dead);
      await pass(dead);
      expect(await told(dead)).toEqual([]);
    }
    const all = await told(owner);
    expect(all).toHaveLength(2);
    expect(all[0]).toMatch(new RegExp(`${by.name}.*asks00`));
    expect(all[1]).toMatch(new RegExp(`${blocker.name}.*drink0`));
    // The text of a private chat is no one else's business.
    expect(all[1]).not.toContain("tea");
  });

  it("are told in another private chat of their author, if that is alive", async () => {
    const { by, own } = await someone();
    const elsewhere = newChat({ platform: "discord", bot: "9" });
    await people.setDirectChat("discord:9", by.id, elsewhere);
    await planned(own, { id: "drink0", by, direct: true });
    await deadChats.mark(own, { isDead: true });
    await pass(own);
    expect(await told(elsewhere)).toEqual([expect.stringContaining("Telegram")]);
  });
});

describe("a schedule whose answers are refused", () => {
  it("is dead with its chat after three in a row, and costs nothing from then on", async () => {
    await using subject = await telegramSubject();
    const chat = chatKey(subject.address);
    const delivery = deliveryDeps(createOutboxStore(store, leaseMs), subject.sender);
    const by = { id: "telegram:902", name: "Ann" };
    await planned(chat, { id: "asks00", task: tasks.asks00, by, direct: true });
    for (const turn of [1, 2, 3]) {
      clock.aheadMs += 2 * hourMs;
      await pass(chat);
      expect(await asked(chat)).toBe(1);
      await redis.del(chatKeys(chat).inbox);
      await inbox.post(chat, answer(`turn-${turn}`, "news"));
      subject.telegram.inject({
        kind: { type: "status", code: 400, description: "Bad Request: not enough rights" },
      });
      await deliverAll(delivery, chat);
    }
    await pass(chat);
    clock.aheadMs += 2 * hourMs;
    await pass(chat);
    expect(await asked(chat)).toBe(0);
    expect(await schedules.read(chat, "asks00")).toMatchObject({ pausedWhy: "dead" });
    // A message that arrives brings it back.
    await inbox.post(chat, answer("turn-9", "hello"));
    await deliverAll(delivery, chat);
    await pass(chat);
    expect(await schedules.read(chat, "asks00")).not.toHaveProperty("pausedWhy");
  });

  it("has failed whatever its model said, and is paused after three though other messages arrive", async () => {
    await using subject = await telegramSubject();
    const chat = chatKey(subject.address);
    const delivery = deliveryDeps(createOutboxStore(store, leaseMs), subject.sender);
    const by = { id: "telegram:903", name: "Ann" };
    await planned(chat, { id: "asks00", task: tasks.asks00, by, direct: true });
    for (const turn of [1, 2, 3]) {
      clock.aheadMs += 2 * hourMs;
      await pass(chat);
      await redis.del(chatKeys(chat).inbox);
      const slotMs = (await schedules.read(chat, "asks00"))?.outcomes[0]?.slotMs ?? 0;
      const slot = slotName("asks00", slotMs);
      await inbox.post(chat, { ...answer(`turn-${turn}`, "news"), slot });
      subject.telegram.inject({
        kind: { type: "status", code: 400, description: "Bad Request: not enough rights" },
      });
      await deliverAll(delivery, chat);
      await inbox.post(chat, answer(`other-${turn}`, "hello"));
      await deliverAll(delivery, chat);
    }
    clock.aheadMs += 2 * hourMs;
    await pass(chat);
    expect(await asked(chat)).toBe(0);
    expect(await schedules.read(chat, "asks00")).toMatchObject({
      pausedWhy: "failures",
      failures: 3,
    });
    expect(await told(chat)).toEqual([expect.stringContaining("three times in a row")]);
  });
});
