import { Api } from "grammy";
import { describe, expect, it } from "vitest";
import { chatKey, type ChatKey } from "../../src/core/chat.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import type { SendLimits } from "../../src/core/ports.ts";
import { deliverChat } from "../../src/delivery/deliver-chat.ts";
import { createDeliveryWorker } from "../../src/queue/delivery-worker.ts";
import { createWaker, type Waker } from "../../src/queue/waker.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createChatMoves } from "../../src/store/turns/chat-moves.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { createPace } from "../../src/store/limits/pace.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import { TelegramSender } from "../../src/bots/telegram/send/sender.ts";
import { leaseMs, newChat, notice, storeOn, uniqueId, until } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { TelegramServer } from "../emulators/telegram/telegram-server.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import {
  answer,
  deliverAll,
  deliveryDeps,
  draftOf,
  letTimePass,
  log,
  never,
  writeDraft,
} from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);

/** Two at once, and nothing more for ten minutes. */
const twoAtOnce: SendLimits = {
  bot: { count: 3, perMs: 600_000, burst: 2 },
  chat: () => undefined,
};

function setup(limits = twoAtOnce) {
  const sender = new ScriptedSender();
  const pace = createPace(store, uniqueId(), limits);
  return { sender, deps: deliveryDeps(outbox, sender, { pace }) };
}

const patient = (text: string): OutboxEntry => ({
  kind: "notice",
  v: 1,
  id: text,
  text,
  patient: true,
});

const stateOf = (chat: ChatKey) => redis.hgetall(chatKeys(chat).state);

