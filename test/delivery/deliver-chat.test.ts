import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { askingEntry, cardOf, outcomeEntry } from "../../src/core/outbox.ts";
import type { SendOutcome, Sender } from "../../src/core/ports.ts";
import { deliverChat } from "../../src/delivery/deliver-chat.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { approvalKey, chatKeys, configKey } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { asking } from "../store/asking.ts";
import {
  approvalOf,
  begun,
  committed,
  expireLease,
  finishing,
  keysOf,
  leaseMs,
  message,
  newChat,
  notice,
  storeOn,
  turnStoreOn,
  until,
  wakeMembers,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import {
  answer,
  card,
  deliverAll,
  deliveryDeps,
  draftOf,
  letTimePass,
  never,
  resolution,
  writeDraft,
} from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const turns = turnStoreOn(store);

const setup = (options: { deduplicates?: boolean; deduplicatesForMs?: number } = {}) => {
  const sender = new ScriptedSender(options);
  const chat = newChat();
  const deps = deliveryDeps(outbox, sender);
  return { sender, chat, deps, deliver: () => deliverAll(deps, chat) };
};

const ledgerOf = (chat: ChatKey, id: string) => redis.hgetall(`${chatKeys(chat).sentPrefix}${id}`);

const post = async (chat: ChatKey, ...texts: string[]) => {
  for (const text of texts) await inbox.post(chat, notice(text, text));
};

/** Drafts in this chat are fleeting; `show` has these outcomes, in order. */
function withFleeting(sender: Sender, outcomes: readonly ("sent" | "unknown" | "refused")[]): void {
  const left = [...outcomes];
  const show = (): Promise<SendOutcome> => {
    const type = left.shift();
    if (type === undefined) throw new Error("no outcome is left");
    return Promise.resolve(
      type === "sent" ? { type, messageId: "draft" } : { type, cause: "planned" },
    );
  };
  Object.assign(sender, { fleeting: { has: () => true, showAgainMs: 60_000, show } });
}

const lostTimes = (count: number) => Array<"lost">(count).fill("lost");

describe("an outbox", () => {
  it("is sent in order, each entry once, and leaves nothing but ledgers that end", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a", "b|c", "d");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "b", "c", "d"]);
    expect(await keysOf(redis, chat)).toEqual(["seen", "sent:a", "sent:b|c", "sent:d"]);
    for (const id of ["a", "b|c", "d"])
      expect(await redis.pttl(`${chatKeys(chat).sentPrefix}${id}`)).toBeGreaterThan(0);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toHaveLength(4);
  });

  it("of more than one session's entries is handed on, so that others get their turn", async () => {
    const { sender, chat, deps, deliver } = setup();
    const texts = Array.from({ length: 45 }, (_, index) => `n${index}`);
    await post(chat, ...texts);
    expect(await deliverChat(deps, chat, never)).toEqual({ type: "again" });
    expect(sender.texts).toHaveLength(20);
    await deliver();
    expect(sender.texts).toEqual(texts);
  });

  it("is sent by one at a time, who is told that others came meanwhile", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a", "b");
    const results = await Promise.all(
      Array.from({ length: 20 }, () => deliverChat(deps, chat, never)),
    );
    // They may know of a draft that was not there yet.
    expect(results.filter(({ type }) => type === "again")).toHaveLength(1);
    expect(results.filter(({ type }) => type === "later")).toHaveLength(19);
    expect(sender.texts).toEqual(["a", "b"]);
    expect(await deliverChat(deps, chat, never)).toEqual({ type: "done" });
    expect(await wakeMembers(redis, chat)).toEqual([]);
  });

  it("gives every chunk a name of its own, the same at every attempt, and answers what was asked", async () => {
    const { sender, chat, deps, deliver } = setup();
    await inbox.post(chat, { ...answer("turn-1", "x|y"), replyTo: "55" });
    sender.faults.push("retry");
    await deliver();
    await letTimePass(redis, chat);
    await deliverAll(deps, chat);
    const [first, again, second] = sender.requests.map(({ options }) => options);
    expect(first?.nonce).toBe(again?.nonce);
    expect(second?.nonce).not.toBe(first?.nonce);
    expect(first?.nonce?.length).toBeLessThanOrEqual(25);
    expect(again).toMatchObject({ replyTo: "55", final: true });
    expect(second).not.toHaveProperty("replyTo");
    expect(again).not.toHaveProperty("repeated");
  });
});

