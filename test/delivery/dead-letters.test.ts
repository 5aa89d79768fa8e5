import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../src/core/chat.ts";
import { PermanentError } from "../../src/core/errors.ts";
import { deliverChat } from "../../src/delivery/deliver-chat.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import {
  countDeadLetters,
  dropDeadLetter,
  findDeadLetter,
  listDeadLetters,
  replayDeadLetter,
  type DeadLetter,
} from "../../src/store/turns/dead-letters.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys, shardOf } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { keysOf, leaseMs, newChat, notice, storeOn, wakeMembers } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import {
  answer,
  deliverAll,
  deliveryDeps,
  draftOf,
  file,
  letTimePass,
  never,
  writeDraft,
} from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const blobs = createBlobs(store);

const setup = (chat = newChat(), options: { deduplicates?: boolean } = {}) => {
  const sender = new ScriptedSender(options);
  const deps = deliveryDeps(outbox, sender, { blobs });
  return {
    sender,
    chat,
    deps,
    deliver: () => deliverAll(deps, chat),
    /** One attempt after the other, each when its time has come. */
    attempts: async (count: number): Promise<void> => {
      for (let time = 0; time < count; time += 1) {
        expect((await deliverAll(deps, chat)).type).toBe("later");
        await letTimePass(redis, chat);
      }
    },
  };
};

const post = async (chat: ChatKey, ...texts: string[]) => {
  for (const text of texts) await inbox.post(chat, notice(text, text));
};

const onlyLetter = async (chat: ChatKey): Promise<DeadLetter> => {
  const letters = await listDeadLetters(store, chat);
  expect(letters).toHaveLength(1);
  return letters[0] as DeadLetter;
};

const yesterday = (chat: ChatKey, id: string) =>
  redis.hset(`${chatKeys(chat).sentPrefix}${id}`, "since", Date.now() - 86_400_000);