describe("where a bot has no slot", () => {
  it("an entry waits without having failed, and those behind it keep their order", async () => {
    const { sender, deps } = setup();
    const chat = newChat();
    for (const text of ["a", "b|c", "d"]) await inbox.post(chat, notice(text, text));
    expect((await deliverAll(deps, chat)).type).toBe("later");
    expect(sender.texts).toEqual(["a", "b"]);
    const ledger = await redis.hgetall(`${chatKeys(chat).sentPrefix}b|c`);
    expect(ledger).toEqual({ m0: "2", done: "1", queued: expect.stringMatching(/^\d{13}$/) });
    // Its turn stands in the wake index and in what `open` honours.
    const { "out:notBefore": notBefore } = await stateOf(chat);
    expect(Number(notBefore)).toBeGreaterThan(Date.now() + 60_000);
    const { pace, ...unpaced } = deps;
    expect(pace).toBeDefined();
    await letTimePass(redis, chat);
    await deliverAll(unpaced, chat);
    expect(sender.texts).toEqual(["a", "b", "c", "d"]);
    expect(sender.requests.some(({ options }) => options.repeated)).toBe(false);
  });

  it("a part that has waited for its slot gives the next part no right to one", async () => {
    const { sender, deps } = setup();
    const chat = newChat();
    await inbox.post(chat, notice("a|b", "a|b"));
    const key = `${chatKeys(chat).sentPrefix}a|b`;
    await redis.hset(key, { queued: "1" });
    const known: (string | null)[] = [];
    sender.onRequest = async () => {
      known.push(await redis.hget(key, "queued"));
    };
    await deliverAll(deps, chat);
    expect(sender.texts).toEqual(["a", "b"]);
    expect(known).toEqual(["1", null]);
  });

  it("a draft is left out, and the answer that comes meanwhile is not held up by it", async () => {
    const { sender, deps } = setup();
    const [busy, chat] = [newChat(), newChat()];
    await inbox.post(busy, notice("a", "a"));
    await deliverAll(deps, busy);
    await writeDraft(redis, chat, draftOf("turn-1", "half"));
    const result = await deliverAll(deps, chat);
    expect(result.type).toBe("later");
    expect(sender.texts).toEqual(["a"]);
    // Not asked for again before its time.
    const again = await deliverAll(deps, chat);
    if (again.type !== "later" || result.type !== "later") throw new TypeError(again.type);
    expect(again.inMs).toBeLessThanOrEqual(result.inMs);
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "whole"));
    expect(await deliverAll(deps, chat)).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "whole"]);
  });

  it("a refusal gives way to others' answers, and goes out when there is room", async () => {
    const { sender, deps } = setup();
    const [busy, stranger, member] = [newChat(), newChat(), newChat()];
    await inbox.post(busy, notice("a", "a"));
    await deliverAll(deps, busy);
    await inbox.post(stranger, patient("refused"));
    expect((await deliverAll(deps, stranger)).type).toBe("later");
    await inbox.post(member, answer("turn-1", "yes"));
    expect(await deliverAll(deps, member)).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "yes"]);
    const { pace, ...unpaced } = deps;
    expect(pace).toBeDefined();
    await letTimePass(redis, stranger);
    await deliverAll(unpaced, stranger);
    expect(sender.texts).toEqual(["a", "yes", "refused"]);
  });

  it("a reply to a command gives way to an answer in its own chat, too", async () => {
    const { sender, deps } = setup();
    const chat = newChat();
    for (const text of ["1", "2", "3"]) await inbox.post(chat, patient(text));
    expect((await deliverAll(deps, chat)).type).toBe("later");
    expect(sender.texts).toEqual(["1"]);
    // The replies wait for their slots, and nothing else has to.
    await inbox.post(chat, answer("turn-1", "yes"));
    expect((await deliverAll(deps, chat)).type).toBe("later");
    expect(sender.texts).toEqual(["1", "yes"]);
    // They are not asked for again before their time.
    const state = await stateOf(chat);
    await inbox.post(chat, patient("4"));
    expect((await deliverAll(deps, chat)).type).toBe("later");
    expect(await stateOf(chat)).toMatchObject({
      "out:notBefore": state["out:notBefore"],
    });
    const { pace, ...unpaced } = deps;
    expect(pace).toBeDefined();
    await letTimePass(redis, chat);
    await deliverAll(unpaced, chat);
    expect(sender.texts).toEqual(["1", "yes", "2", "3", "4"]);
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(0);
  });

  it("an answer overtakes a hundred replies, but none that has begun, and no pause that the platform asks for", async () => {
    const { sender, deps } = setup({
      bot: { count: 1_001, perMs: 1_000, burst: 1_000 },
      chat: () => undefined,
    });
    const chat = newChat();
    sender.faults.push(undefined, "retry");
    await inbox.post(chat, patient("half|done"));
    for (let index = 1; index <= 100; index += 1) await inbox.post(chat, patient(`${index}`));
    expect((await deliverAll(deps, chat)).type).toBe("later");
    await inbox.post(chat, answer("turn-1", "yes"));
    expect((await deliverAll(deps, chat)).type).toBe("later");
    expect(sender.texts).toEqual(["half"]);
    await letTimePass(redis, chat);
    await deliverAll(deps, chat);
    expect(sender.texts.slice(0, 5)).toEqual(["half", "done", "yes", "1", "2"]);
    expect(sender.texts).toHaveLength(103);
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(0);
  });

  it("someone's answers in many groups give way to another's", async () => {
    const sixAtOnce = { count: 7, perMs: 600_000, burst: 6 };
    const { sender, deps } = setup({ ...twoAtOnce, bot: sixAtOnce });
    const groups = Array.from({ length: 10 }, () => newChat());
    for (const [index, group] of groups.entries()) {
      const text = `flood ${index}`;
      await inbox.post(group, { ...answer("turn-1", text), person: "flood" });
      await deliverAll(deps, group);
    }
    const theirs = groups.slice(0, 5).map((_, index) => `flood ${index}`);
    expect(sender.texts).toEqual(theirs);
    const group = newChat();
    await inbox.post(group, { ...answer("turn-1", "yes"), person: "quiet" });
    expect(await deliverAll(deps, group)).toEqual({ type: "done" });
    expect(sender.texts).toEqual([...theirs, "yes"]);
  });

  it("no one is shown that someone works on it", async () => {
    const { sender, deps } = setup();
    const chat = newChat();
    await writeDraft(redis, chat, draftOf("turn-1", ""));
    await deliverAll(deps, chat);
    await deliverAll(deps, chat);
    expect(sender.did).toEqual(["typing "]);
  });

  it("because the platform refuses the whole bot every chat waits", async () => {
    const { sender, deps } = setup({
      ...twoAtOnce,
      bot: { count: 60, perMs: 600_000, burst: 50 },
    });
    const [first, second] = [newChat(), newChat()];
    sender.wholeBot = true;
    sender.retryAfterMs = 300_000;
    sender.faults.push("retry");
    await inbox.post(first, notice("a", "a"));
    await inbox.post(second, notice("b", "b"));
    expect((await deliverAll(deps, first)).type).toBe("later");
    const result = await deliverAll(deps, second);
    if (result.type !== "later") throw new Error(result.type);
    expect(result.inMs).toBeGreaterThan(200_000);
    expect(sender.did).toEqual(["send a"]);
  });
});

describe("a chat that has spent its own limit", () => {
  it.each(["preview", "final", "waited"] as const)(
    "makes no one else wait for it, though its %s waits for the bot, too",
    async (request) => {
      const minuteMs = 60_000;
      const pace = createPace(store, uniqueId(), {
        bot: { count: 61, perMs: 60 * minuteMs, burst: 1 },
        chat: ({ chat }) =>
          chat === "group" ? { count: 2, perMs: 600 * minuteMs, burst: 1 } : undefined,
      });
      const ask = async (chat: string) => {
        const address = { platform: "telegram", bot: "1", chat } as const;
        // Of someone else each time.
        const waitMs = await pace.ask(address, request, uniqueId());
        return Math.round(waitMs / minuteMs);
      };
      expect(await ask("group")).toBe(0);
      expect(await ask("a")).toBe(1);
      expect(await ask("group")).toBe(600);
      // The group has kept its place behind the first, and others follow it at once.
      expect(await ask("b")).toBe(3);
      expect(await ask("c")).toBe(4);
    },
  );
});