describe("a failed request", () => {
  it("that asks for time delays its chat, and no other", async () => {
    const { sender, chat, deps, deliver } = setup();
    const other = newChat();
    await post(chat, "a");
    sender.faults.push("retry");
    sender.retryAfterMs = 60_000;
    const before = Date.now();
    const result = await deliver();
    if (result.type !== "later") throw new Error(result.type);
    expect(result.inMs).toBe(60_000);
    const score = Number(await redis.zscore(chatKeys(chat).wake, `out:${chat}`));
    expect(score).toBeGreaterThanOrEqual(before + 60_000);
    // More to say changes nothing about it, no matter which process tries.
    await post(chat, "b");
    expect((await deliver()).type).toBe("later");
    expect(Number(await redis.zscore(chatKeys(chat).wake, `out:${chat}`))).toBeGreaterThanOrEqual(
      before + 59_000,
    );
    await post(other, "c");
    expect(await deliverAll(deps, other)).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["c"]);
    await letTimePass(redis, chat);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["c", "a", "b"]);
  });

  it("delays by Redis' clock, whatever this process' clock says", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a");
    sender.faults.push("retry");
    sender.retryAfterMs = 1_000;
    const wrong = { ...deps, now: () => Date.now() + 86_400_000 };
    await deliverAll(wrong, chat);
    const at = Number(await redis.hget(chatKeys(chat).state, "out:notBefore"));
    expect(Math.abs(at - Date.now() - 1_000)).toBeLessThan(900);
  });

  it("that is final does not hold up what comes behind it", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a|a2", "b");
    sender.faults.push("refused");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["b"]);
    expect(await ledgerOf(chat, "a|a2")).toEqual({ refused: "blocked" });
    expect(await wakeMembers(redis, chat)).toEqual([]);
  });

  it("of unknown fate is repeated once, and says so", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a|b", "c");
    sender.faults.push(undefined, "arrived");
    expect((await deliver()).type).toBe("later");
    await letTimePass(redis, chat);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "b", "+b", "c"]);
  });

  it("of unknown fate is repeated in the language of the person it is for", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, { ...notice("n1", "a"), language: "ru" });
    await post(chat, "b");
    sender.faults.push("arrived", undefined, "arrived");
    for (let times = 0; times < 3; times += 1) {
      await deliver();
      await letTimePass(redis, chat);
    }
    expect(sender.texts).toEqual(["a", "+a", "b", "+b"]);
    expect(sender.requests.map(({ options }) => options.language)).toEqual([
      undefined,
      "ru",
      undefined,
      undefined,
    ]);
  });

  it("of unknown fate five times is left at that, and the rest is sent", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a|b|c", "d");
    sender.faults.push(undefined, ...lostTimes(5));
    for (let attempt = 0; attempt < 4; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "c", "d"]);
    expect(sender.requests.filter(({ text }) => text === "b")).toHaveLength(5);
  });

  it("of unknown fate waits longer each time, so that an outage of minutes loses nothing", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a");
    sender.faults.push(...lostTimes(4));
    const waits: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const result = await deliver();
      if (result.type !== "later") throw new TypeError(result.type);
      waits.push(Math.round(result.inMs / 5_000) * 5);
      await letTimePass(redis, chat);
    }
    expect(waits).toEqual([0, 30, 60, 120]);
  });

  it("of unknown fate four times arrives at the fifth, and each part has five of its own", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a|b");
    sender.faults.push(...lostTimes(4), undefined, ...lostTimes(4));
    for (let attempt = 0; attempt < 8; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["+a", "+b"]);
  });

  it("of unknown fate takes nothing from those of the part behind one that was left", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a|b");
    sender.faults.push(...lostTimes(5), ...lostTimes(4));
    for (let attempt = 0; attempt < 8; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["+b"]);
  });

  it("of unknown fate is still unknown after one that certainly failed", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a");
    sender.faults.push("arrived", "retry");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "+a"]);
  });

  it("of unknown fate is simply repeated where the platform deduplicates", async () => {
    const { sender, chat, deliver } = setup({ deduplicates: true });
    await post(chat, "a", "b");
    sender.faults.push("arrived", "lost", "arrived");
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    await deliver();
    expect(sender.texts).toEqual(["a", "b"]);
  });
});

