import { describe, expect, it } from "vitest";
import { loadSettings } from "../../src/config/load.ts";
import { createServices } from "../../src/services.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { leaseMs, newChat, notice, storeOn } from "../store/support.ts";
import { recordedMetrics } from "../support/monitoring/recorded-metrics.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import { deliverAll, deliveryDeps, letTimePass, log } from "./support.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);

function counting() {
  const { metrics, counted } = recordedMetrics();
  const sender = new ScriptedSender();
  const chat = newChat();
  const deps = deliveryDeps(outbox, sender, { metrics });
  const ends = () =>
    counted.flatMap(([name, given]) =>
      name === "delivered"
        ? [given as { outcome: string; elapsedMs: number; reason?: string }]
        : [],
    );
  return { sender, chat, counted, ends, deliver: () => deliverAll(deps, chat) };
}

describe("a delivery", () => {
  it("is counted at its end: sent, refused, or given up", async () => {
    const { sender, chat, ends, deliver } = counting();
    for (const text of ["a|b", "c", "d"]) await inbox.post(chat, notice(text, text));
    sender.faults.push(undefined, undefined, "refused", "retry");
    await deliver();
    expect(ends().map(({ outcome }) => outcome)).toEqual(["sent", "refused"]);
    // Its third try, a day after the first.
    const ledger = `${chatKeys(chat).sentPrefix}d`;
    await redis.hset(ledger, { since: Date.now() - 86_400_000, tries: 2 });
    sender.faults.push("retry");
    await letTimePass(redis, chat);
    await deliver();
    expect(ends().map(({ outcome }) => outcome)).toEqual(["sent", "refused", "failed"]);
  });

  it("that is refused is counted with the reason, where the platform has given one", async () => {
    const { sender, chat, ends, deliver } = counting();
    for (const [id, reason] of [["a"], ["b", "moderated"], ["c", "closed"]] as const) {
      await inbox.post(chat, notice(id, id));
      sender.reason = reason;
      sender.faults.push("refused");
      await deliver();
    }
    expect(ends().map(({ reason }) => reason)).toEqual([undefined, "moderated", "closed"]);
  });

  it("takes as long as its tries together", async () => {
    const { sender, chat, ends, deliver } = counting();
    await inbox.post(chat, notice("a", "a"));
    sender.faults.push("retry");
    await deliver();
    await redis.hset(`${chatKeys(chat).sentPrefix}a`, "since", Date.now() - 60_000);
    await letTimePass(redis, chat);
    await deliver();
    const [end] = ends();
    expect(end?.outcome).toBe("sent");
    expect(end?.elapsedMs).toBeGreaterThanOrEqual(60_000);
  });

  it("that an earlier version put off begins now, not at the epoch", async () => {
    const { chat, ends, deliver } = counting();
    await inbox.post(chat, notice("a", "a"));
    await redis.hset(`${chatKeys(chat).sentPrefix}a`, "queued", "1");
    await deliver();
    expect(ends()[0]?.elapsedMs).toBeLessThan(60_000);
  });

  it("that the platform's limit puts off is counted as throttled, other failures are not", async () => {
    const { sender, chat, counted, deliver } = counting();
    await inbox.post(chat, notice("a", "a"));
    sender.faults.push("retry");
    await deliver();
    expect(counted.filter(([name]) => name === "throttled")).toEqual([]);
    sender.throttled = true;
    sender.faults.push("retry");
    await letTimePass(redis, chat);
    await deliver();
    expect(counted.filter(([name]) => name === "throttled")).toEqual([["throttled", "telegram"]]);
  });

  it("from an owner that stopped is a takeover", async () => {
    const { chat, counted, deliver } = counting();
    await inbox.post(chat, notice("a", "a"));
    await createOutboxStore(store, 1).open(chat);
    await expect.poll(async () => (await deliver()).type, { interval: 5 }).toBe("done");
    expect(counted.filter(([name]) => name === "leaseTakenOver")).toHaveLength(1);
  });
});

it("a chat that dies by a refusal, or by its platform's news, is counted by platform", async () => {
  const { metrics, counted } = recordedMetrics();
  const settings = loadSettings({ environment: {}, workingFolder: "/nowhere" });
  const services = createServices(settings, { log, metrics }, store);
  const [refused, reported] = [newChat(), newChat()];
  const sender = new ScriptedSender();
  sender.isChatDead = true;
  sender.faults.push("refused");
  await inbox.post(refused, notice("a", "a"));
  await deliverAll(deliveryDeps(services.outbox, sender), refused);
  await redis.hset(chatKeys(reported).state, "revision", 1);
  await services.deadChats.mark(reported, { isDead: true });
  expect(counted).toEqual([
    ["chatDied", "telegram"],
    ["chatDied", "telegram"],
  ]);
});