const recorded = () => {
  const names: string[] = [];
  const recording: Store = {
    ...store,
    run(name, keys, values) {
      names.push(`${name} ${name === "pace" ? String(values[0]) : ""}`.trim());
      return store.run(name, keys, values);
    },
  };
  const sender = new ScriptedSender();
  const deps = deliveryDeps(createOutboxStore(recording, leaseMs), sender, {
    pace: createPace(recording, uniqueId(), {
      bot: { count: 100, perMs: 1_000, burst: 50 },
      chat: () => undefined,
    }),
  });
  return { names, sender, deps };
};

const broken = () => Promise.reject(new Error("no such slot"));

describe("an idle bot", () => {
  it("asks for slots next to what it writes anyway: no round trip more", async () => {
    const { names, sender, deps } = recorded();
    const chat = newChat();
    await inbox.post(chat, notice("a", "a|b"));
    const delivering = deliverChat(deps, chat, never);
    expect(names).toEqual(["open", "pace spare"]);
    await delivering;
    expect(names).toEqual(["open", "pace spare", "receipt", "pace spare", "receipt"]);
    expect(sender.texts).toEqual(["a", "b"]);
  });

  it("gives back what it did not need", async () => {
    const { names, deps } = recorded();
    await deliverAll(deps, newChat());
    expect(names).toEqual(["open", "pace spare", "pace back"]);
  });

  it("sends, too, when its pace cannot be asked for", async () => {
    const { sender, deps } = recorded();
    const chat = newChat();
    await inbox.post(chat, notice("a", "a"));
    const pace = { ask: broken, release: broken, hold: broken };
    expect(await deliverAll({ ...deps, pace }, chat)).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a"]);
  });
});

describe("three processes of one bot", () => {
  it("together keep to what Telegram bears, and send everything in order", async () => {
    await using telegram = await TelegramServer.start();
    const chats = Array.from({ length: 24 }, (_, index) => {
      const person = telegram.person({ firstName: `P${index}` });
      return telegram.privateChat(person);
    });
    const keyOf = ({ id }: { id: number }) =>
      chatKey({
        platform: "telegram",
        bot: String(telegram.bot.id),
        chat: String(id),
      });
    const texts = ["one", "two", "three"];
    for (const chat of chats)
      for (const text of texts) await inbox.post(keyOf(chat), notice(text, text));

    await using parts = new AsyncDisposableStack();
    const before = Date.now();
    const wakers = await Promise.all([1, 2, 3].map(() => startProcess(telegram, parts)));
    await Promise.all(
      chats.map((chat, index) => (wakers[index % 3] as Waker).wake("delivery", keyOf(chat))),
    );
    await until(() => telegram.callsOf("sendMessage").length >= 3 * chats.length, "all messages");

    for (const chat of chats)
      expect(telegram.botMessages(chat).map(({ text }) => text)).toEqual(texts);
    const arrivals = telegram.callsOf("sendMessage").map(({ atMs }) => atMs);
    expect(arrivals).toHaveLength(3 * chats.length);
    // Whatever had arrived by some moment had been granted since the beginning.
    for (const [index, atMs] of arrivals.entries())
      expect(index + 1).toBeLessThanOrEqual(7 + ((atMs - before) / 1_000) * 24);
    expect(telegram.violations).toEqual([]);
  });
});

/** What delivers in a process of its own: connections, queue, sender. */
async function startProcess(telegram: TelegramServer, parts: AsyncDisposableStack) {
  const own = storeOn(server);
  const { token, apiRoot } = telegram;
  const api = new Api(token, { apiRoot });
  const bot = `telegram:${telegram.bot.id}`;
  const sender = new TelegramSender({
    api,
    log,
    signal: never,
    moves: createChatMoves(own, bot),
    nativeDrafts: false,
    richMessages: false,
  });
  const waker = parts.use(createWaker({ store: own, log }));
  const deps = deliveryDeps(createOutboxStore(own, leaseMs), sender, {
    pace: createPace(own, bot, sender.limits),
  });
  parts.use(
    createDeliveryWorker({
      connection: own.redis,
      bot,
      concurrency: 100,
      drain: (chat, signal) => deliverChat(deps, chat, signal),
      waker,
      signal: never,
      log,
    }),
  );
  return waker;
}