const threeMinutesAgo = async (chat: ChatKey) => {
  const { state } = chatKeys(chat);
  expect(await redis.hexists(state, "out:doubtAt")).toBe(1);
  await redis.hset(state, "out:doubtAt", Date.now() - 180_000);
};

describe("a platform that forgets nonces", () => {
  const forgetful = { deduplicates: true, deduplicatesForMs: 120_000 };
  it("is asked again with the same while it knows it", async () => {
    const { sender, chat, deliver } = setup(forgetful);
    await post(chat, "a");
    sender.faults.push("arrived");
    await deliver();
    await letTimePass(redis, chat);
    await deliver();
    expect(sender.texts).toEqual(["a"]);
  });

  it("gets a labelled message under a new one later, and then no other", async () => {
    const { sender, chat, deliver } = setup(forgetful);
    await post(chat, "a", "b");
    sender.faults.push("arrived", "arrived", ...lostTimes(4));
    await deliver();
    await threeMinutesAgo(chat);
    const doubtAt = () => redis.hget(chatKeys(chat).state, "out:doubtAt");
    const first = await doubtAt();
    // The first of several is the one that it may have forgotten.
    sender.deduplicatesForMs = Infinity;
    await letTimePass(redis, chat);
    await deliver();
    expect(await doubtAt()).toBe(first);
    sender.deduplicatesForMs = 120_000;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await letTimePass(redis, chat);
      expect((await deliver()).type).toBe("later");
    }
    await letTimePass(redis, chat);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "b"]);
    const nonces = sender.requests.map(({ options }) => options.nonce);
    expect(nonces[1]).toBe(nonces[0]);
    expect(new Set(nonces.slice(2, 6)).size).toBe(1);
    expect(nonces[2]).not.toBe(nonces[0]);
    expect(sender.requests[2]?.options.repeated).toBe(true);
    expect(await redis.hgetall(chatKeys(chat).state)).toEqual({});
  });

  it("gets a labelled one, too, when the process that sent the first died long ago", async () => {
    const { sender, chat, deliver } = setup(forgetful);
    await post(chat, "a");
    await abandon(chat);
    await deliver();
    expect(sender.texts).toEqual(["+a"]);
  });

  it("gets no second draft later; the answer says that it may be a repetition", async () => {
    const { sender, chat, deps, deliver } = setup(forgetful);
    await writeDraft(redis, chat, draftOf("turn-1", "half"));
    sender.faults.push("arrived");
    const past = { ...deps, now: () => Date.now() - 180_000 };
    await deliverAll(past, chat);
    await writeDraft(redis, chat, draftOf("turn-1", "half an ans"));
    await deliver();
    expect(sender.texts).toEqual(["half"]);
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "the answer"));
    await deliver();
    expect(sender.texts).toEqual(["half", "+the answer"]);
  });
});

const turn = async (chat: ChatKey) => {
  await inbox.append(chat, message("m1"));
  return await begun(turns, chat);
};

describe("who is turned away while someone sends", () => {
  it.each([
    ["an answer", (chat: ChatKey) => post(chat, "a")],
    ["a draft", (chat: ChatKey) => writeDraft(redis, chat, draftOf("turn-2", "ha"))],
  ])("%s has the sender look once more: there is a newer draft", async (_, write) => {
    const { sender, chat, deps, deliver } = setup();
    await write(chat);
    const slow = Promise.withResolvers<void>();
    sender.onRequest = () => slow.promise;
    const sent = deliverChat(deps, chat, never);
    await until(() => sender.requests.length === 1);
    await writeDraft(redis, chat, draftOf("turn-2", "half"));
    expect(await deliverChat(deps, chat, never)).toMatchObject({
      type: "later",
    });
    slow.resolve();
    expect(await sent).toEqual({ type: "again" });
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts.at(-1)).toBe("half");
    // A process that comes now was not turned away by another.
    expect(await deliver()).toEqual({ type: "done" });
    expect(await wakeMembers(redis, chat)).toEqual([]);
  });

  it("is not remembered where no one has it, and it only has to wait", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a");
    sender.faults.push("retry");
    for (let look = 0; look < 2; look += 1)
      expect(await deliverChat(deps, chat, never)).toMatchObject({
        type: "later",
      });
    const { state } = chatKeys(chat);
    expect(await redis.hget(state, "out:notBefore")).not.toBeNull();
    expect(await redis.hget(state, "out:again")).toBeNull();
  });
});

