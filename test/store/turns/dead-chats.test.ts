import { describe, expect, it } from "vitest";
import { chatKey, type ChatKey } from "../../../src/core/chat.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createDeadChats } from "../../../src/store/turns/dead-chats.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { createSchedules, planMember } from "../../../src/store/turns/schedules.ts";
import { answer } from "../../delivery/support.ts";
import { leaseMs, newChat, retentionMs, scheduleIn, storeOn } from "../support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const deadChats = createDeadChats(store, (chat) => void died.push(chat));
const outbox = createOutboxStore(store, leaseMs, deadChats);
const inbox = createInbox(store, { whileBusy: "followup" });
const schedules = createSchedules(store, { retentionMs, report: () => undefined });

/** One delivery of a chat, and its end. */
async function deliver(chat: ChatKey, end: "sent" | "refused" | "dead" | "nothing"): Promise<void> {
  const id = `turn-${Math.random()}`;
  await inbox.post(chat, answer(id, "hi"));
  const opened = await outbox.open(chat);
  if (opened.type !== "open") throw new Error("there is nothing to send");
  const dead = { why: "refused", cause: "no", doubtful: false } as const;
  await outbox.write(opened.session, {
    id,
    fields: end === "sent" ? { m0: "7", done: "1" } : {},
    finished: true,
    release: {},
    ...(end === "refused" ? { dead } : {}),
    ...(end === "dead" ? { dead: { ...dead, isChatDead: true } } : {}),
  });
}
/** The chats that were found dead, in order. */
const died: ChatKey[] = [];
const isDead = async (chat: ChatKey) => (await deadChats.since(chat)) !== undefined;
const scoreOf = async (chat: ChatKey, member: string) =>
  Number(await redis.zscore(chatKeys(chat).wake, member));

describe("a chat", () => {
  it("is dead after three refusals in a row, or a sure one, until something arrives", async () => {
    const chat = newChat();
    for (const end of ["refused", "refused", "sent", "refused", "nothing", "refused"] as const)
      await deliver(chat, end);
    expect(await isDead(chat)).toBe(false);
    await deliver(chat, "refused");
    expect(await isDead(chat)).toBe(true);
    // An entry with nothing to send proves nothing.
    await deliver(chat, "nothing");
    expect(await isDead(chat)).toBe(true);
    await deliver(chat, "sent");
    expect(await isDead(chat)).toBe(false);
    await deliver(chat, "dead");
    expect(await isDead(chat)).toBe(true);
    await deliver(chat, "sent");
    expect(await redis.exists(chatKeys(chat).state)).toBe(0);
  });

  it("is counted once each time that it dies, by any sign", async () => {
    const chat = newChat();
    const deaths = () => died.filter((each) => each === chat).length;
    for (const end of ["refused", "refused"] as const) await deliver(chat, end);
    expect(deaths()).toBe(0);
    for (const end of ["refused", "refused", "dead"] as const) await deliver(chat, end);
    await deadChats.mark(chat, { isDead: true });
    expect(deaths()).toBe(1);
    await deliver(chat, "sent");
    expect(deaths()).toBe(1);
    await redis.hset(chatKeys(chat).state, "revision", 3);
    for (let times = 0; times < 2; times += 1) await deadChats.mark(chat, { isDead: true });
    expect(deaths()).toBe(2);
    await deadChats.mark(chat, { isDead: false });
    await deliver(chat, "dead");
    expect(deaths()).toBe(3);
  });

  it("without turns doesn't keep its mark for ever; one with turns is kept as before", async () => {
    const [idle, talking] = [newChat(), newChat()];
    await redis.hset(chatKeys(talking).state, "revision", 3);
    for (const chat of [idle, talking]) await deliver(chat, "dead");
    expect(await redis.pttl(chatKeys(idle).state)).toBeGreaterThan(0);
    expect(await redis.pttl(chatKeys(talking).state)).toBe(-1);
  });

  it("has its schedules looked at when it dies and when it lives again", async () => {
    const chat = newChat();
    const planned = scheduleIn(chat, { id: "active" });
    await schedules.save(chat, planned);
    await deliver(chat, "dead");
    const member = planMember(chat, "active");
    expect(await scoreOf(chat, member)).toBeLessThanOrEqual(store.clock.now() + 1_000);
    const { nextMs: _, ...rests } = { ...planned, revision: 1, pausedWhy: "dead" } as const;
    expect(await schedules.save(chat, rests)).toBe("saved");
    expect(await redis.zscore(chatKeys(chat).wake, member)).toBeNull();
    expect(await schedules.read(chat, "active")).toMatchObject({ pausedWhy: "dead" });
    await deliver(chat, "sent");
    expect(await scoreOf(chat, member)).toBeLessThanOrEqual(store.clock.now() + 1_000);
    expect(await redis.zscore(chatKeys(chat).wake, member)).not.toBeNull();
  });

  it("ends what runs and waits only where its platform is sure", async () => {
    const [sure, unsure] = [newChat(), newChat()];
    for (const chat of [sure, unsure]) {
      await redis.hset(chatKeys(chat).state, { inBase: 4, turn: 4, state: "{}", revision: 1 });
      await redis.rpush(chatKeys(chat).inbox, "{}", "{}");
    }
    for (let count = 0; count < 3; count += 1) await deliver(unsure, "refused");
    await deliver(sure, "dead");
    expect(await redis.hget(chatKeys(sure).state, "stop")).toBe("6");
    expect(await redis.hget(chatKeys(unsure).state, "stop")).toBeNull();
    expect(await isDead(unsure)).toBe(true);
  });
});

const of = (chat: string, thread?: string, bot = "77") =>
  chatKey({ platform: "telegram", bot, chat, ...(thread === undefined ? {} : { thread }) });

it("news of a platform reach each chat of the place, and no other", async () => {
  const here = [of("-5"), of("-5", "8"), of("-5", "9")];
  const others = [of("-55"), of("-5", undefined, "78"), of("-6", "5")];
  for (const chat of [...here, ...others]) await redis.hset(chatKeys(chat).state, "turn", 1);
  const marked = async () => Promise.all([...here, ...others].map(isDead));
  const place = { bot: "telegram:77", chats: ["-5"] };
  await deadChats.note({ ...place, thread: "8", isReachable: false });
  expect(await marked()).toEqual([false, true, false, false, false, false]);
  await deadChats.note({ ...place, isReachable: false });
  expect(await marked()).toEqual([true, true, true, false, false, false]);
  await deadChats.note({ ...place, isReachable: true });
  expect(await marked()).toEqual(Array(6).fill(false));

  const channel = chatKey({ platform: "discord", bot: "9", chat: "100" });
  await schedules.save(channel, scheduleIn(channel, { guild: "1" }));
  const unknown = { bot: "discord:9", chats: [], isReachable: false };
  await deadChats.note({ ...unknown, guild: "2" });
  expect(await isDead(channel)).toBe(false);
  await deadChats.note({ ...unknown, guild: "1" });
  expect(await isDead(channel)).toBe(true);
  // A chat that isn't known needs no mark.
  await deadChats.note({ bot: "telegram:77", chats: ["-7"], thread: "1", isReachable: false });
  expect(await redis.exists(chatKeys(of("-7", "1")).state)).toBe(0);
});