describe("an entry that is given up", () => {
  it("because the platform will never take it is kept whole, and those behind it are sent", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, { ...answer("turn-1", "a|b"), replyTo: "55" });
    await post(chat, "next");
    sender.faults.push("refused");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["next"]);
    const letter = await onlyLetter(chat);
    expect(letter).toEqual({
      v: 1,
      id: expect.stringMatching(`^${shardOf(chat)}-[0-9a-f]{16}$`) as string,
      chat,
      why: "refused",
      cause: "blocked",
      atMs: expect.closeTo(Date.now(), -5) as number,
      tries: 1,
      doubtful: false,
      entry: { ...answer("turn-1", "a|b"), replyTo: "55" },
    });
    expect(await findDeadLetter(store, letter.id)).toEqual(letter);
    const key = `${chatKeys(chat).deadPrefix}${letter.id}`;
    expect(await redis.pttl(key)).toBeGreaterThan(29 * 86_400_000);
  });

  it("after a day and three attempts is not given up before either", async () => {
    const { sender, chat, deliver, attempts } = setup();
    await post(chat, "a", "b");
    sender.faults.push(...Array<"retry">(6).fill("retry"));
    await attempts(5);
    expect(await listDeadLetters(store, chat)).toEqual([]);
    await yesterday(chat, "a");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["b"]);
    expect(await onlyLetter(chat)).toMatchObject({
      why: "tried-for-long",
      cause: "too many requests",
      tries: 6,
      doubtful: false,
    });

    await post(chat, "c");
    sender.faults.push("retry", "retry");
    await attempts(1);
    await yesterday(chat, "c");
    await attempts(1);
    await deliver();
    expect(sender.texts).toEqual(["b", "c"]);
  });

  it("is not one of which a part has arrived: its day starts again", async () => {
    const { sender, chat, attempts, deliver } = setup();
    await post(chat, "a|b");
    sender.faults.push("retry", "retry", undefined, "retry");
    await attempts(2);
    await yesterday(chat, "a|b");
    await attempts(1);
    await deliver();
    expect(sender.texts).toEqual(["a", "b"]);
    expect(await listDeadLetters(store, chat)).toEqual([]);
  });

  it("is not one whose next part fails three times within its own day", async () => {
    const { sender, chat, attempts, deliver } = setup();
    await post(chat, "a|b");
    sender.faults.push("retry", undefined, "retry", "retry", "retry");
    await attempts(1);
    await yesterday(chat, "a|b");
    await attempts(3);
    await deliver();
    expect(sender.texts).toEqual(["a", "b"]);
    expect(await listDeadLetters(store, chat)).toEqual([]);
  });

  it("is not one whose next part has failed for a day, and only twice", async () => {
    const { sender, chat, attempts, deliver } = setup();
    await post(chat, "a|b");
    sender.faults.push("retry", "retry", undefined, "retry", "retry");
    await attempts(3);
    await yesterday(chat, "a|b");
    await attempts(1);
    await deliver();
    expect(sender.texts).toEqual(["a", "b"]);
    expect(await listDeadLetters(store, chat)).toEqual([]);
  });

  it("is not one that could not be handled twice before a part of it arrived", async () => {
    const { sender, chat, attempts, deliver } = setup();
    await post(chat, "a|b");
    let requests = 0;
    sender.onRequest = () => {
      requests += 1;
      // Not for the first part's third try.
      return [1, 2, 4].includes(requests) ? Promise.reject(new Error("ours")) : Promise.resolve();
    };
    await attempts(3);
    await deliver();
    expect(sender.texts).toEqual(["+a", "+b"]);
    expect(await listDeadLetters(store, chat)).toEqual([]);
  });

  it("because no one knows what became of it five times says so, and the rest of it is sent", async () => {
    const { sender, chat, deliver, attempts } = setup();
    await post(chat, "a|b|c", "d");
    sender.faults.push(undefined, ...Array<"lost">(5).fill("lost"));
    await attempts(4);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a", "c", "d"]);
    expect(await onlyLetter(chat)).toMatchObject({
      why: "unknown",
      cause: "connection lost",
      doubtful: true,
      entry: notice("a|b|c", "a|b|c"),
    });
  });

  it("because it is refused may have arrived before, when no one knew it", async () => {
    const { sender, chat, deliver, attempts } = setup();
    await post(chat, "a");
    sender.faults.push("arrived", "refused");
    await attempts(1);
    await deliver();
    const { why, doubtful } = await onlyLetter(chat);
    expect([why, doubtful]).toEqual(["refused", true]);
  });

  it("takes its doubt with it", async () => {
    const { sender, chat, deliver, attempts } = setup(newChat(), {
      deduplicates: true,
    });
    await post(chat, "a", "b");
    sender.faults.push("lost", "lost", "lost");
    await attempts(2);
    await yesterday(chat, "a");
    await deliver();
    expect(sender.texts).toEqual(["b"]);
    expect((await onlyLetter(chat)).doubtful).toBe(true);
    expect(await redis.hgetall(chatKeys(chat).state)).toEqual({});
  });

  it("is never a draft", async () => {
    const { sender, chat, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "half"));
    sender.faults.push("refused");
    await deliver();
    expect(await listDeadLetters(store, chat)).toEqual([]);
  });

  it("is never a file that was refused and told so", async () => {
    const { sender, chat, deliver } = setup();
    sender.refusesFiles = true;
    await inbox.post(chat, await file(blobs, chat, { id: "f", content: "x" }));
    await deliver();
    expect(sender.texts).toEqual(["Sorry, I couldn't send the file here."]);
    expect(await listDeadLetters(store, chat)).toEqual([]);
  });
});