describe("a draft", () => {
  it("is one message that grows and becomes the answer", async () => {
    const { sender, chat, deliver } = setup();
    const open = await turn(chat);
    for (const text of ["a", "a b", "a b c"]) {
      await turns.draft(open.session, draftOf("turn-1", text));
      await deliver();
    }
    await committed(turns, open, {
      ...finishing(1),
      outbox: [answer("turn-1", "a b c d|e")],
    });
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a b c d", "e"]);
    expect(sender.did).toEqual(["send a", "edit a b", "edit a b c", "edit a b c d", "send e"]);
    expect(sender.requests.map(({ options }) => options.final)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(await keysOf(redis, chat)).toEqual(["log", "seen", "sent:turn-1", "st"]);
  });

  it("is not edited when nothing changed, neither as a draft nor as the answer", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "same"));
    await deliver();
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "same|more"));
    await deliver();
    expect(sender.did).toEqual(["send same", "typing ", "send more"]);
  });

  it("of an answer that was stopped is replaced where it was seen, and nothing is sent where it wasn't", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, { ...answer("turn-1", "a b"), onlyIfSeen: true });
    await post(chat, "Stopped.");
    await deliver();
    expect(sender.did).toEqual(["send Stopped."]);
    await writeDraft(redis, chat, draftOf("turn-2", "c d"));
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, { ...answer("turn-2", "c d e"), onlyIfSeen: true });
    await deliver();
    expect(sender.did).toEqual(["send Stopped.", "send c d", "edit c d e"]);
  });

  it("whose fate is unknown is replaced when it is stopped, since it may be seen", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "a"));
    sender.faults.push("arrived");
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, { ...answer("turn-1", "a b"), onlyIfSeen: true });
    await deliver();
    expect(sender.texts).toEqual(["a", "+a b"]);
  });

  it.each([
    ["was shown", ["sent", "unknown"]],
    ["was shown, and its newest text refused", ["sent", "refused"]],
    ["may have been shown", ["unknown"]],
  ] as const)("that is fleeting and %s is followed by what was stopped", async (_, outcomes) => {
    const { sender, chat, deps, deliver } = setup();
    withFleeting(sender, outcomes);
    for (const [index] of outcomes.entries()) {
      await writeDraft(redis, chat, draftOf("turn-1", "a".repeat(index + 1)));
      await deliverAll(deps, chat);
    }
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, { ...answer("turn-1", "a b"), onlyIfSeen: true });
    await deliver();
    expect(sender.did.at(-1)).toBe("send a b");
  });

  it("that is fleeting and was refused leaves nothing to say of what was stopped", async () => {
    const { sender, chat, deliver } = setup();
    withFleeting(sender, ["refused"]);
    await writeDraft(redis, chat, draftOf("turn-1", "a"));
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, { ...answer("turn-1", "a b"), onlyIfSeen: true });
    await deliver();
    expect(sender.texts).toEqual([]);
  });

  it("whose answer was given up before its other parts is followed by them when it is stopped", async () => {
    const { sender, chat, deps } = setup();
    await inbox.post(chat, { ...answer("turn-1", "a|b"), onlyIfSeen: true });
    await redis.hset(`${chatKeys(chat).sentPrefix}turn-1`, { done: "1", doubt: "unknown" });
    await deliverAll(deps, chat);
    expect(sender.texts).toEqual(["b"]);
  });

  it("is edited at the platform's pace, and then to its newest text", async () => {
    const { sender, chat, deps } = setup();
    sender.intervalMs = 1_000;
    let nowMs = 5_000;
    const paced = { ...deps, now: () => nowMs };
    await writeDraft(redis, chat, draftOf("turn-1", "one"));
    await deliverAll(paced, chat);
    await writeDraft(redis, chat, draftOf("turn-1", "two"));
    nowMs += 400;
    expect(await deliverAll(paced, chat)).toEqual({
      type: "later",
      inMs: 600,
    });
    await writeDraft(redis, chat, draftOf("turn-1", "three"));
    nowMs = 6_000;
    await deliverAll(paced, chat);
    expect(sender.did).toEqual(["send one", "edit three"]);
  });

  it.each([-3_600_000, 3_600_000])("goes on when the clock is set by %i ms", async (byMs) => {
    const { sender, chat, deps } = setup();
    sender.intervalMs = 1_000;
    let nowMs = Date.now();
    const set = { ...deps, now: () => nowMs };
    await writeDraft(redis, chat, draftOf("turn-1", "one"));
    await deliverAll(set, chat);
    nowMs += byMs;
    await writeDraft(redis, chat, draftOf("turn-1", "two"));
    await deliverAll(set, chat);
    expect(sender.did).toEqual(["send one", "edit two"]);
  });

  it("without words shows that someone works on it", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", ""));
    await deliver();
    expect(sender.did).toEqual(["typing "]);
  });

  it("of an answer that is waiting or sent already is not shown", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, answer("turn-1", "final"));
    await writeDraft(redis, chat, draftOf("turn-1", "late preview"));
    await deliver();
    await deliver();
    expect(sender.texts).toEqual(["final"]);
  });

  it("comes behind everything that waits", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a", "b");
    await writeDraft(redis, chat, draftOf("turn-2", "preview"));
    await deliver();
    expect(sender.did).toEqual(["send a", "send b", "send preview"]);
  });

  it("that a person deleted is followed by the answer in a new message", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "preview"));
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "final"));
    sender.faults.push("gone");
    await deliver();
    expect(sender.did).toEqual(["send preview", "edit final", "send final"]);
    expect(sender.requests.at(-1)?.options).not.toHaveProperty("repeated");
  });

  it("whose fate is unknown is not sent again; the answer says that it may be a repetition", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "preview"));
    sender.faults.push("arrived");
    await deliver();
    await writeDraft(redis, chat, draftOf("turn-1", "preview grows"));
    await deliver();
    // Other news in between is not what may be repeated.
    await post(chat, "news");
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "final|rest"));
    await deliver();
    expect(sender.texts).toEqual(["preview", "news", "+final", "rest"]);
  });

  it("whose fate is unknown is found again where the platform deduplicates, and shows the newest text", async () => {
    const { sender, chat, deliver } = setup({ deduplicates: true });
    await writeDraft(redis, chat, draftOf("turn-1", "old"));
    sender.faults.push("arrived");
    await deliver();
    await writeDraft(redis, chat, draftOf("turn-1", "newer"));
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "newer"));
    await deliver();
    expect(sender.texts).toEqual(["newer"]);
  });

  it("that was never written down does not become the answer where the platform deduplicates", async () => {
    const { sender, chat, deliver } = setup({ deduplicates: true });
    await writeDraft(redis, chat, draftOf("turn-1", "half an ans"));
    sender.faults.push("arrived");
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "the whole answer"));
    await deliver();
    expect(sender.texts).toEqual(["the whole answer"]);
  });

  it("whose edit has an unknown fate is set right by the answer, even one with an earlier text", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "one"));
    await deliver();
    await writeDraft(redis, chat, draftOf("turn-1", "one, no, two"));
    sender.faults.push("arrived");
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "one"));
    await deliver();
    expect(sender.texts).toEqual(["one"]);
  });

  it("that must wait makes what comes behind it wait, too", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "preview"));
    sender.faults.push("retry");
    expect((await deliver()).type).toBe("later");
    await post(chat, "a");
    expect((await deliver()).type).toBe("later");
    expect(sender.texts).toEqual([]);
  });
});

