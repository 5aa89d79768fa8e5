import { describe, expect, it } from "vitest";
import type { ChatKey, Person } from "../../src/core/chat.ts";
import { askingEntry, type OutboxEntry } from "../../src/core/outbox.ts";
import { slotName } from "../../src/core/schedule.ts";
import { unreached } from "../../src/core/approval.ts";
import { expireApproval } from "../../src/approvals/expire-approval.ts";
import { relayCard, type RelayDeps } from "../../src/approvals/relay-card.ts";
import { notifyUndelivered, type UndeliveredDeps } from "../../src/jobs/notify-undelivered.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createRelayedCards } from "../../src/store/approvals/relayed-cards.ts";
import { createAudit } from "../../src/store/operations/audit.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { ScriptedSender } from "../delivery/scripted-sender.ts";
import { answer, deliverAll, deliveryDeps } from "../delivery/support.ts";
import { askedIn } from "../store/asking.ts";
import { leaseMs, message, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { bot, openPlaces, owner } from "./places.ts";

const places = await openPlaces(await testDatabase());
const { store, redis, people, inbox, schedules, deps, now } = places;
const { told, pass, someone, newGroup, planned } = places;
const locale = localeFor();
const turns = turnStoreOn(store);
const approvals = createApprovalStore(store);
const relayedCards = createRelayedCards(store);
const audit = createAudit(store, { retentionMs: undefined, redact: (text) => text, log: deps.log });
const notifying: UndeliveredDeps = {
  ...deps,
  approvals,
  audit,
  relayedCards,
  expire: async (id, reason) => void (await expireApproval({ approvals, audit }, id, reason)),
  waker: { ...deps.waker } as UndeliveredDeps["waker"],
};

/** Delivers a chat whose platform refuses each request, as a process would. */
async function refused(chat: ChatKey, reason: "gone" | "blocked" | "closed" = "closed") {
  const sender = new ScriptedSender();
  sender.reason = reason;
  sender.isChatDead = reason !== "closed";
  sender.faults.push(...Array.from({ length: 9 }, () => "refused" as const));
  await deliverAll(
    deliveryDeps(createOutboxStore(store, leaseMs), sender, {
      relay: (entry) => relayCard(notifying, entry),
      onUndelivered: notifyUndelivered(notifying),
    }),
    chat,
  );
}

const once = (id: string, text: string) =>
  ({
    id,
    task: { type: "remind", text },
    timing: { type: "at", atMs: now() },
    nextMs: now(),
  }) as const;

/** The answer of a single `ask`, as its turn leaves it. */
async function askAnswered(chat: ChatKey, { by, direct }: { by: Person; direct: boolean }) {
  const task = { type: "ask", text: "any news?" } as const;
  const plan = { ...once("single", ""), task, by, direct };
  await planned(chat, plan);
  expect(await pass(chat)).toBe(1);
  expect(await schedules.read(chat, plan.id)).toBeUndefined();
  const slot = slotName(plan.id, plan.nextMs);
  const entry = answer("turn-1", "secret news");
  await inbox.post(chat, { ...entry, slot, author: by.id, person: by.id });
}

/** The members' chat waits; the admins are telegram:900, and those that a test makes. */
async function relayed(admins: readonly Person[], given: RelayDeps = notifying) {
  for (const person of admins) await people.setRole(person, "admin");
  const { own: chat } = await someone();
  await inbox.append(chat, message("m1"));
  const approval = await askedIn(turns, chat, { approvers: "admins", elsewhere: true });
  await relayCard(given, askingEntry([approval], {}) as OutboxEntry & { kind: "cards" });
  return { chat, approval };
}

describe("what a platform refuses", () => {
  it("is told to its person for each group, also where entries have the same name", async () => {
    const { by, own } = await someone();
    for (const chat of [newGroup(), newGroup()]) {
      await inbox.post(chat, { ...answer("turn-1", "hello"), person: by.id });
      await refused(chat);
    }
    expect(await told(own)).toHaveLength(2);
  });
});

describe("a single reminder that is refused when it fires", () => {
  it("reaches its author in private, each", async () => {
    const { by, own } = await someone();
    const chat = newGroup();
    for (const id of ["first0", "other0"]) {
      await planned(chat, { ...once(id, `${id} tea`), by });
      await pass(chat);
      await refused(chat);
    }
    const all = await told(own);
    expect(all).toHaveLength(2);
    expect(all[0]).toMatch(/closed.*first0 tea/s);
    expect(all[1]).toMatch(/closed.*other0 tea/s);
  });

  it("is told to the owners without its text, where its author has blocked the bot", async () => {
    await people.setDirectChat(bot, "telegram:900", owner);
    await redis.del(chatKeys(owner).outbox);
    const { by, own } = await someone();
    await planned(own, { ...once("single", "secret tea"), by, direct: true });
    await pass(own);
    await refused(own, "blocked");
    const [line = "", ...others] = await told(owner);
    expect(others).toEqual([]);
    expect(line).toMatch(/single/);
    expect(line).not.toContain("tea");
    expect(await told(own)).toEqual([]);
  });
});

describe("the answer of a single ask that is refused", () => {
  it.each(["closed", "gone"] as const)("is told to its author in private: %s", async (reason) => {
    const { by, own } = await someone();
    const chat = newGroup();
    await askAnswered(chat, { by, direct: false });
    await refused(chat, reason);
    const [line = "", ...others] = await told(own);
    expect(others).toEqual([]);
    expect(line).toContain(locale.delivery.why[reason]);
    expect(line).not.toContain("secret");
  });

  it("is told to the owners, where its author has blocked the bot", async () => {
    await people.setDirectChat(bot, "telegram:900", owner);
    await redis.del(chatKeys(owner).outbox);
    const { by, own } = await someone();
    await askAnswered(own, { by, direct: true });
    await refused(own, "blocked");
    const [line = "", ...others] = await told(owner);
    expect(others).toEqual([]);
    expect(line).toContain(locale.delivery.why.blocked);
    expect(line).not.toContain("secret");
    expect(await told(own)).toEqual([]);
  });
});

describe("a repeated schedule whose chat is dead", () => {
  it.each(["remind", "ask"] as const)("tells its author once: %s", async (type) => {
    const { by, own } = await someone();
    const chat = newGroup();
    await planned(chat, { id: "again0", task: { type, text: "tea" }, by, nextMs: now() });
    await pass(chat);
    if (type === "ask") {
      const slot = `again0:${Math.floor(now() / 1_000)}`;
      await inbox.post(chat, { ...answer("turn-1", "news"), slot, author: by.id, person: by.id });
    }
    await refused(chat, "gone");
    await pass(chat);
    expect(await told(own)).toEqual([expect.stringContaining("(again0)")]);
    expect(await schedules.read(chat, "again0")).toMatchObject({ pausedWhy: "dead" });
  });
});

describe("a card that is decided elsewhere", () => {
  it("ends with a reason once each of its copies is refused, and not before", async () => {
    await people.setDirectChat(bot, "telegram:900", owner);
    const { by, own } = await someone();
    const { approval } = await relayed([by]);
    await refused(owner, "blocked");
    expect(await approvals.find(approval.id)).toMatchObject({ status: "pending" });
    await refused(own, "blocked");
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "expired",
      reason: unreached,
    });
    await people.setRole(by, undefined);
  });

  it("ends at once where no one can be asked any more", async () => {
    const connectedBots = { among: () => Promise.resolve([]) };
    const { approval } = await relayed([], { ...notifying, connectedBots });
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "expired",
      reason: unreached,
    });
  });

  it("closes its copies where its own chat takes nothing", async () => {
    await people.setDirectChat(bot, "telegram:900", owner);
    await redis.del(chatKeys(owner).outbox);
    const { chat, approval } = await relayed([]);
    await inbox.post(chat, askingEntry([approval], {}));
    await refused(chat, "blocked");
    expect(await approvals.find(approval.id)).toMatchObject({
      status: "expired",
      reason: unreached,
    });
    await refused(chat, "blocked");
    const kinds = await redis.lrange(chatKeys(owner).outbox, 0, -1);
    expect(kinds.map((each) => /"kind":"([^"]*)"/.exec(each)?.[1])).toEqual([
      "cards",
      "cards-outcome",
    ]);
  });
});