describe("an entry that cannot be handled", () => {
  it("holds up its chat three times, and no longer", async () => {
    const { sender, chat, deliver, attempts } = setup();
    await post(chat, "poison", "next");
    const plain = sender.plain.bind(sender);
    sender.plain = (text) => {
      if (text === "poison") throw new Error("cannot draw this");
      return plain(text);
    };
    await attempts(2);
    expect(sender.texts).toEqual([]);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["next"]);
    expect(await onlyLetter(chat)).toMatchObject({
      why: "failed-here",
      cause: "cannot draw this",
      tries: 3,
      doubtful: false,
      entry: notice("poison", "poison"),
    });
    expect(await wakeMembers(redis, chat)).toEqual([]);
  });

  it("because it is no entry is kept as it is", async () => {
    const { sender, chat, deliver, attempts } = setup();
    await redis.rpush(chatKeys(chat).outbox, 'x {"v":1,"id":"x","kind":"?"}');
    await redis.rpush(chatKeys(chat).outbox, "y no json");
    await post(chat, "next");
    await attempts(4);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["next"]);
    const letters = await listDeadLetters(store, chat);
    expect(letters.map(({ entry }) => entry)).toEqual([{ v: 1, id: "x", kind: "?" }, undefined]);
    const [, noJson] = letters;
    await expect(replayDeadLetter(store, noJson as DeadLetter)).rejects.toThrow("no entry");
    // What could be an entry is tried again.
    expect(await replayDeadLetter(store, letters[0] as DeadLetter)).toBe(true);
  });

  it.each([
    "LOADING Redis is loading the dataset in memory",
    "CLUSTERDOWN The cluster is down",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "Connection is closed.",
  ])("because Redis says %s waits for as long", async (text) => {
    const { sender, chat, deps } = setup();
    const entry = await file(blobs, chat, { id: "f", content: "x" });
    await inbox.post(chat, entry);
    const troubled = {
      ...blobs,
      get: () => Promise.reject(new Error(text)),
    };
    for (let time = 0; time < 5; time += 1) {
      const result = await deliverAll({ ...deps, blobs: troubled }, chat);
      expect(result.type).toBe("later");
      await letTimePass(redis, chat);
    }
    expect(await redis.exists(`${chatKeys(chat).sentPrefix}f`)).toBe(0);
    expect(await listDeadLetters(store, chat)).toEqual([]);
    expect(await deliverAll(deps, chat)).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["[a.md: x]"]);
  });

  it("though a part of it stands there is doubtful", async () => {
    const { sender, chat, attempts, deliver } = setup();
    await post(chat, "a|b");
    sender.faults.push(undefined, "retry");
    await attempts(1);
    sender.plain = () => {
      throw new Error("cannot draw this");
    };
    await attempts(2);
    expect(await deliver()).toEqual({ type: "done" });
    const { why, doubtful } = await onlyLetter(chat);
    expect([why, doubtful]).toEqual(["failed-here", true]);
  });

  it("after it was sent may be a repetition", async () => {
    const { sender, chat, deps } = setup();
    await post(chat, "a", "b");
    const isFirst = new Set(["a"]);
    const forgetful = {
      ...outbox,
      write: (...given: Parameters<typeof outbox.write>) => {
        const isLost = given[1].failed === undefined && isFirst.delete(given[1].id);
        return isLost ? Promise.reject(new Error("READONLY")) : outbox.write(...given);
      },
    };
    expect((await deliverChat({ ...deps, outbox: forgetful }, chat, never)).type).toBe("later");
    await letTimePass(redis, chat);
    await deliverAll(deps, chat);
    expect(sender.texts).toEqual(["a", "+a", "b"]);
  });

  it("is left to others when a newer version wrote it, however often", async () => {
    const { chat, deps } = setup();
    await inbox.post(chat, { ...notice("a"), v: 2 } as never);
    for (let time = 0; time < 5; time += 1)
      await expect(deliverChat(deps, chat, never)).rejects.toThrow("version 2");
    expect(await listDeadLetters(store, chat)).toEqual([]);
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(1);
  });

  it("is no draft: one that cannot be drawn or read is left out", async () => {
    const { sender, chat, deps, deliver } = setup();
    await writeDraft(redis, chat, draftOf("turn-1", "half"));
    const broken = Object.assign(new ScriptedSender(), {
      render: () => {
        throw new Error("cannot draw this");
      },
    });
    expect(await deliverAll({ ...deps, sender: broken }, chat)).toEqual({
      type: "done",
    });
    await redis.set(chatKeys(chat).draft, "turn-1 no json");
    await post(chat, "a");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["a"]);
  });
});