const asked = async (chat: ChatKey) => {
  await inbox.append(chat, message("m1"));
  const turn = await begun(turns, chat);
  const approval = approvalOf(turns, chat);
  await committed(turns, turn, {
    ...asking(turn, [approval]),
    outbox: [card(approval)],
  });
  return approval;
};

describe("an approval's card", () => {
  it("shows the whole call and two buttons, and its message is known to the approval", async () => {
    const { sender, chat, deliver } = setup();
    const approval = await asked(chat);
    await deliver();
    expect(sender.shown).toHaveLength(1);
    expect(sender.shown[0]?.buttons).toEqual(["Approve", "Deny"]);
    expect(sender.shown[0]?.text).toContain("files.delete");
    expect(sender.shown[0]?.text).toContain("path: a");
    expect(await redis.hget(approvalKey(approval.id), "card")).toBe("1");
  });

  it("of several messages has its buttons on the last, and that is the one that is closed", async () => {
    const { sender, chat, deliver } = setup();
    const approval = await asked(chat);
    const { state, outbox: out } = chatKeys(chat);
    expect(await redis.exists(state)).toBe(1);
    await redis.del(out);
    await inbox.post(chat, {
      ...notice("long", "first|second"),
      buttons: [{ label: "Approve", data: `a:${approval.id}` }],
    } as never);
    await deliver();
    expect(sender.shown.map(({ buttons }) => buttons)).toEqual([[], ["Approve"]]);
    await inbox.post(chat, resolution("long", "decided"));
    await deliver();
    expect(sender.shown).toMatchObject([
      { text: "first", buttons: [] },
      { text: "decided", buttons: [] },
    ]);
  });

  it("that messages aren't taken is edited to their count as of then", async () => {
    const { sender, chat, deliver } = setup();
    const of = chat;
    const left = (eventId: string) =>
      inbox.leaveOut({ eventId, countedAs: eventId, of, notice: "first" });
    for (const id of ["one", "two", "three"]) await left(id);
    await inbox.post(chat, notice("said", "Sorry."));
    const edit = { ...resolution("said", "Sorry.\nTwo."), leftOut: { of, text: "Sorry." } };
    await inbox.post(chat, edit);
    await deliver();
    expect(sender.shown).toMatchObject([
      { text: "Sorry.\nNot taken, from this one on: 3 messages." },
    ]);
    // Later ones get an edit of their own. If they are no longer counted, the entry's own text is shown.
    expect(await left("four")).toMatchObject({ isNews: true });
    await redis.del(configKey(`told:left:${of}`));
    await inbox.post(chat, { ...edit, id: "later" });
    await deliver();
    expect(sender.shown).toMatchObject([{ text: "Sorry.\nTwo." }]);
  });

  it("that messages aren't taken has its count also where other entries may overtake it", async () => {
    const { sender, chat, deliver } = setup();
    const of = chat;
    for (const eventId of ["one", "two"])
      await inbox.leaveOut({ eventId, countedAs: eventId, of, notice: "first" });
    await inbox.post(chat, { ...notice("said", "Sorry."), patient: true } as never);
    await inbox.post(chat, {
      ...resolution("said", "Sorry.\nTwo."),
      leftOut: { of, text: "Sorry." },
      patient: true,
    } as never);
    await inbox.post(chat, notice("answer", "An answer"));
    await deliver();
    expect(sender.shown).toMatchObject([
      { text: "An answer" },
      { text: "Sorry.\nNot taken, from this one on: 2 messages." },
    ]);
  });

  it("that messages aren't taken and that couldn't be sent leaves it to the next message's", async () => {
    const { sender, chat, deliver } = setup();
    const of = chat;
    const left = (eventId: string) =>
      inbox.leaveOut({ eventId, countedAs: eventId, of, notice: "first" });
    for (const eventId of ["one", "two"]) await left(eventId);
    sender.faults.push("refused");
    await inbox.post(chat, { ...notice("said", "Sorry."), patient: true } as never);
    await inbox.post(chat, {
      ...resolution("said", "Sorry.\nTwo."),
      leftOut: { of, text: "Sorry." },
      patient: true,
    } as never);
    await deliver();
    expect(sender.shown).toEqual([]);
    expect(await left("three")).toMatchObject({ count: 3, notice: "three" });
  });

  it("is closed by an edit of its own message, also long after its ledger is gone", async () => {
    const { sender, chat, deliver } = setup();
    const approval = await asked(chat);
    await deliver();
    await redis.del(`${chatKeys(chat).sentPrefix}card-${approval.id}`);
    await inbox.post(
      chat,
      resolution(`card-${approval.id}`, "Approved by Anna.", {
        card: cardOf(approval),
      }),
    );
    await deliver();
    expect(sender.shown).toHaveLength(1);
    expect(sender.shown[0]?.buttons).toEqual([]);
    expect(sender.shown[0]?.text).toContain("Approved by Anna.");
    expect(sender.shown[0]?.text).toContain("path: a");
  });

  it("is in its requester's language, to its end", async () => {
    const { sender, chat, deliver } = setup();
    const plain = await asked(chat);
    const requester = { ...plain.requester, language: "de" };
    const approval = { ...plain, requester };
    await redis.del(chatKeys(chat).outbox);
    await inbox.post(chat, askingEntry([approval], {}));
    await deliver();
    const [shown] = sender.shown;
    expect(shown?.text).toMatch(/^\*\*files: Delete\*\*\?/);
    expect(shown?.buttons).toEqual(["Freigeben", "Ablehnen"]);
    const text = localeFor("de").decisions.approvedBy("Anna");
    await inbox.post(chat, outcomeEntry(approval, { id: "decided", text }));
    await deliver();
    expect(shown).toMatchObject({ buttons: [] });
    expect(shown?.text).toContain("Freigegeben von Anna.");
    // Erasing leaves English words for versions that know no other.
    await inbox.post(chat, {
      ...outcomeEntry(approval, { id: "erased", text: "Erased." }),
      erased: true,
    } as never);
    await deliver();
    expect(shown?.text).toContain("Gelöscht.");
    expect(shown?.text).not.toContain("Erased");
  });

  it("that was never shown needs no closing, and what comes behind is not held up", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, resolution("card-unknown", "Approved."));
    await post(chat, "next");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["next"]);
  });
});

const abandon = async (chat: ChatKey) => {
  expect((await outbox.open(chat)).type).toBe("open");
  await expireLease(redis, chat, "out:lease");
};

describe("a session that died", () => {
  it("leaves doubt about what it was to send next, which an attempt that certainly failed does not remove", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a", "b");
    await abandon(chat);
    sender.faults.push("retry");
    expect((await deliver()).type).toBe("later");
    await letTimePass(redis, chat);
    await deliver();
    expect(sender.texts).toEqual(["+a", "b"]);
  });

  it("may have sent it, so that four with a label follow at most", async () => {
    const { sender, chat, deliver } = setup();
    await post(chat, "a", "b");
    await abandon(chat);
    sender.faults.push(...Array<"arrived">(4).fill("arrived"));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    await deliver();
    expect(sender.texts).toEqual(["+a", "+a", "+a", "+a", "b"]);
  });

  it("leaves no doubt where there was nothing to send", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, resolution("card-unknown", "Approved."));
    await abandon(chat);
    await deliver();
    await post(chat, "a");
    await deliver();
    expect(sender.texts).toEqual(["a"]);
  });

  it("leaves its first draft alone; the answer says that it may be a repetition", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "half"));
    await abandon(chat);
    for (const text of ["half an", "half an ans"]) {
      await writeDraft(redis, chat, draftOf("turn-1", text));
      await deliver();
    }
    expect(sender.did).toEqual([]);
    await post(chat, "news");
    await deliver();
    await writeDraft(redis, chat, undefined);
    await inbox.post(chat, answer("turn-1", "the answer"));
    await deliver();
    expect(sender.texts).toEqual(["news", "+the answer"]);
  });
});