/** An entry that the platform has refused. */
const refusedOne = async (given = setup(), text = "a") => {
  given.sender.faults.push("refused");
  await post(given.chat, text);
  await given.deliver();
  return { ...given, letter: await onlyLetter(given.chat) };
};

describe("a dead letter", () => {
  it("that is replayed is sent once, in its place at the end, no matter who asks for it", async () => {
    const { sender, chat, deliver, letter } = await refusedOne();
    await post(chat, "b");
    const asked = Array.from({ length: 5 }, () => replayDeadLetter(store, letter));
    expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    expect(await wakeMembers(redis, chat)).toEqual(["out"]);
    expect(await listDeadLetters(store, chat)).toEqual([]);
    await deliver();
    expect(sender.texts).toEqual(["b", "a"]);
    expect(await findDeadLetter(store, letter.id)).toBeUndefined();
    expect((await keysOf(redis, chat)).join(" ")).not.toContain("dead");
  });

  it("that may have arrived says so when it is replayed", async () => {
    const { sender, chat, deliver, attempts } = setup();
    await post(chat, "a");
    sender.faults.push(...Array<"lost">(4).fill("lost"), "arrived");
    await attempts(4);
    await deliver();
    await replayDeadLetter(store, await onlyLetter(chat));
    await deliver();
    expect(sender.texts).toEqual(["+a", "+a"]);
  });

  it("of which a part stands there says so, too, and is sent whole", async () => {
    const { sender, chat, deliver } = setup();
    sender.faults.push(undefined, "refused");
    await post(chat, "a|b");
    await deliver();
    await replayDeadLetter(store, await onlyLetter(chat));
    await deliver();
    expect(sender.texts).toEqual(["a", "+a", "b"]);
  });

  it("that is refused again is a dead letter again, whose entry has no longer a name", async () => {
    const given = await refusedOne();
    const { sender, chat, deliver } = given;
    let { letter } = given;
    for (let time = 0; time < 3; time += 1) {
      sender.faults.push("refused");
      await replayDeadLetter(store, letter);
      await deliver();
      letter = await onlyLetter(chat);
    }
    expect(letter.entry).toMatchObject({
      id: expect.stringMatching(/^a~[0-9a-f]{12}$/) as string,
    });
  });

  it("of a file whose bytes have ended is replayed as a sentence", async () => {
    const { sender, chat, deliver, attempts } = setup();
    const entry = await file(blobs, chat, { id: "f", content: "x" });
    await inbox.post(chat, entry);
    sender.faults.push("retry", "retry", "retry");
    await attempts(2);
    await yesterday(chat, "f");
    await deliver();
    const letter = await onlyLetter(chat);
    // Its bytes stay for a replay as long as they would have.
    expect(await blobs.get(chat, entry.blob)).toBeDefined();
    await blobs.remove(chat, entry.blob);
    await replayDeadLetter(store, letter);
    await deliver();
    expect(sender.texts).toEqual(["The file is no longer available."]);
  });

  it("that is dropped is gone", async () => {
    const { chat, letter } = await refusedOne();
    expect(await dropDeadLetter(store, letter)).toBe(true);
    expect(await dropDeadLetter(store, letter)).toBe(false);
    expect(await replayDeadLetter(store, letter)).toBe(false);
    expect(await listDeadLetters(store, chat)).toEqual([]);
    expect(await redis.llen(chatKeys(chat).outbox)).toBe(0);
  });

  it("whose 30 days are over leaves the list with the next", async () => {
    const { chat, sender, deliver, letter } = await refusedOne();
    const { deadIndex } = chatKeys(chat);
    const member = `${letter.id} ${chat}`;
    const counted = await countDeadLetters(store);
    await redis.zadd(deadIndex, (Date.now() - 31 * 86_400_000) * 1_000, member);
    expect(await countDeadLetters(store)).toBe(counted - 1);
    sender.faults.push("refused");
    await post(chat, "b");
    await deliver();
    expect(await listDeadLetters(store, chat)).toHaveLength(1);
    expect(await redis.zscore(deadIndex, member)).toBeNull();
    expect(await findDeadLetter(store, letter.id)).toBeUndefined();
  });

  it.each(["", "s1", "s1-x", "x-0123456789abcdef", "s1-0123456789abcdef"])(
    "is none of the name %j",
    async (id) => {
      expect(await findDeadLetter(store, id)).toBeUndefined();
    },
  );
});