describe("a session that is over", () => {
  it("on a stop finishes the request under way, writes it down, and hands over at once", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a|b|c", "d");
    const stopping = new AbortController();
    sender.onRequest = ({ text }) => {
      if (text === "a") stopping.abort();
      return Promise.resolve();
    };
    expect(await deliverChat(deps, chat, stopping.signal)).toEqual({
      type: "again",
    });
    expect(sender.texts).toEqual(["a"]);
    expect(await redis.hget(chatKeys(chat).state, "out:owner")).toBeNull();
    await deliverAll(deps, chat);
    expect(sender.texts).toEqual(["a", "b", "c", "d"]);
  });

  it("because another one took over sends nothing more, and writes nothing", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a|b", "c");
    const slow = Promise.withResolvers<void>();
    sender.onRequest = () => slow.promise;
    const late = deliverChat(deps, chat, never);
    await until(() => sender.requests.length === 1);
    await expireLease(redis, chat, "out:lease");
    const other = new ScriptedSender();
    expect(await deliverAll(deliveryDeps(outbox, other), chat)).toEqual({
      type: "done",
    });
    expect(other.texts).toEqual(["+a", "b", "c"]);
    const before = await ledgerOf(chat, "a|b");
    slow.resolve();
    expect(await late).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a"]);
    expect(await ledgerOf(chat, "a|b")).toEqual(before);
    expect(await wakeMembers(redis, chat)).toEqual([]);
  });

  it("learns from its own heartbeat that it is", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a|b");
    const slow = Promise.withResolvers<void>();
    sender.onRequest = () => slow.promise;
    let fenced = false;
    const watching = {
      ...outbox,
      async write(...given: Parameters<typeof outbox.write>) {
        const written = await outbox.write(...given);
        // The receipt of the request under way pretends that no one has noticed.
        if (given[1].id !== "") return { hasMore: true, isDead: false };
        fenced ||= written === undefined;
        return written;
      },
    };
    const late = deliverChat({ ...deps, outbox: watching, heartbeatMs: 5 }, chat, never);
    await until(() => sender.requests.length === 1);
    await redis.hset(chatKeys(chat).state, "out:owner", "somebody else");
    await until(() => fenced);
    slow.resolve();
    await late;
    expect(sender.did).toEqual(["send a"]);
  });

  it("keeps its lease while it sends", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a");
    const slow = Promise.withResolvers<void>();
    sender.onRequest = () => slow.promise;
    const sent = deliverChat({ ...deps, heartbeatMs: 5 }, chat, never);
    await until(() => sender.requests.length === 1);
    await expireLease(redis, chat, "out:lease");
    await until(
      async () => Number(await redis.hget(chatKeys(chat).state, "out:lease")) > Date.now(),
    );
    slow.resolve();
    expect(await sent).toEqual({ type: "done" });
  });

  it("because it cannot read a newer version's entry leaves it to those who can", async () => {
    const { sender, chat, deps } = setup();
    await inbox.post(chat, { ...notice("a"), v: 2 } as never);
    await expect(deliverChat(deps, chat, never)).rejects.toThrow("version 2");
    expect(await redis.hget(chatKeys(chat).state, "out:owner")).toBeNull();
    expect(await wakeMembers(redis, chat)).toEqual(["out"]);
    expect(sender.requests).toEqual([]);
  });
});