describe("dead letters", () => {
  it("that cannot be read keep no one from the others", async () => {
    const { chat, letter } = await refusedOne();
    const { deadIndex, deadPrefix } = chatKeys(chat);
    const id = (digit: string) => `${shardOf(chat)}-${digit.repeat(16)}`;
    await redis.zadd(deadIndex, 1, `${id("0")} nowhere`);
    await redis.zadd(deadIndex, 2, `${id("1")} ${chat}`);
    await redis.zadd(deadIndex, 3, `${id("2")} ${chat}`);
    await redis.hset(`${deadPrefix}${id("1")}`, "v", 1, "why", "whyever");
    await redis.set(`${deadPrefix}${id("2")}`, "no letter");
    const left: string[] = [];
    const letters = await listDeadLetters(store, undefined, ({ message }) => {
      left.push(message);
    });
    expect(letters).toContainEqual(letter);
    expect(left.sort()).toEqual([
      expect.stringMatching(`${id("0")} is of no chat: "nowhere"`),
      expect.stringMatching(`${id("1")} .*unexpected shape`),
      expect.stringMatching(`${id("2")} .*unexpected shape`),
    ]);
    expect(await findDeadLetter(store, letter.id)).toEqual(letter);
    await expect(listDeadLetters(store)).rejects.toThrow(PermanentError);
    await redis.del(deadIndex);
  });

  it("of a chat that refuses everything are its newest 20, and of a shard its newest 100", async () => {
    const first = newChat();
    const chats = [first];
    while (chats.length < 6) {
      const chat = newChat();
      if (shardOf(chat) === shardOf(first)) chats.push(chat);
    }
    for (const chat of chats) {
      const { sender, deliver } = setup(chat);
      const texts = Array.from({ length: 22 }, (_, index) => `n${index}`);
      sender.faults.push(...texts.map(() => "refused" as const));
      await post(chat, ...texts);
      await deliver();
      const letters = await listDeadLetters(store, chat);
      const kept = letters.map(({ entry }) => (entry as { id: string }).id);
      expect(kept.sort()).toEqual(texts.slice(2).sort());
    }
    expect(await listDeadLetters(store, first)).toEqual([]);
    const { wake } = chatKeys(first);
    const keys = await redis.keys(wake.replace(/wake$/, "dead:*"));
    expect(keys).toHaveLength(100);
  });

  it("of all chats are listed, the oldest first", async () => {
    const [one, other] = [await refusedOne(), await refusedOne()];
    const letters = await listDeadLetters(store);
    expect(letters.at(-1)).toEqual(other.letter);
    expect(letters).toContainEqual(one.letter);
    expect(letters.map(({ atMs }) => atMs)).toEqual(
      letters.map(({ atMs }) => atMs).sort((a, b) => a - b),
    );
    expect(await countDeadLetters(store)).toBe(letters.length);
  });
});