describe("an entry of which nothing can be seen", () => {
  it("is told in words, so that no one is left without an answer", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.answer(chat, "m1", answer("turn-1", " "));
    await deliver();
    expect(sender.texts).toEqual([expect.stringContaining("(empty answer)")]);
  });

  it("is told in the language of the person who waits for it", async () => {
    const { sender, chat, deliver } = setup();
    const empty = { ...answer("turn-1", " "), language: "fr-CA" };
    await inbox.answer(chat, "m1", empty);
    await deliver();
    expect(sender.texts).toEqual([localeFor("fr").delivery.nothingToShow]);
  });
});

describe("a doubt about one entry", () => {
  it("is not held against another", async () => {
    const { sender, chat, deps, deliver } = setup();
    await post(chat, "first");
    const opened = await outbox.open(chat);
    if (opened.type !== "open") throw new TypeError(opened.type);
    // The owner dies while it sends "first"; by the time another takes over, "first" has been dealt
    // with.
    await redis.del(chatKeys(chat).outbox);
    await post(chat, "second");
    await expireLease(redis, chat, "out:lease");
    await deliverChat(deps, chat, never);
    await deliver();
    expect(sender.texts).toEqual(["second"]);
  });
});

it("remembers which message asked something else while an approval waited", async () => {
  const { chat, deliver } = setup();
  const asked = () => redis.hget(chatKeys(chat).state, "out:asked");
  const ask = async (id: string) => {
    const buttons = [{ label: "Allow", data: "pa:1" }];
    await inbox.post(chat, {
      kind: "notice",
      v: 1,
      id,
      text: "Let Ben in?",
      buttons,
    });
    await deliver();
  };
  await ask("n0");
  expect(await asked()).toBeNull();
  await redis.hset(chatKeys(chat).state, "approvals", "s1-a");
  await post(chat, "hello");
  await deliver();
  expect(await asked()).toBeNull();
  await ask("n1");
  const { m0 } = await ledgerOf(chat, "n1");
  expect(m0).toBeDefined();
  expect(await asked()).toBe(m0);
});
